import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noPolicy } from '../../../src-main/core/features/policy/policy.ts';
import type { Attachment } from '../../../src-main/hosts/desktop/attachment.ts';
import { prepareDesktop } from '../../../src-main/hosts/desktop/host.ts';
import { hostFailure } from '../../../src-main/hosts/failures.ts';
import { desktopUnderTest, senderOf, type DesktopUnderTest } from '../support/desktopHost.ts';

let desktop: DesktopUnderTest;

beforeEach(async () => {
  desktop = await desktopUnderTest();
});
afterEach(() => desktop.end());

const nothing = { file: null, link: null };

describe('the start', () => {
  it('sandboxes, registers the scheme and takes the lock before Electron is ready', async () => {
    const { electron, run } = desktop;
    await run();
    expect(electron.app.steps.slice(0, 4)).toEqual(['sandbox', 'schemes', 'lock', 'ready']);
    expect(electron.schemes).toEqual([
      {
        scheme: 'console',
        privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
      },
    ]);
    expect(electron.app.paths.get('userData')).toBe('/profile');
    expect(electron.app.paths.get('sessionData')).toBe('/profile');
  });

  it('opens one window on the custom protocol, and shows it when it is loaded', async () => {
    const { electron, run } = desktop;
    const window = await run();
    expect(electron.windows).toHaveLength(1);
    expect(window.loaded).toEqual(['console://app/']);
    expect(window.options.webPreferences?.preload).toBe('/preload.cjs');
    expect(electron.partitions).toEqual([['persist:console', { cache: false }]]);
    expect(window.visible).toBe(false);
    window.finishLoad();
    expect(window.visible).toBe(true);
  });

  it('puts the window where it was left, and takes nothing else from there', async () => {
    const bounds = { x: 10, y: 20, width: 1000, height: 700, fullscreen: true, show: true, kiosk: true };
    const { options } = await desktop.run({ bounds });
    expect(options).toMatchObject({ x: 10, y: 20, width: 1000, height: 700, fullscreen: true, show: false });
    expect(options.kiosk).toBeUndefined();
  });

  it.each([[{ width: 1000, height: 700 }], [{ x: 5, width: 1000, height: 700 }]])(
    'lets the system place a window that was left at %j',
    async (bounds) => {
      const { options } = await desktop.run({ bounds });
      expect(options).toMatchObject({ width: 1000, height: 700 });
      expect(options.x).toBeUndefined();
    },
  );

  it('has a usual size when only a place is known', async () => {
    expect((await desktop.run({ bounds: { x: 1, y: 2 } })).options).toMatchObject({
      x: 1,
      y: 2,
      width: 1440,
      height: 900,
    });
  });

  it('says that it is not the first, and hands over what it was to open', () => {
    const { electron } = desktop;
    electron.app.isFirst = false;
    const start = prepareDesktop({
      electron: electron.asElectron(),
      profileFolder: '/p',
      opened: { file: '/a.json', link: null },
    });
    expect(start.first).toBe(false);
    expect(electron.app.lockData).toEqual([{ file: '/a.json', link: null }]);
  });

  it('has a menu with editing roles and without reload or tools', async () => {
    await desktop.run();
    const menu = JSON.stringify(desktop.electron.menu);
    for (const role of ['copy', 'paste', 'cut', 'undo', 'selectAll']) expect(menu).toContain(`"${role}"`);
    expect(menu).not.toContain('eload');
    expect(menu).not.toContain('toggleDevTools');
  });

  it('has the usual application menu on a Mac', async () => {
    await desktop.run({ platform: 'darwin' });
    const [first] = desktop.electron.menu ?? [];
    const roles = Array.isArray(first?.submenu) ? first.submenu.flatMap(({ role }) => role ?? []) : [];
    expect(roles).toEqual(['about', 'services', 'hide', 'hideOthers', 'unhide']);
  });

  it('says in its menu which version it is', async () => {
    await desktop.run();
    expect(JSON.stringify(desktop.electron.menu?.[0])).toContain('"about"');
    expect(desktop.electron.app.about).toEqual({
      applicationName: 'Field Console',
      applicationVersion: desktop.electron.app.version,
      copyright: 'Field Console contributors, Apache-2.0',
    });
  });

  it('has developer tools in development only, at its usual address', async () => {
    const window = await desktop.run({ hotReload: 'ws://localhost:5173' });
    expect(window.loaded).toEqual(['console://app/']);
    expect(window.options.webPreferences).toMatchObject({ devTools: true, sandbox: true });
    expect(JSON.stringify(desktop.electron.menu)).toContain('toggleDevTools');
  });

  it('says so when the page cannot be loaded, and stays', async () => {
    const window = await desktop.run();
    for (const reason of [new Error('ERR_FAILED'), 'gone']) {
      window.loads = () => Promise.reject(reason);
      desktop.shown().load();
    }
    await expect.poll(() => desktop.log.events()).toEqual(['page-not-loaded', 'page-not-loaded']);
  });
});

