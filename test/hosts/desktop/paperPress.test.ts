import { beforeEach, describe, expect, it } from 'vitest';
import { PaperNotPrinted } from '../../../src-main/core/base/control.ts';
import { createPaperPress, type PaperPress } from '../../../src-main/hosts/desktop/paperPress.ts';
import { createVirtualClock, flush, type VirtualClock } from '../../support/clock.ts';
import { createRecordingLogger } from '../../support/ports.ts';
import { desktopUnderTest, senderOf } from '../support/desktopHost.ts';
import { FakeElectron } from './fake/electron.ts';
import type { FakeWindow } from './fake/window.ts';

let electron: FakeElectron;
let clock: VirtualClock;
let press: PaperPress;
let controller: AbortController;

beforeEach(() => {
  electron = new FakeElectron();
  clock = createVirtualClock();
  controller = new AbortController();
  press = createPaperPress({
    electron: electron.asElectron(),
    clock,
    logger: createRecordingLogger(),
    makeId: () => 'an-id',
  });
});

const document = new TextEncoder().encode('<!doctype html><p>Paper</p>');
const print = (): Promise<Uint8Array> => press.print(document, controller.signal);
const pdf = Buffer.from('%PDF-1.7');
const windows = (): FakeWindow[] => electron.windows;
const gone = (): boolean => windows().every(({ destroyed }) => destroyed);

describe('printing a document on the desktop', () => {
  it('answers with the PDF, on the paper that the document names, and leaves no window', async () => {
    electron.onWindow = ({ webContents }) => {
      webContents.prints = () => Promise.resolve(pdf);
    };
    expect(await print()).toBe(pdf);
    const [window] = windows();
    expect(window?.loaded).toEqual(['console://app/paper/an-id']);
    expect(window?.webContents.printed).toMatchObject([{ preferCSSPageSize: true, printBackground: true }]);
    expect(window?.visible).toBe(false);
    expect(windows()).toHaveLength(1);
    expect(gone()).toBe(true);
  });

  it('gives the window no script, no preload and no rights beyond the page’s session', async () => {
    electron.onWindow = ({ webContents }) => {
      webContents.prints = () => Promise.resolve(pdf);
    };
    await print();
    const { webPreferences = {} } = windows()[0]?.options ?? {};
    expect(webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      javascript: false,
      devTools: false,
    });
    expect(webPreferences.preload).toBeUndefined();
    expect(electron.partitions).toEqual([['persist:console', { cache: false }]]);
  });

  it('serves the document while it is printed and no longer, under a policy that runs and fetches nothing', async () => {
    let served = press.answer('/paper/an-id');
    expect(served).toBeNull();
    electron.onWindow = (window) => {
      window.loads = () => {
        served = press.answer('/paper/an-id');
        return Promise.resolve();
      };
      window.webContents.prints = () => Promise.resolve(pdf);
    };
    await print();
    expect(served?.status).toBe(200);
    expect(Buffer.from(served?.body ?? []).toString()).toContain('<p>Paper</p>');
    const policy = served?.headers['content-security-policy']?.split('; ') ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('sandbox');
    expect(policy.join()).not.toMatch(/script|connect/);
    expect(press.answer('/paper/an-id')).toBeNull();
    expect(press.answer('/paper/another')).toBeNull();
  });

  it.each<[string, (window: FakeWindow) => void, RegExp]>([
    [
      'is not loaded',
      (window) => (window.loads = () => Promise.reject(new Error('ERR_FAILED'))),
      /ERR_FAILED/,
    ],
    ['loses its process', ({ webContents }) => queueMicrotask(() => webContents.die('oom')), /oom/],
    ['is closed by the system', (window) => queueMicrotask(() => window.close()), /closed/],
    [
      'cannot be printed',
      ({ webContents }) => (webContents.prints = () => Promise.reject(new Error('Failed to generate PDF'))),
      /Failed to generate PDF/,
    ],
    [
      'is printed on nothing',
      ({ webContents }) => (webContents.prints = async () => Buffer.alloc(0)),
      /empty/,
    ],
  ])('says why where the window %s, and leaves none', async (_how, trouble, reason) => {
    electron.onWindow = trouble;
    const printing = print();
    await expect(printing).rejects.toThrow(PaperNotPrinted);
    await expect(printing).rejects.toThrow(reason);
    expect(gone()).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  it('gives up a window that does not answer, whether it was loading or printing', async () => {
    for (const loads of [() => new Promise<void>(() => undefined), () => Promise.resolve()]) {
      electron.onWindow = (window) => (window.loads = loads);
      const printing = print();
      const failed = expect(printing).rejects.toThrow(/took too long/);
      await flush();
      expect(gone()).toBe(false);
      await clock.advance(60_000);
      await failed;
      expect(gone()).toBe(true);
    }
  });

  it('ends at once when it is cancelled, and begins nothing that was cancelled before', async () => {
    const printing = print();
    const failed = expect(printing).rejects.toThrow(/cancelled/);
    await flush();
    controller.abort();
    await failed;
    expect(gone()).toBe(true);
    expect(clock.pending()).toBe(0);
    await expect(print()).rejects.toThrow(/cancelled/);
    expect(windows()).toHaveLength(1);
  });
});

it('stands at an address of the page’s origin, which nothing else answers under', async () => {
  const desktop = await desktopUnderTest();
  const body = new TextEncoder().encode('paper');
  await desktop.run({
    paper: (pathname) => (pathname === '/paper/an-id' ? { status: 200, headers: {}, body } : null),
  });
  const handle = desktop.electron.pageSession.schemes.get('console');
  const get = async (path: string): Promise<Response | undefined> =>
    await handle?.(new Request(`console://app${path}`));
  expect(await (await get('/paper/an-id'))?.text()).toBe('paper');
  expect((await get('/paper/other'))?.status).toBe(404);
  // Had the document a script all the same: it has no bridge, and what it could send is no verb's sender.
  const contents = desktop.electron.windows[0]?.webContents;
  if (contents === undefined) throw new Error('No window');
  contents.changeFrame({ url: 'console://app/paper/an-id' });
  const answer = await desktop.electron.invoke('console:verb:signOut', senderOf(contents), {});
  expect(answer).toMatchObject({ ok: false, failure: { code: 'foreign-sender' } });
  await desktop.end();
});
