import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstLight } from '../../../src-main/hosts/desktop/selfTest/firstLight.ts';
import * as scripts from '../../../src-main/hosts/desktop/selfTest/pageScripts.ts';
import { runSelfTest, type SelfTestReport } from '../../../src-main/hosts/desktop/selfTest/selfTest.ts';
import { hostFailure } from '../../../src-main/hosts/failures.ts';
import { pushChannel, type Result, type TrainingSwitches } from '../../../src-preload/contract/index.ts';
import { desktopUnderTest, type DesktopUnderTest } from '../support/desktopHost.ts';
import type { ElectronFacts } from './fake/facts.ts';
import { said } from '../../support/messages.ts';

const megabyte = 1_048_576;
const whole = (megabytes: number) => ({
  status: 204,
  taken: megabytes * megabyte,
  milliseconds: 900,
  endedAfter: null,
});

/** A page that has everything, as the scripts of a first light see it; a test changes what it is about. */
class Page {
  begun = 1_000;
  painted: number | null = 1_800;
  map: string | null = 'ready';
  path = '/';
  answers = new Map<string, unknown>([
    [scripts.graphicsName.script, { name: 'llvmpipe' }],
    [scripts.notificationPermission.script, { permission: 'granted' }],
    [scripts.fetchedBundle.script, { status: 200, bytes: 5_000 }],
    [scripts.carriedUpload(64, null).script, whole(64)],
    [scripts.carriedUpload(512, null).script, whole(512)],
    [
      scripts.carriedUpload(512, 64).script,
      { status: 204, taken: 65 * megabyte, milliseconds: 400, endedAfter: 30 },
    ],
  ]);
  /** Another document, as after a load. */
  anew(path = '/', map: string | null = 'ready'): void {
    this.begun += 1;
    this.path = path;
    this.map = map;
  }
}

let desktop: DesktopUnderTest;
let page: Page;
let held: number;
let pushed: Uint8Array | null;
const killed: number[] = [];

async function open(facts: Partial<ElectronFacts> = {}): Promise<void> {
  desktop = await desktopUnderTest({ keyStoreAnswers: true, ...facts });
  page = new Page();
  held = 0;
  pushed = null;
  killed.length = 0;
  desktop.fake.tell('training', {
    credentials: { username: 'ada', password: 'p' },
    switches: {} as TrainingSwitches,
  });
  desktop.fake.answer = (verb) => {
    if (verb === 'lock') page.anew('/', null);
    if (verb === 'unlock') page.map = 'ready';
    const value: Result<unknown> = { ok: true, value: verb === 'runSelfTest' ? { steps: [] } : null };
    return Promise.resolve(value);
  };
  desktop.electron.app.metrics = [{ type: 'GPU', pid: 77 } as never];
}
beforeEach(() => open());
afterEach(() => desktop.end());

function answerOf(script: string): unknown {
  const answer = page.answers.get(script);
  if (answer !== undefined) return typeof answer === 'function' ? (answer as () => unknown)() : answer;
  if (script === scripts.timesOfDocument.script) {
    return { begun: page.begun, painted: page.painted, map: page.map };
  }
  if (script === scripts.atQuietPage.script) return { quiet: page.path === scripts.quietPage };
  if (script === scripts.receivedPush(2 * megabyte).script) {
    return pushed === null ? new Promise(() => undefined) : { sum: scripts.sumOf(pushed) };
  }
  if (script.includes('role="option"')) return { listed: true };
  const facts = { userAgent: 'Fake/1', webgl: null, language: 'en', pixelRatio: 1, size: '1x1' };
  return { facts, bridge: true, map: page.map };
}

/** Runs a first light while time goes on. */
async function report(megabytes = 512): Promise<SelfTestReport> {
  const { electron, clock } = desktop;
  electron.page = answerOf;
  const window = await desktop.run({ selfTest: true });
  window.finishLoad();
  window.loads = () => {
    page.anew(window.loaded.at(-1)?.endsWith(scripts.quietPage) === true ? scripts.quietPage : '/');
    return Promise.resolve();
  };
  const send = window.webContents.send.bind(window.webContents);
  window.webContents.send = (channel, ...args) => {
    if (channel === pushChannel && args[0] instanceof Uint8Array) pushed = args[0];
    send(channel, ...args);
  };
  window.webContents.forcefullyCrashRenderer = () => {
    window.webContents.die('killed');
    page.anew();
  };
  const kill = (pid: number): void => {
    killed.push(pid);
    electron.app.emit('child-process-gone', {}, { type: 'GPU', reason: 'killed', exitCode: 9 });
  };
  const shown = desktop.shown();
  const further = firstLight({ shown, megabytes, begunAt: 1_000, memory: () => held, kill });
  let done: SelfTestReport | null = null;
  void runSelfTest(shown, '1.2.3', {}, further).then((made) => (done = made));
  while (done === null) {
    clock.advance(250);
    await new Promise(setImmediate);
  }
  return done;
}
const stepOf = ({ steps }: SelfTestReport, id: string) => {
  const found = steps.find((step) => step.id === id);
  return found && { outcome: found.outcome, detail: found.detail };
};