describe('a second start, files and links', () => {
  it('brings the window forward and opens the file and the link handed over', async () => {
    const { electron, fake, run } = desktop;
    const window = await run();
    window.minimized = true;
    electron.app.emit('second-instance', {}, [], '/', {
      file: '/station.json',
      link: 'field-console://open?d=1',
    });
    expect(window.done).toContain('restore');
    expect(window.done).toContain('focus');
    expect(fake.files).toEqual(['/station.json']);
    expect(fake.links).toEqual(['field-console://open?d=1']);
  });

  it.each([
    [{ file: 7, link: null }],
    [null],
    [{ file: '/a', link: null, more: 1 }],
    ['x'],
    [{ file: null, link: 'https://evil.example/' }],
    [{ file: null, link: `field-console://${'x'.repeat(2_048)}` }],
    [{ file: `/${'x'.repeat(4_096)}`, link: null }],
    [nothing],
  ])('opens nothing for %j', async (data) => {
    const { electron, fake, run } = desktop;
    await run();
    electron.app.emit('second-instance', {}, ['--evil', '/other.json'], '/', data);
    expect(fake.files).toEqual([]);
    expect(fake.links).toEqual([]);
  });

  it('opens what came before the console existed, and after', async () => {
    const { electron, fake, options } = desktop;
    const start = prepareDesktop({
      electron: electron.asElectron(),
      profileFolder: '/p',
      opened: { file: '/one.json', link: null },
    });
    expect(electron.app.happens('open-file', {}, '/two.json')).toBe(true);
    expect(electron.app.happens('open-url', {}, 'field-console://open/a')).toBe(true);
    expect(electron.app.happens('open-url', {}, 'file:///etc/passwd')).toBe(true);
    await start.run({ ...options, platform: 'darwin' });
    expect(fake.files).toEqual(['/one.json', '/two.json']);
    electron.app.happens('open-file', {}, '/three.pmtiles');
    electron.app.happens('open-url', {}, 'field-console://open/b');
    expect(fake.files).toHaveLength(3);
    expect(fake.links).toEqual(['field-console://open/a', 'field-console://open/b']);
  });

  it('opens what other starts hand over while this one is still opening its data (fact 19)', async () => {
    const { electron, fake, options } = desktop;
    electron.app.otherStarts.push(
      { file: '/early.json', link: null },
      { file: null, link: 'field-console://open/a' },
      { file: '/evil.json' },
    );
    const start = prepareDesktop({ electron: electron.asElectron(), profileFolder: '/p', opened: nothing });
    expect(electron.app.unheard).toBe(0);
    await start.run(options);
    expect(fake.files).toEqual(['/early.json']);
    expect(fake.links).toEqual(['field-console://open/a']);
  });

  it('says in the log when the console does not take what was opened', async () => {
    const { fake, log, run } = desktop;
    const failure = hostFailure('internal', 0);
    fake.openFile = () => Promise.resolve({ ok: false, failure });
    await run({}, { file: '/a.json' });
    await expect
      .poll(() => log.entries)
      .toEqual([{ event: 'opening-refused', fields: { what: 'file', code: 'internal' } }]);
  });

  it('ties links where no installer did, behind `--`, and not to a kiosk or a self-test', async () => {
    const { electron, run } = desktop;
    await run();
    await run({ tiesLinks: true, policy: { ...noPolicy, kiosk: 'operator' } }).catch(() => undefined);
    expect(electron.app.protocols).toEqual([]);
    for (const [selfTest, tied] of [
      [true, []],
      [false, [['field-console', process.execPath, ['--']]]],
    ] as const) {
      const other = await desktopUnderTest();
      await other.run({ tiesLinks: true, selfTest });
      expect(other.electron.app.protocols).toEqual(tied);
      await other.end();
    }
  });

  it('comes forward when a Mac’s dock asks for it, as long as there is a window', async () => {
    const window = await desktop.run();
    desktop.electron.app.emit('activate', {}, false);
    expect(window.done).toEqual(['show', 'focus']);
    window.destroyed = true;
    desktop.electron.app.emit('activate', {}, false);
    expect(window.done).toHaveLength(2);
  });
});

