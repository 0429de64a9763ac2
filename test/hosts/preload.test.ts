import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { verbNames, type PreloadBridge } from '../../src-preload/contract/index.ts';
import { snapshot } from './support/console.ts';

const electron = vi.hoisted(() => ({
  exposed: new Map<string, unknown>(),
  invoked: [] as unknown[][],
  sent: [] as unknown[][],
  listeners: new Map<string, (event: unknown, ...args: unknown[]) => void>(),
}));

vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, value: unknown) => electron.exposed.set(name, value) },
  ipcRenderer: {
    invoke: (...args: unknown[]) => {
      electron.invoked.push(args);
      return Promise.resolve({ ok: true, value: null });
    },
    send: (...args: unknown[]) => electron.sent.push(args),
    on: (channel: string, listener: (event: unknown) => void) => electron.listeners.set(channel, listener),
    off: (channel: string, listener: (event: unknown) => void) => {
      if (electron.listeners.get(channel) === listener) electron.listeners.delete(channel);
    },
  },
}));

const page = new EventTarget();
let bridge: PreloadBridge;

beforeAll(async () => {
  vi.stubGlobal('window', page);
  await import('../../src-preload/index.ts');
  bridge = electron.exposed.get('fieldConsole') as PreloadBridge;
});
beforeEach(() => {
  electron.invoked.length = 0;
  electron.sent.length = 0;
});

describe('the preload', () => {
  it('exposes one global with exactly the bridge, and exactly the verbs', () => {
    expect([...electron.exposed.keys()]).toEqual(['fieldConsole']);
    expect(Object.keys(bridge).sort()).toEqual(['answer', 'raise', 'subscribe', 'verbs']);
    expect(Object.keys(bridge.verbs).sort()).toEqual([...verbNames].sort());
  });

  it('ties each function to its own channel, and passes on one argument', async () => {
    for (const verb of verbNames) {
      const call = bridge.verbs[verb] as unknown as (...args: unknown[]) => Promise<unknown>;
      await call({ a: verb }, 'console:verb:signIn', 'more');
    }
    expect(electron.invoked).toEqual(verbNames.map((verb) => [`console:verb:${verb}`, { a: verb }]));
  });

  it('hands the page the push and not the event, until it unsubscribes', () => {
    const received: unknown[][] = [];
    const stop = bridge.subscribe((...args: unknown[]) => void received.push(args));
    expect(electron.sent).toEqual([['console:subscribe']]);
    electron.listeners.get('console:push')?.({ sender: 'the whole of ipcRenderer' }, snapshot);
    expect(received).toEqual([[snapshot]]);
    stop();
    expect(electron.sent.at(-1)).toEqual(['console:unsubscribe']);
    expect(electron.listeners.size).toBe(0);
  });

  it('asks for its window to be raised', () => {
    bridge.raise();
    expect(electron.sent).toEqual([['console:window', 'raise']]);
  });

  it('tells when the page opens a dialog for a file and when that is answered, and of nothing else', () => {
    const happens = (type: string, target: object): void => {
      const event = new Event(type);
      Object.defineProperty(event, 'target', { value: target });
      page.dispatchEvent(event);
    };
    const chooser = { localName: 'input', type: 'file' };
    for (const [type, target] of [
      ['click', { localName: 'button' }],
      ['click', { localName: 'input', type: 'text' }],
      ['change', { localName: 'input', type: 'text' }],
      ['click', chooser],
      ['change', chooser],
      ['click', chooser],
      ['cancel', chooser],
    ] as const) {
      happens(type, target);
    }
    expect(electron.sent).toEqual([
      ['console:window', 'choosing'],
      ['console:window', 'chosen'],
      ['console:window', 'choosing'],
      ['console:window', 'chosen'],
    ]);
  });

  it('answers on the link channel', () => {
    bridge.answer({ kind: 'resync' });
    expect(electron.sent).toEqual([['console:link', { kind: 'resync' }]]);
  });
});
