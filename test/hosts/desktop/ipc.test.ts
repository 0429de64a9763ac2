import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isPlain } from '../../../src-main/hosts/desktop/registrar.ts';
import { largestMessage, verbNames } from '../../../src-preload/contract/index.ts';
import { snapshot } from '../support/console.ts';
import { desktopUnderTest, senderOf, type DesktopUnderTest } from '../support/desktopHost.ts';
import { innerFrame } from './fake/contents.ts';
import type { FakeWindow } from './fake/window.ts';

let desktop: DesktopUnderTest;
let window: FakeWindow;

beforeEach(async () => {
  // Most of it cannot cross the bridge at all: this is what the host makes of it if it could.
  desktop = await desktopUnderTest({ objectsCrossAsTheyAre: true });
  window = await desktop.run();
});
afterEach(() => desktop.end());

/** Values that a page that was taken over might send, or that a mistake might. */
const hostile = (): [name: string, value: unknown][] => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  let deep: unknown = 0;
  for (let depth = 0; depth < 40; depth += 1) deep = [deep];
  class Made {
    at = 1;
  }
  return [
    ['a prototype named in JSON', JSON.parse('{"__proto__": {"admin": true}}')],
    ['a prototype deep inside', { a: [JSON.parse('{"__proto__": {}}')] }],
    ['another prototype', Object.create({ admin: true })],
    ['an instance of a class', new Made()],
    ['a list with another prototype', Object.setPrototypeOf([], { length: 1 })],
    [
      'a getter',
      {
        get key() {
          throw new Error('It was run');
        },
      },
    ],
    ['a setter', Object.defineProperty({}, 'key', { set: () => undefined, enumerable: true })],
    [
      'a hidden getter',
      Object.defineProperty({}, 'key', {
        get: () => {
          throw new Error('It was run');
        },
      }),
    ],
    ['a function', { run: () => 1 }],
    ['a symbol', { [Symbol('x')]: 1 }],
    ['a symbol as a value', { x: Symbol('x') }],
    ['a large integer', { x: 1n }],
    ['a cycle', cycle],
    ['too deep a value', deep],
    ['a map', new Map([['a', 1]])],
    ['a date', { at: new Date(0) }],
    ['an error', new Error('x')],
    ['bytes', new Uint8Array(4)],
    ['a promise', Promise.resolve(1)],
    ['too long a text', { text: 'x'.repeat(largestMessage + 1) }],
    ['too long a text in many bytes', { text: '€'.repeat(largestMessage / 2) }],
    ['too long a name', { ['x'.repeat(largestMessage)]: 1 }],
    ['too many small things', Array.from({ length: largestMessage / 8 }, () => 1)],
    ['an empty list of any length', new Array(4_000_000_000)],
    ['a list with a name', Object.assign([1], { more: () => 1 })],
  ];
};

describe('arguments that no page of the console sends', () => {
  it.each(hostile())('%s: refused, and the console never sees it', async (_name, value) => {
    const { electron, fake } = desktop;
    const from = senderOf(window.webContents);
    await expect(electron.invoke('console:verb:setPreferences', from, value)).resolves.toMatchObject({
      ok: false,
      failure: { code: 'malformed-request' },
    });
    expect(fake.calls).toEqual([]);
    electron.tell('console:subscribe', from);
    electron.tell('console:link', from, value);
    expect(fake.subscribers[0]?.answers).toEqual([]);
  });

  it('names channels that nobody has: nothing listens there', () => {
    const { electron, fake } = desktop;
    const from = senderOf(window.webContents);
    for (const channel of [
      'console:verb:__proto__',
      'console:verb:constructor',
      'console:verb:close',
      'console:verb:openFile',
      'console:verb:',
      'console:push',
      'ELECTRON_BROWSER_REQUIRE',
    ]) {
      expect(electron.invoke(channel, from, {})).toBeUndefined();
      electron.tell(channel, from, {});
    }
    expect(fake.calls).toEqual([]);
    expect(fake.subscribers).toEqual([]);
  });

  it('tells after its frame has gone, from a frame inside, or from another page', async () => {
    const { electron, fake, log } = desktop;
    const { webContents } = window;
    for (const frame of [null, innerFrame()]) {
      const from = senderOf(webContents, frame);
      for (const verb of verbNames) {
        await expect(electron.invoke(`console:verb:${verb}`, from, {})).resolves.toMatchObject({
          failure: { code: 'foreign-sender' },
        });
      }
      for (const channel of ['console:subscribe', 'console:link', 'console:unsubscribe']) {
        electron.tell(channel, from, { kind: 'resync' });
      }
    }
    expect(fake.calls).toEqual([]);
    expect(fake.subscribers).toEqual([]);
    expect(log.entries.filter(({ event }) => event === 'foreign-sender')).toHaveLength(
      2 * verbNames.length + 6,
    );
  });

  it('tells a page that crashed nothing more', () => {
    const { electron, fake } = desktop;
    const { webContents } = window;
    electron.tell('console:subscribe', senderOf(webContents));
    webContents.crashed = true;
    const before = webContents.sent.length;
    fake.subscribers[0]?.send(snapshot);
    expect(webContents.sent).toHaveLength(before);
  });

  it('breaks a console with something that is no error: the page learns nothing of it', async () => {
    desktop.fake.answer = () => Promise.reject('a secret');
    const result = await desktop.electron.invoke('console:verb:lock', senderOf(window.webContents), {});
    expect(JSON.stringify(result)).not.toContain('a secret');
    expect(JSON.stringify(desktop.log.entries)).not.toContain('a secret');
  });
});

describe('plain values', () => {
  it.each([
    [{}],
    [null],
    [undefined],
    ['text'],
    [3],
    [true],
    [[1, [2, { a: null }]]],
    [{ a: { b: { c: ['x', undefined] } } }],
    [Object.create(null)],
    [{ text: 'x'.repeat(500_000) }],
  ])('%j passes', (value) => {
    expect(isPlain(value)).toBe(true);
  });
});
