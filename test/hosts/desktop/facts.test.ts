import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noPolicy } from '../../../src-main/core/features/policy/policy.ts';
import { defaultPreferences } from '../../../src-main/core/features/preferences/preferences.ts';
import { verbNames, type Push, type Verbs } from '../../../src-preload/contract/index.ts';
import { preloadBridge } from '../../../src-renderer/base/bridge/open.ts';
import { snapshot } from '../support/console.ts';
import { desktopUnderTest, senderOf, type DesktopUnderTest } from '../support/desktopHost.ts';
import { innerFrame } from './fake/contents.ts';
import { event } from './fake/emitter.ts';
import type { FakeWindow } from './fake/window.ts';

let desktop: DesktopUnderTest;

beforeEach(async () => {
  desktop = await desktopUnderTest();
});
afterEach(() => desktop.end());

describe('full screen (fact 5)', () => {
  it.each([[null], [{ x: 1, y: 2, width: 900, height: 700 }], [{ width: 900, height: 700 }]])(
    'can be had later by a window that was left at %j',
    async (bounds) => {
      const window = await desktop.run({ bounds, platform: 'darwin' });
      expect(window.options).not.toHaveProperty('fullscreen');
      window.setFullScreen(true);
      expect(window.isFullScreen()).toBe(true);
    },
  );

  it('can be had later by a second window', async () => {
    await desktop.run();
    desktop.shown().openSecond('map', { x: 0, y: 0, width: 700, height: 500 });
    const second = desktop.electron.windows[1];
    second?.setFullScreen(true);
    expect(second?.isFullScreen()).toBe(true);
  });
});

describe('a navigation that is denied (fact 6)', () => {
  it('leaves the page its subscription, as its document stays', async () => {
    const { webContents } = await desktop.run();
    desktop.electron.tell('console:subscribe', senderOf(webContents));
    expect(webContents.navigate('https://evil.example/')).toBe(false);
    expect(desktop.fake.subscribers[0]?.closed).toBe(false);
    expect(webContents.navigate('console://app/')).toBe(true);
    expect(desktop.fake.subscribers[0]?.closed).toBe(true);
  });
});

describe('the size of the page (fact 9)', () => {
  const firstPaint = async (change: Parameters<DesktopUnderTest['run']>[0] = {}): Promise<number | null> => {
    desktop.fake.tell('preferences', { ...defaultPreferences, zoom: 1.5 });
    const window = await desktop.run(change);
    window.show();
    window.layOut();
    return window.webContents.firstPaintZoom;
  };

  it('is the preferred one from the first paint', async () => {
    expect(await firstPaint()).toBe(1.5);
  });

  it('is the preferred one in a second window too', async () => {
    await firstPaint();
    desktop.shown().openSecond('list', null);
    const second = desktop.electron.windows[1];
    second?.show();
    second?.layOut();
    expect(second?.webContents.firstPaintZoom).toBe(1.5);
  });

  it('is the page’s own in a kiosk, where nothing changes it', async () => {
    expect(await firstPaint({ policy: { ...noPolicy, kiosk: 'operator' } })).toBe(1);
  });
});

describe('frames (fact 12)', () => {
  it('are compared by token and process, as no two events bring the same object', async () => {
    const { webContents } = await desktop.run();
    expect(webContents.mainFrame).not.toBe(webContents.mainFrame);
    await expect(
      desktop.electron.invoke('console:verb:lock', senderOf(webContents), {}),
    ).resolves.toMatchObject({ ok: true });
  });
});

describe('compiled code (fact 13)', () => {
  it('is kept, and nothing else that the page could have left', async () => {
    await desktop.run();
    expect(desktop.electron.keepsCode).toBe(true);
    expect(desktop.electron.partitions).toEqual([['persist:console', { cache: false }]]);
  });

  it('of shaders is kept when storage is cleared at the start (fact 33)', async () => {
    await desktop.run();
    expect(desktop.electron.pageSession.cleared).toHaveLength(1);
    expect(desktop.electron.pageSession.shaders).toBe(true);
  });
});

