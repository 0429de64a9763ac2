import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownArguments } from '../../src-main/hosts/desktop/arguments.ts';
import { prepareDesktop } from '../../src-main/hosts/desktop/host.ts';
import { desktopUnderTest, senderOf, type DesktopUnderTest } from './support/desktopHost.ts';
import { event } from './support/electron.ts';

let electron: DesktopUnderTest['electron'];
let fake: DesktopUnderTest['fake'];
let clock: DesktopUnderTest['clock'];
let options: DesktopUnderTest['options'];
let run: DesktopUnderTest['run'];
let emit: DesktopUnderTest['emit'];
let end: () => Promise<void>;

beforeEach(async () => {
  ({ electron, fake, clock, options, run, emit, end } = await desktopUnderTest());
});
afterEach(() => end());

describe('the start', () => {
  it('sandboxes, registers the scheme and takes the lock before Electron is ready', async () => {
    await run();
    expect(electron.steps).toEqual(['sandbox', 'schemes', 'lock', 'ready']);
    expect(electron.schemes).toEqual([
      expect.objectContaining({
        scheme: 'console',
        privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
      }),
    ]);
    expect(electron.paths.get('userData')).toBe('/profile');
  });

  it('opens one hardened window on the custom protocol, in a session that is not kept', async () => {
    const window = await run();
    expect(electron.windows).toHaveLength(1);
    expect(window.loaded).toEqual(['console://app/']);
    expect(window.options['webPreferences']).toMatchObject({
      preload: '/preload.cjs',
      session: electron.pageSession,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      autoplayPolicy: 'no-user-gesture-required',
      devTools: false,
    });
    expect(electron.partitions[0]?.[0]).not.toMatch(/^persist:/);
  });

  it('allows developer tools only under a development server', async () => {
    const window = await run({ developmentUrl: 'http://localhost:5173/' });
    expect(window.loaded).toEqual(['http://localhost:5173/']);
    expect(window.options['webPreferences']).toMatchObject({ devTools: true, sandbox: true });
  });

  it('says that it is not the first', () => {
    electron.isFirst = false;
    const start = prepareDesktop({ electron: electron.asElectron(), profileFolder: '/p', opened: '/a.json' });
    expect(start.first).toBe(false);
    expect(electron.lockData).toEqual([{ opened: '/a.json' }]);
  });

  it('has a menu with editing roles and without reload or tools', async () => {
    await run();
    const menu = JSON.stringify(electron.menu);
    for (const role of ['copy', 'paste', 'cut', 'undo', 'selectAll']) expect(menu).toContain(`"${role}"`);
    expect(menu).not.toContain('reload');
    expect(menu).not.toContain('toggleDevTools');
  });
});

describe('a second start and files', () => {
  it('brings the window forward and proposes the file handed over', async () => {
    const window = await run();
    window.minimized = true;
    electron.appEvents.emit('second-instance', {}, [], '/', { opened: '/station.json' });
    expect(window.done).toContain('restore');
    expect(window.done).toContain('focus');
    expect(fake.proposed).toEqual(['/station.json']);
  });

  it.each([[{ opened: 7 }], [null], [{ opened: '/a', more: 1 }], ['x']])('ignores %j', async (data) => {
    await run();
    electron.appEvents.emit('second-instance', {}, [], '/', data);
    expect(fake.proposed).toEqual([]);
  });

  it('proposes what was opened before the console existed, and after', async () => {
    const desktop = prepareDesktop({
      electron: electron.asElectron(),
      profileFolder: '/p',
      opened: '/one.json',
    });
    const opening = event({});
    electron.appEvents.emit('open-file', opening, '/two.json');
    expect(opening.prevented).toBe(true);
    await desktop.run({ ...options, platform: 'darwin' });
    expect(fake.proposed).toEqual(['/one.json', '/two.json']);
    electron.appEvents.emit('open-file', event({}), '/three.json');
    expect(fake.proposed).toHaveLength(3);
  });
});

describe('living and ending', () => {
  it('loads a page that died again, three times a minute at most', async () => {
    const window = await run();
    const from = senderOf(window.webContents);
    emit('console:subscribe', from);
    const die = (): void =>
      void window.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
    die();
    expect(fake.subscribers[0]?.closed).toBe(true);
    die();
    die();
    expect(window.loaded).toHaveLength(4);
    die();
    expect(window.loaded).toHaveLength(4);
    expect(electron.errorBoxes).toHaveLength(1);
    clock.advance(60_000);
    die();
    expect(window.loaded).toHaveLength(5);
  });

  it('tells the console of a wake-up', async () => {
    await run();
    electron.power.emit('resume');
    electron.power.emit('unlock-screen');
    expect(fake.wakes).toBe(2);
  });

  it('closes the console once before it ends, and ends even if that hangs', async () => {
    const window = await run();
    window.emit('ready-to-show');
    electron.appEvents.emit('window-all-closed');
    expect(electron.quits).toBe(1);
    const quitting = event({});
    electron.appEvents.emit('will-quit', quitting);
    expect(quitting.prevented).toBe(true);
    await expect.poll(() => electron.exits).toEqual([0]);
    expect(fake.closes).toBe(1);
    expect(electron.handlers.size).toBe(0);
  });

  it('ends even if the console does not let go', async () => {
    fake.close = () => new Promise(() => undefined);
    await run();
    electron.appEvents.emit('will-quit', event({}));
    clock.advance(1_000);
    expect(electron.exits).toEqual([0]);
  });
});

describe('Electron’s arguments', () => {
  it('are the console’s own alone', () => {
    expect(
      ownArguments({
        argv: ['electron', '--inspect=0', 'out/main/desktop.js', '--training'],
        packaged: false,
      }),
    ).toEqual(['--training']);
    expect(
      ownArguments({ argv: ['console', '--ozone-platform=wayland', '/a.json'], packaged: true }),
    ).toEqual(['/a.json']);
  });
});
