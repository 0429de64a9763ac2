import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verbNames } from '../../../src-preload/contract/index.ts';
import { snapshot } from '../support/console.ts';
import { desktopUnderTest, senderOf, type DesktopUnderTest } from '../support/desktopHost.ts';
import { innerFrame, topFrame, type FakeContents, type FakeFrame } from './fake/contents.ts';
import type { FakeElectron } from './fake/electron.ts';

let electron: DesktopUnderTest['electron'];
let fake: DesktopUnderTest['fake'];
let log: DesktopUnderTest['log'];
let run: DesktopUnderTest['run'];
const invoke: FakeElectron['invoke'] = (...given) => electron.invoke(...given);
const emit: FakeElectron['tell'] = (...given) => electron.tell(...given);
let end: () => Promise<void>;

beforeEach(async () => {
  ({ electron, fake, log, run, end } = await desktopUnderTest());
});
afterEach(() => end());

describe('verbs and pushes', () => {
  it('has exactly one channel per verb', async () => {
    await run();
    expect([...electron.handlers.keys()].sort()).toEqual(
      verbNames.map((verb) => `console:verb:${verb}`).sort(),
    );
    expect(electron.ipc.eventNames().sort()).toEqual([
      'console:link',
      'console:subscribe',
      'console:unsubscribe',
      'console:window',
    ]);
  });

  it('carries a verb from the page to the console', async () => {
    const { webContents } = await run();
    await expect(invoke('console:verb:readIncident', senderOf(webContents), { key: 1 })).resolves.toEqual({
      ok: true,
      value: null,
    });
    expect(fake.calls).toEqual([{ verb: 'readIncident', request: { key: 1 } }]);
  });

  it.each([
    ['a frame inside the page', () => innerFrame()],
    ['no frame', () => null],
    ['a top frame of another process', () => ({ ...topFrame(), processId: 8 })],
    [
      'the top frame of a foreign page',
      (contents: FakeContents) => contents.changeFrame({ url: 'https://evil.example/' }),
    ],
    ['another host of the scheme', (contents: FakeContents) => contents.changeFrame({ url: 'console://x/' })],
    ['no address', (contents: FakeContents) => contents.changeFrame({ url: '' })],
  ])('refuses %s on every channel', async (_name, frameOf: (contents: FakeContents) => FakeFrame | null) => {
    const { webContents } = await run();
    const from = senderOf(webContents, frameOf(webContents));
    for (const verb of verbNames) {
      await expect(invoke(`console:verb:${verb}`, from, {})).resolves.toMatchObject({
        ok: false,
        failure: { code: 'foreign-sender' },
      });
    }
    emit('console:subscribe', from);
    expect(fake.calls).toEqual([]);
    expect(fake.subscribers).toEqual([]);
  });

  it.each([[[]], [[{}, {}]]])('refuses the arguments %j', async (args) => {
    const { webContents } = await run();
    await expect(invoke('console:verb:lock', senderOf(webContents), ...args)).resolves.toMatchObject({
      ok: false,
      failure: { code: 'malformed-request' },
    });
  });

  it('turns a console that throws into a failure', async () => {
    fake.answer = () => Promise.reject(new Error('a secret'));
    const { webContents } = await run();
    const result = await invoke('console:verb:lock', senderOf(webContents), {});
    expect(result).toMatchObject({ ok: false, failure: { code: 'internal' } });
    expect(JSON.stringify(result)).not.toContain('a secret');
  });

  it('pushes to the page that subscribed, and hands on its acknowledgements', async () => {
    const { webContents } = await run();
    const from = senderOf(webContents);
    emit('console:subscribe', from);
    expect(webContents.sent).toEqual([{ channel: 'console:push', args: [snapshot] }]);
    emit('console:link', from, { kind: 'acknowledge', epoch: 'e1', revision: 1 });
    emit('console:link', from, { kind: 'resync' });
    expect(fake.subscribers[0]?.answers).toEqual([
      { kind: 'acknowledge', epoch: 'e1', revision: 1 },
      { kind: 'resync' },
    ]);
    emit('console:unsubscribe', from);
    expect(fake.subscribers[0]?.closed).toBe(true);
  });

  it.each([
    [[{ kind: 'acknowledge', epoch: 'e1' }]],
    [[{ kind: 'acknowledge', epoch: 'x'.repeat(65), revision: 1 }]],
    [[{ kind: 'resync', more: 1 }]],
    [['resync']],
    [[]],
    [[{ kind: 'resync' }, 1]],
  ])('drops the malformed link message %j', async (args: unknown[]) => {
    const { webContents } = await run();
    const from = senderOf(webContents);
    emit('console:subscribe', from);
    emit('console:link', from, ...args);
    expect(fake.subscribers[0]?.answers).toEqual([]);
    expect(log.events()).toContain('malformed-link-message');
  });

  it('keeps one subscription per page, ends it with the document, and sends nothing to the dead', async () => {
    const { webContents } = await run();
    const from = senderOf(webContents);
    emit('console:subscribe', from);
    emit('console:subscribe', from);
    expect(fake.subscribers.map(({ closed }) => closed)).toEqual([true, false]);
    webContents.emit('did-navigate-in-page', {}, 'console://app/#x', true);
    expect(fake.subscribers[1]?.closed).toBe(false);
    expect(webContents.navigate('console://app/')).toBe(true);
    expect(fake.subscribers[1]?.closed).toBe(true);
    const before = webContents.sent.length;
    webContents.destroyed = true;
    fake.subscribers[1]?.send(snapshot);
    expect(webContents.sent).toHaveLength(before);
  });
});