describe('what goes wrong in the page (fact 3)', () => {
  const says = (window: FakeWindow, level: string, message: string): void =>
    void window.webContents.emit(
      'console-message',
      event({ level, message, lineNumber: 12, sourceId: 'console://app/assets/index-a1.js?user=ada' }),
    );

  it('is logged by its kind and place, without its words', async () => {
    const window = await desktop.run();
    says(window, 'error', 'Uncaught TypeError: hunter2 is not a function');
    says(window, 'error', 'Refused to load hunter2');
    says(window, 'warning', 'hunter2');
    says(window, 'info', 'hunter2');
    expect(desktop.log.entries).toEqual([
      {
        event: 'page-console',
        fields: { form: 'window', kind: 'TypeError', source: '/assets/index-a1.js', line: 12 },
      },
      {
        event: 'page-console',
        fields: { form: 'window', kind: 'other', source: '/assets/index-a1.js', line: 12 },
      },
    ]);
  });

  it('does not fill the log: so many lines for each document', async () => {
    const window = await desktop.run();
    for (let times = 0; times < 100; times += 1) says(window, 'error', 'x');
    expect(desktop.log.entries).toHaveLength(20);
    window.webContents.navigate('console://app/');
    says(window, 'error', 'x');
    expect(desktop.log.entries).toHaveLength(21);
  });
});