describe('a first light', () => {
  it('takes every step on a system that has everything', async () => {
    const made = await report();
    expect(made.steps.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(made.steps.slice(4).map(({ id }) => id)).toEqual([
      ...['first-frame', 'graphics', 'compression', 'key-store'],
      ...['upload-64', 'upload-512', 'upload-cancelled', 'download', 'notifications'],
      ...['second-window', 'full-screen', 'large-push', 'subscribe-again', 'lock'],
      ...['page-death', 'graphics-death'],
    ]);
    expect(stepOf(made, 'first-frame')?.detail).toBe('800 ms after the process began.');
    expect(stepOf(made, 'graphics-death')?.detail).toBe('Now drawn by llvmpipe.');
    expect(killed).toEqual([77]);
    expect(desktop.electron.windows.map(({ destroyed }) => destroyed)).toEqual([false, true]);
    expect(desktop.fake.calls).toContainEqual({ verb: 'pauseUpload', request: { id: null, paused: true } });
  });

  it.each<[string, string, () => void, { outcome: string; detail: string }]>([
    [
      'no frame',
      'first-frame',
      () => (page.painted = null),
      { outcome: 'failed', detail: 'The page said of no frame that it was drawn.' },
    ],
    [
      'no WebGL',
      'graphics',
      () => page.answers.set(scripts.graphicsName.script, { name: null }),
      { outcome: 'failed', detail: 'There is no WebGL.' },
    ],
    [
      'no key store',
      'key-store',
      () => (desktop.electron.safeStorage.broken = 'rejects'),
      { outcome: 'not-run', detail: 'There is no key store.' },
    ],
    [
      'a key store that answers nonsense',
      'key-store',
      () => (desktop.electron.safeStorage.broken = 'garbles'),
      { outcome: 'failed', detail: 'What was kept did not come back.' },
    ],
    [
      'an upload that is refused',
      'upload-512',
      () => page.answers.set(scripts.carriedUpload(512, null).script, { refused: 'storage-full' }),
      { outcome: 'failed', detail: 'The console refused it: storage-full.' },
    ],
    [
      'an upload of which a part was taken',
      'upload-512',
      () => page.answers.set(scripts.carriedUpload(512, null).script, whole(511)),
      { outcome: 'failed', detail: 'The answer was 204.' },
    ],
    [
      'a cancelled upload that is read to its end',
      'upload-cancelled',
      () => page.answers.set(scripts.carriedUpload(512, 64).script, { ...whole(512), endedAfter: 900 }),
      { outcome: 'failed', detail: 'All of it was read.' },
    ],
    [
      'a download that is refused',
      'download',
      () => page.answers.set(scripts.fetchedBundle.script, { refused: 'locked' }),
      { outcome: 'failed', detail: 'The console refused it: locked.' },
    ],
    [
      'a download without bytes',
      'download',
      () => page.answers.set(scripts.fetchedBundle.script, { status: 404, bytes: 0 }),
      { outcome: 'failed', detail: 'The answer was 404.' },
    ],
    [
      'no permission to notify',
      'notifications',
      () => page.answers.set(scripts.notificationPermission.script, { permission: 'denied' }),
      { outcome: 'failed', detail: "The page's permission is denied." },
    ],
    [
      'no separate process for graphics',
      'graphics-death',
      () => (desktop.electron.app.metrics = []),
      { outcome: 'not-run', detail: 'There is no separate process for graphics.' },
    ],
  ])('says it of a system with %s', async (_what, id, change, expected) => {
    change();
    const made = await report();
    expect(stepOf(made, id)).toEqual(expected);
    expect(made.passed).toBe(expected.outcome !== 'failed');
    expect(made.steps.filter((step) => step.id !== id && step.outcome !== 'passed')).toEqual([]);
  });

  it('fails where a file is kept whole in memory', async () => {
    page.answers.set(scripts.carriedUpload(512, null).script, () => {
      held = 512 * megabyte;
      return whole(512);
    });
    expect(stepOf(await report(), 'upload-512')).toEqual({
      outcome: 'failed',
      detail: expect.stringContaining('grew by 512 MB at most: parts of the file stay in it.') as unknown,
    });
  });

  it('waits for a key store that asks somebody no longer than 10 s', async () => {
    await desktop.end();
    await open({ keyStoreAnswers: false });
    expect(stepOf(await report(), 'key-store')).toEqual({
      outcome: 'failed',
      detail: 'The key store did not answer within 10 s.',
    });
  });

  it('fails where other bytes arrive than were pushed', async () => {
    page.answers.set(scripts.receivedPush(2 * megabyte).script, { sum: 1 });
    expect(stepOf(await report(), 'large-push')).toEqual({
      outcome: 'failed',
      detail: 'Other bytes arrived.',
    });
  });

  it('fails where a window that was to fill the screen does not', async () => {
    const running = report();
    await new Promise(setImmediate);
    const window = desktop.electron.windows[0];
    if (window) window.setFullScreen = () => undefined;
    expect(stepOf(await running, 'full-screen')).toEqual({
      outcome: 'failed',
      detail: 'The window did not fill the screen.',
    });
  });

  it('fails where the console neither locks nor opens again, and does not try without training', async () => {
    const failure = hostFailure('internal', 0);
    for (const broken of ['lock', 'unlock']) {
      await desktop.end();
      await open();
      const { answer } = desktop.fake;
      desktop.fake.answer = (verb, request) =>
        verb === broken ? Promise.resolve({ ok: false, failure }) : answer(verb, request);
      expect(stepOf(await report(), 'lock')).toEqual({ outcome: 'failed', detail: said(failure.sentence) });
    }
    await desktop.end();
    await open();
    desktop.fake.tell('training', null);
    expect(stepOf(await report(), 'lock')?.outcome).toBe('not-run');
  });
});