describe('parts that hang on to the window', () => {
  it('see the window, load its pages, and hear of its traffic until they stop', async () => {
    const heard: string[] = [];
    let stop = (): void => undefined;
    let closed = 0;
    const part: Attachment = ({ onTraffic }) => {
      stop = onTraffic({ sent: () => heard.push('sent'), answered: () => heard.push('answered') });
      return { close: () => (closed += 1) };
    };
    const { electron, shown, run } = desktop;
    const window = await run({ attachments: [part] });
    const from = senderOf(window.webContents);
    electron.tell('console:subscribe', from);
    electron.tell('console:link', from, { kind: 'resync' });
    expect(heard).toEqual(['sent', 'answered']);
    stop();
    electron.tell('console:link', from, { kind: 'resync' });
    expect(heard).toHaveLength(2);
    shown().load('/stopped.html');
    shown().load();
    expect(window.loaded.slice(1)).toEqual(['console://app/stopped.html', 'console://app/']);
    electron.app.quit();
    await expect.poll(() => electron.app.exits).toEqual([0]);
    expect(closed).toBe(1);
  });

  it('ends the page’s subscription when its process dies', async () => {
    const { electron, fake, run } = desktop;
    const { webContents } = await run();
    electron.tell('console:subscribe', senderOf(webContents));
    webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
    expect(fake.subscribers[0]?.closed).toBe(true);
  });
});

describe('living and ending', () => {
  it('tells the console of a wake-up', async () => {
    await desktop.run();
    desktop.electron.power.emit('resume');
    desktop.electron.power.emit('unlock-screen');
    expect(desktop.fake.wakes).toBe(2);
  });

  it('quits with its last window', async () => {
    await desktop.run();
    desktop.electron.app.emit('window-all-closed');
    expect(desktop.electron.app.quits).toBe(1);
  });

  it('closes the console once before it ends', async () => {
    const { electron, fake, run } = desktop;
    await run();
    electron.app.quit();
    await expect.poll(() => electron.app.exits).toEqual([0]);
    expect(fake.closes).toBe(1);
  });

  it('leaves a page that is still there without answers, which would be failures', async () => {
    const { electron, fake, run } = desktop;
    const from = senderOf((await run()).webContents);
    electron.app.quit();
    await expect.poll(() => electron.app.exits).toEqual([0]);
    let settled = false;
    void Promise.resolve(electron.invoke('console:verb:lock', from, {})).finally(() => (settled = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(false);
    expect(fake.calls).toEqual([]);
  });

  it('ends even if the console does not let go', async () => {
    desktop.fake.close = () => new Promise(() => undefined);
    await desktop.run();
    desktop.electron.app.quit();
    desktop.clock.advance(4_999);
    expect(desktop.electron.app.exits).toEqual([]);
    desktop.clock.advance(1);
    expect(desktop.electron.app.exits).toEqual([0]);
  });

  it.each([[new Error('disk full')], ['no reason']])(
    'ends even if the console fails to close: %s',
    async (why) => {
      desktop.fake.close = () => Promise.reject(why);
      await desktop.run();
      desktop.electron.app.quit();
      await expect.poll(() => desktop.electron.app.exits).toEqual([0]);
      expect(desktop.log.events()).toContain('close-failed');
    },
  );
});