describe('the end', () => {
  /** A console that closes when it is told to. */
  async function running(change: Parameters<DesktopUnderTest['run']>[0] = {}) {
    let closed = (): void => undefined;
    desktop.fake.close = () => {
      desktop.fake.closes += 1;
      return new Promise((done) => (closed = done));
    };
    const window = await desktop.run(change);
    return { window, closed: () => closed() };
  }

  it('is not cut short by a second quit while the first is closing (fact 15)', async () => {
    const { closed } = await running();
    const { app } = desktop.electron;
    app.quit();
    app.quit();
    expect(app.exits).toEqual([]);
    closed();
    await expect.poll(() => app.exits).toEqual([0]);
    expect(desktop.fake.closes).toBe(1);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'is not cut short by a second %s while the first is closing (fact 17)',
    async (signal) => {
      const { closed } = await running();
      const { app } = desktop.electron;
      app.signal(signal);
      app.signal(signal);
      expect(app.killed).toBeNull();
      expect(desktop.fake.closes).toBe(1);
      closed();
      await expect.poll(() => app.exits).toEqual([0]);
    },
  );

  it.each([['off'], ['operator']] as const)(
    'does not begin when the end of a Windows session is called off: kiosk %s (fact 16)',
    async (kiosk) => {
      const window = await desktop.run({ platform: 'win32', policy: { ...noPolicy, kiosk } });
      await desktop.electron.app.endSession(window, { cancelled: true });
      expect(desktop.fake.closes).toBe(0);
      expect(desktop.electron.app.exits).toEqual([]);
      window.close();
      expect(window.destroyed).toBe(kiosk === 'off');
    },
  );

  it.each([
    [true, [75]],
    [false, []],
  ])(
    'asks a service manager for another start where the display or a bus is lost: supervised %s (fact 28)',
    async (supervised, exits) => {
      await running({ supervised });
      desktop.electron.app.loseSession();
      expect(desktop.fake.closes).toBe(1);
      expect(desktop.electron.app.exits).toEqual(exits);
    },
  );

  it('destroys windows without asking them, and is not begun a second time by that (fact 28)', async () => {
    const { window, closed } = await running();
    desktop.electron.app.quit();
    closed();
    await expect.poll(() => desktop.electron.app.exits).toEqual([0]);
    expect(window.destroyed).toBe(true);
    expect(desktop.fake.closes).toBe(1);
  });

  it('holds Windows up while threads write, and ends nothing later than that (fact 16)', async () => {
    const { window } = await running({ platform: 'win32' });
    await desktop.electron.app.endSession(window);
    expect(desktop.fake.closes).toBe(1);
    // Electron ends the process inside this event unless it is quitting already.
    expect(desktop.electron.app.quits).toBe(1);
    expect(desktop.electron.app.sleeps).toEqual([1_500]);
  });
});

describe('a click on a notification (fact 8)', () => {
  it('raises the window of the page that showed it', async () => {
    const window = await desktop.run();
    const from = senderOf(window.webContents);
    window.minimized = true;
    window.focused = false;
    window.focusFromPage();
    expect(window.focused).toBe(false);
    desktop.electron.tell('console:window', from, 'raise');
    expect(window).toMatchObject({ minimized: false, visible: true, focused: true });
    desktop.shown().openSecond('map', null);
    const second = desktop.electron.windows[1];
    if (second === undefined) throw new Error('No second window');
    second.focused = false;
    desktop.electron.tell('console:window', senderOf(second.webContents), 'raise');
    expect(second.focused).toBe(true);
  });

  it.each([['open'], [{ kind: 'raise' }], [undefined]])('and no other word does: %j', async (word) => {
    const window = await desktop.run();
    desktop.electron.tell('console:window', senderOf(window.webContents), word);
    desktop.electron.tell('console:window', senderOf(window.webContents, innerFrame()), 'raise');
    expect(window.done).toEqual([]);
    expect(desktop.log.events()).toEqual(['malformed-window-message', 'foreign-sender']);
  });
});

describe('what a page sends (fact 11)', () => {
  it.each(verbNames)('arrives cloned and frozen, and never as a proxy: %s', async (verb) => {
    const { webContents } = await desktop.run();
    const from = senderOf(webContents);
    const request = { a: [{ b: 1 }] };
    await expect(desktop.electron.invoke(`console:verb:${verb}`, from, request)).resolves.toMatchObject({
      ok: true,
    });
    const taken = desktop.fake.calls[0]?.request;
    expect(taken).toEqual(request);
    expect(taken).not.toBe(request);
    expect(() => desktop.electron.invoke(`console:verb:${verb}`, from, { a: new Proxy({}, {}) })).toThrow(
      'could not be cloned',
    );
  });
});

describe('what a page is answered (fact 11)', () => {
  it('is a copy of the console’s own, and never a proxy of it', async () => {
    const { webContents } = await desktop.run();
    const own = { a: [{ b: 1 }] };
    const ask = (value: unknown): unknown => {
      desktop.fake.answer = () => Promise.resolve({ ok: true, value });
      return desktop.electron.invoke('console:verb:readAudit', senderOf(webContents), {});
    };
    const { value } = (await ask(own)) as { value: unknown };
    expect(value).toEqual(own);
    expect(value).not.toBe(own);
    await expect(ask({ a: new Proxy({}, {}) })).rejects.toThrow('could not be cloned');
  });
});

describe('what a page is pushed (fact 11)', () => {
  it('goes as one array when it is large, and as it is when it is small', async () => {
    const { webContents } = await desktop.run();
    desktop.electron.tell('console:subscribe', senderOf(webContents));
    const [subscriber] = desktop.fake.subscribers;
    const large: Push = { ...snapshot, incidents: new Uint8Array(200_000).fill(7) };
    subscriber?.send(large);
    const [small, sent] = webContents.sent.map(({ args }) => args[0]);
    expect(small).toEqual(snapshot);
    expect(sent).toBeInstanceOf(Uint8Array);
    const bytes = sent as Uint8Array;
    // A view of a larger buffer would take all of that buffer along.
    expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
    const received: Push[] = [];
    const stop = preloadBridge({
      verbs: {} as Verbs,
      subscribe: (listener) => {
        listener(structuredClone(bytes));
        listener(snapshot);
        return () => undefined;
      },
      answer: () => undefined,
      raise: () => undefined,
    }).subscribe((push) => void received.push(push));
    stop();
    expect(received).toEqual([large, snapshot]);
  });
});
