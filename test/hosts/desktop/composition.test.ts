import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClock } from '../../../src-main/adapters/clock.ts';
import { takeOwnership } from '../../../src-main/adapters/index.ts';
import type { SelfTestReport } from '../../../src-main/hosts/desktop/selfTest/selfTest.ts';
import type * as Pages from '../../../src-main/hosts/pages.ts';
import type { Push } from '../../../src-preload/contract/index.ts';
import { senderOf } from '../support/desktopHost.ts';
import { FakeElectron } from './fake/electron.ts';
import { event } from './fake/emitter.ts';
import { FakeSafeStorage } from './fake/safeStorage.ts';
import type { FakeWindow } from './fake/window.ts';

const built = vi.hoisted(() => ({ page: '' }));
// The composition looks for the built page beside its own build, which sources have none of.
vi.mock('../../../src-main/hosts/pages.ts', async (original) => {
  const pages = await original<typeof Pages>();
  return { ...pages, openPageFiles: () => pages.openPageFiles({ root: built.page }) };
});

let fake: FakeElectron;
let folder: string;
let said: { out: string; err: string };
const argv = [...process.argv];
const errorTerminal = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
/** Whether standard error is a terminal, which it is not after a double click. */
const setTerminal = (value: boolean | undefined): unknown =>
  Object.defineProperty(process.stderr, 'isTTY', { value, configurable: true });
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let signalled: Map<string, NodeJS.SignalsListener[]>;
const broken = ['uncaughtException', 'unhandledRejection'] as const;
let listening: Map<(typeof broken)[number], NodeJS.UncaughtExceptionListener[]>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'field-console-composed-'));
  // What goes with a process that ends stays in this one, which ends no process.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, folder);
  built.page = join(folder, 'page');
  await mkdir(built.page);
  await writeFile(join(built.page, 'index.html'), '<title>page</title>');
  // What waits for the key store is shown by the test of that; here it would only cost every test its wait.
  fake = new FakeElectron({ keyStoreAnswers: true });
  signalled = new Map(signals.map((name) => [name, process.listeners(name)]));
  listening = new Map(broken.map((name) => [name, process.listeners(name as 'uncaughtException')]));
  Object.defineProperty(process, 'resourcesPath', { value: folder, configurable: true });
  said = { out: '', err: '' };
  setTerminal(undefined);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said.err += String(text)), true));
});
/** What the console under test listens with to what breaks; the test runner has listeners too. */
const breaking = (name: (typeof broken)[number]): readonly ((thrown: unknown) => void)[] =>
  process
    .listeners(name as 'uncaughtException')
    .filter((listener) => listening.get(name)?.includes(listener) !== true)
    .map((listener) => listener as (thrown: unknown) => void);
afterEach(async () => {
  for (const name of signals) {
    for (const listener of process.listeners(name)) {
      if (signalled.get(name)?.includes(listener) !== true) process.off(name, listener);
    }
  }
  for (const name of broken) for (const listener of breaking(name)) process.off(name, listener);
  process.stdout.removeAllListeners('error');
  process.stderr.removeAllListeners('error');
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  if (errorTerminal) Object.defineProperty(process.stderr, 'isTTY', errorTerminal);
  vi.doUnmock('electron');
  vi.resetModules();
  process.argv = [...argv];
  Reflect.deleteProperty(process, 'resourcesPath');
  // What ended a moment ago may still write there.
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

const data = (): string => join(folder, 'data');

/** Starts src-main/desktop.ts as Electron would, with the fake in Electron's place. */
async function start(...args: string[]): Promise<void> {
  process.argv = fake.app.isPackaged ? ['console', ...args] : ['electron', 'out/main/desktop.js', ...args];
  vi.doMock('electron', () => ({ ...fake.asElectron(), default: null }));
  await import('../../../src-main/desktop.ts');
}

/** `why`: what it means when there is none. */
async function shown(why = 'the window'): Promise<FakeWindow> {
  // Sooner than the console gives up waiting for a key store, so that a window that waits for one is no window.
  await expect.poll(() => fake.windows.length, { message: why }).toBe(1);
  const [window] = fake.windows;
  if (window === undefined) throw new Error('No window');
  return window;
}

/** What the page is told first, once it subscribed. */
async function firstPush({ webContents }: FakeWindow): Promise<Push> {
  await expect.poll(() => webContents.sent.length).toBeGreaterThan(0);
  return webContents.sent[0]?.args[0] as Push;
}

const ended = (): Promise<void> => expect.poll(() => fake.app.exits.length).toBe(1);

const page = (map: string | null) => ({
  facts: { userAgent: 'Fake/1', webgl: 'WebGL 2.0', language: 'en', pixelRatio: 1, size: '1440x900' },
  bridge: true,
  map,
});

describe('the desktop console, composed', () => {
  it('starts on an empty data folder, shows its window, serves its page, answers it, and closes', async () => {
    await start('--training', '--data-dir', data());
    const window = await shown();
    window.finishLoad();
    expect(window.visible).toBe(true);
    const answer = await fake.pageSession.fetch('console://app/');
    expect(await answer.text()).toBe('<title>page</title>');
    const from = senderOf(window.webContents);
    fake.tell('console:subscribe', from);
    await expect
      .poll(() => window.webContents.sent[0])
      .toMatchObject({ channel: 'console:push', args: [{ base: null }] });
    await expect(fake.invoke('console:verb:setPreferences', from, { theme: 'night' })).resolves.toMatchObject(
      {
        ok: true,
      },
    );
    await expect(fake.invoke('console:verb:lock', from, {})).resolves.toMatchObject({ ok: false });
    await expect.poll(() => readdir(data())).toContain('device.secret');
    fake.app.quit();
    await ended();
    expect(fake.app.exits).toEqual([0]);
    // The data folder is free again.
    const lock = takeOwnership(data(), { pid: 1, host: 'desktop', startedAt: 0 });
    expect(lock.owned).toBe(true);
    if (lock.owned) lock.release();
    expect(said.out).toBe('');
  });

  it('keeps a kiosk until its administrator leaves it through the page', async () => {
    await start('--training', '--kiosk', '--data-dir', data());
    const window = await shown();
    expect(window.options.kiosk).toBe(true);
    window.close();
    expect(window.destroyed).toBe(false);
    await expect(
      fake.invoke('console:verb:leaveKiosk', senderOf(window.webContents), { code: '' }),
    ).resolves.toMatchObject({ ok: true });
    await ended();
    expect(window.destroyed).toBe(true);
    expect(fake.app.exits).toEqual([0]);
  });

  it('moves data of 0.2 on Windows before it opens a file of it', async () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    vi.stubEnv('APPDATA', join(folder, 'Roaming'));
    vi.stubEnv('LOCALAPPDATA', folder);
    await mkdir(join(folder, 'Roaming', 'Field Console'), { recursive: true });
    await writeFile(join(folder, 'Roaming', 'Field Console', 'device.secret'), 'sealed');
    await start('--training');
    await shown();
    expect(await readdir(join(folder, 'Field Console'))).toEqual(['device.secret', 'training']);
    expect(await readdir(join(folder, 'Roaming'))).toEqual([]);
    fake.app.quit();
    await ended();
  });

  it.each([
    ['nsis', []],
    ['dir', [['field-console', process.execPath, ['--']]]],
  ])('ties links on Windows where the installer did not: %s', async (kind, tied) => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    await writeFile(join(folder, 'install-kind.txt'), `${kind}\nunsigned\n`);
    vi.stubEnv('LOCALAPPDATA', folder);
    fake.app.isPackaged = true;
    await start('--training');
    await shown();
    expect(fake.app.protocols).toEqual(tied);
    fake.app.quit();
    await ended();
  });

  /** Another start has Electron's lock, and says who it is. */
  async function taken(): Promise<void> {
    fake.app.isFirst = false;
    await mkdir(data(), { recursive: true });
    const owner = { pid: process.pid, host: 'desktop', startedAt: 0 };
    await writeFile(join(data(), 'owner.json'), JSON.stringify(owner));
  }

  it('hands over what it opens when another start has the window', async () => {
    await taken();
    await start('--data-dir', data(), 'field-console://open?deployment=a');
    await ended();
    expect(fake.app.exits).toEqual([3]);
    expect(fake.app.lockData).toEqual([{ file: null, link: 'field-console://open?deployment=a' }]);
    expect(said.err).toContain('brought forward');
    expect(fake.errorBoxes).toEqual([]);
  });

  it.each([
    [undefined, ['Another Field Console has this data folder; its window was brought forward.']],
    [true, []],
  ])(
    'says that another start has the window, in a box where there is no terminal: %s',
    async (isTTY, boxes) => {
      setTerminal(isTTY);
      vi.stubEnv('DISPLAY', ':0');
      await taken();
      await start('--data-dir', data());
      await ended();
      vi.unstubAllEnvs();
      expect(fake.errorBoxes).toEqual(boxes);
      expect(fake.app.exits).toEqual([3]);
      expect(said.err).toContain('brought forward');
    },
  );

  it('does not say that there is another start where none is, and is started again (fact 31)', async () => {
    fake.app.lockIsKept = true;
    await mkdir(data(), { recursive: true });
    const owner = { pid: 2_000_000_000, host: 'desktop', startedAt: 0 };
    await writeFile(join(data(), 'owner.json'), JSON.stringify(owner));
    await start('--data-dir', data());
    await ended();
    expect(said.err).toContain(`${join(data(), 'profile')} could not be locked`);
    expect(fake.app.exits).toEqual([1]);
  });

  it('says in a box in the stored language that another start has the window, and in English to a terminal', async () => {
    vi.stubEnv('DISPLAY', ':0');
    await taken();
    await writeFile(join(data(), 'preferences.json'), '{"language":"fr"}');
    await start('--data-dir', data());
    await ended();
    expect(fake.errorBoxes[0]).toContain('sa fenêtre est passée au premier plan');
    expect(said.err).toBe('Another Field Console has this data folder; its window was brought forward.\n');
  });

  it('says in a box why an AppImage without a sandbox does not start', async () => {
    vi.stubEnv('APPIMAGE', '/opt/Field.AppImage');
    vi.stubEnv('DISPLAY', ':0');
    fake.app.isPackaged = true;
    await start('--data-dir', data(), '--no-sandbox');
    await ended();
    vi.unstubAllEnvs();
    expect(fake.errorBoxes).toHaveLength(1);
    expect(fake.errorBoxes[0]).toContain('gives the AppImage no sandbox');
    expect(said.err).toContain('gives the AppImage no sandbox');
    expect(fake.app.exits).toEqual([2]);
    expect(fake.windows).toEqual([]);
  });

  it('says who has the data folder, in a box as there may be no terminal', async () => {
    await mkdir(data(), { recursive: true });
    const lock = takeOwnership(data(), { pid: 1, host: 'desktop', startedAt: 0 });
    await start('--training', '--data-dir', data());
    await ended();
    expect(fake.app.exits).toEqual([3]);
    expect(fake.errorBoxes[0]).toContain(data());
    expect(fake.windows).toEqual([]);
    if (lock.owned) lock.release();
  });

  it('opens the browser host that has the data folder, again', async () => {
    await mkdir(data(), { recursive: true });
    const lock = takeOwnership(data(), { pid: 1, host: 'browser', startedAt: 0 });
    await start('--training', '--data-dir', data());
    await ended();
    expect(fake.app.exits).toEqual([3]);
    expect(fake.opened).toEqual([join(data(), 'launch.html')]);
    if (lock.owned) lock.release();
  });

  it('says why it cannot start', async () => {
    vi.stubEnv('DISPLAY', ':0');
    await writeFile(data(), 'not a folder');
    await start('--training', '--data-dir', data());
    await ended();
    expect(fake.app.exits).toEqual([1]);
    const why = 'cannot be used: it, or a part of its path, is a file.';
    expect(said.err).toContain(why);
    expect(fake.errorBoxes[0]).toContain(why);
    expect(fake.windows).toEqual([]);
    vi.unstubAllEnvs();
  });
});

describe('the parts of the composed console', () => {
  it('load the page again when its process dies, and remember where the window stood', async () => {
    await start('--training', '--data-dir', data());
    const window = await shown();
    window.webContents.die('crashed');
    await expect.poll(() => window.loaded).toEqual(['console://app/', 'console://app/']);
    window.maximize();
    const places = (): Promise<string> => readFile(join(data(), 'windows.json'), 'utf8').catch(() => '');
    await expect.poll(places).toContain('"maximised"');
    fake.app.quit();
    await ended();
  });

  it('show the window while the key store is locked, say so, and make no secret before it opens (fact 22)', async () => {
    fake = new FakeElectron();
    await start('--training', '--data-dir', data());
    const window = await shown('no window before the key store answers');
    window.finishLoad();
    expect(window.visible).toBe(true);
    const from = senderOf(window.webContents);
    fake.tell('console:subscribe', from);
    expect((await firstPush(window)).slices.system?.keyStore).toBe('waiting');
    const facts = { userAgent: 'F/1', webgl: null, language: 'en', pixelRatio: 1, size: '1x1' };
    await expect(fake.invoke('console:verb:readDiagnostics', from, { page: facts })).resolves.toMatchObject({
      ok: true,
    });
    expect(await readdir(data())).not.toContain('device.secret');
    fake.safeStorage.unlock();
    await expect.poll(() => readdir(data())).toContain('device.secret');
    const toldOf = (): unknown =>
      window.webContents.sent.flatMap(({ args }) => (args[0] as Push).slices.system?.keyStore ?? []).at(-1);
    fake.tell('console:link', from, { kind: 'resync' });
    await expect.poll(toldOf).toBe('open');
    fake.app.quit();
    await ended();
  });

  it('know a key store whose prompt was dismissed from a system that has none', async () => {
    fake.safeStorage.dismiss('linux');
    await mkdir(data(), { recursive: true });
    await writeFile(join(data(), 'device.secret'), 'sealed');
    await start('--training', '--data-dir', data());
    const window = await shown();
    const from = senderOf(window.webContents);
    fake.tell('console:subscribe', from);
    await firstPush(window);
    fake.tell('console:link', from, { kind: 'resync' });
    const toldOf = (): unknown =>
      window.webContents.sent.flatMap(({ args }) => (args[0] as Push).slices.system?.keyStore ?? []).at(-1);
    await expect.poll(toldOf).toBe('closed');
    expect(await readFile(join(data(), 'device.secret'), 'utf8')).toBe('sealed');
    fake.app.quit();
    await ended();
  });

  it.each(broken)('end and start again in order when something breaks (fact 14): %s', async (name) => {
    await start('--training', '--data-dir', data());
    const window = await shown();
    const [broke] = breaking(name);
    broke?.(new Error('hunter2'));
    broke?.(new Error('hunter2'));
    await ended();
    expect(fake.app.exits).toEqual([0]);
    expect(fake.app.relaunches).toHaveLength(1);
    expect(window.loaded).toEqual(['console://app/']);
    const lock = takeOwnership(data(), { pid: 1, host: 'desktop', startedAt: 0 });
    expect(lock.owned).toBe(true);
    if (lock.owned) lock.release();
    const log = await readFile(join(data(), 'logs', 'console.log'), 'utf8');
    expect(log.indexOf('"console-open"')).toBeGreaterThan(-1);
    expect(log.indexOf('"console-open"')).toBeLessThan(log.indexOf('"console-broke"'));
    expect(log + said.err + said.out).not.toContain('hunter2');

    vi.resetModules();
    fake = new FakeElectron({ keyStoreAnswers: true });
    await start('--training', '--data-dir', data());
    const next = await shown();
    fake.tell('console:subscribe', senderOf(next.webContents));
    expect((await firstPush(next)).slices.system?.brokeAt).toBeGreaterThan(0);
    const noted = (): Promise<string> => readFile(join(data(), 'recovery.json'), 'utf8');
    await expect.poll(noted).toContain('"brokeAt":null');
    fake.app.quit();
    await ended();
  });

  it('leave with the status that asks for another start where something gives it (fact 18)', async () => {
    await start('--training', '--kiosk', '--supervised', '--data-dir', data());
    await shown();
    for (let times = 0; times < 3; times += 1) {
      fake.app.emit('child-process-gone', event(), { type: 'GPU', reason: 'crashed', exitCode: 1 });
    }
    await ended();
    expect(fake.app.exits).toEqual([75]);
    expect(fake.app.runsAgain(true)).toBe(true);
  });

  it('leave so after a break too (fact 18)', async () => {
    await start('--training', '--supervised', '--data-dir', data());
    await shown();
    breaking('uncaughtException')[0]?.(new Error('x'));
    await ended();
    expect(fake.app.exits).toEqual([75]);
    expect(fake.app.runsAgain(true)).toBe(true);
  });

  it('show the page that says what to do when it broke too often, and end with its window', async () => {
    await mkdir(data(), { recursive: true });
    const now = createClock().wallNow();
    const remembered = { format: 1, relaunches: [now, now, now], gpuOffSince: null };
    await writeFile(join(data(), 'recovery.json'), JSON.stringify(remembered));
    await start('--training', '--data-dir', data());
    const window = await shown();
    breaking('uncaughtException')[0]?.(new Error('x'));
    expect(window.loaded).toEqual(['console://app/', 'console://app/stopped.html']);
    window.close();
    fake.app.quit();
    await ended();
    expect(fake.app.relaunches).toEqual([]);
  });

  it('end a kiosk that broke too often: closed, it could not be left with the code', async () => {
    await mkdir(data(), { recursive: true });
    const now = createClock().wallNow();
    const remembered = { format: 1, relaunches: [now, now, now], gpuOffSince: null };
    await writeFile(join(data(), 'recovery.json'), JSON.stringify(remembered));
    await start('--training', '--kiosk', '--data-dir', data());
    await shown();
    breaking('uncaughtException')[0]?.(new Error('x'));
    await ended();
    expect(fake.app.exits).toEqual([1]);
    expect(fake.errorBoxes).toHaveLength(1);
  });

  it('know the size of the page that the operator chose, from the menu', async () => {
    await start('--training', '--data-dir', data());
    const window = await shown();
    const view = fake.menu?.find(({ label }) => label === 'View')?.submenu;
    const zoomIn = Array.isArray(view) ? view.find(({ label }) => label === 'Zoom in') : undefined;
    Reflect.apply(zoomIn?.click ?? (() => undefined), undefined, []);
    await expect.poll(() => window.webContents.zoom).toBeGreaterThan(1);
    fake.app.quit();
    await ended();
  });

  it('keep dumps of what crashes from before Electron is ready, and say in the diagnostics what is kept', async () => {
    await start('--training', '--data-dir', data());
    const window = await shown();
    expect(fake.crashReports).toEqual([{ uploadToServer: false }]);
    expect(fake.app.steps.indexOf('crash-reporter')).toBeLessThan(fake.app.steps.indexOf('ready'));
    await writeFile(join(data(), 'crashes', 'one.dmp'), 'dump');
    const facts = { userAgent: 'F/1', webgl: null, language: 'en', pixelRatio: 1, size: '1x1' };
    const told = fake.invoke('console:verb:readDiagnostics', senderOf(window.webContents), { page: facts });
    expect(JSON.stringify(await told)).toMatch(/"Crash dumps on this computer","value":"1: 20/);
    fake.app.quit();
    await ended();
  });

  it('have a map after graphics that were lost again and again, and are not restarted for it (fact 29)', async () => {
    await start('--training', '--data-dir', data());
    await shown();
    for (let times = 0; times < 4; times += 1) fake.app.loseGraphics();
    expect(fake.app.givesWebGl).toBe(true);
    expect(fake.app.relaunches).toEqual([]);
    fake.app.quit();
    await ended();
  });

  it('have a map on a computer without a usable graphics processor (fact 4)', async () => {
    await start('--training', '--data-dir', data());
    await shown();
    expect(fake.app.steps.indexOf('switch enable-unsafe-swiftshader')).toBe(0);
    expect(fake.app.steps).toContain('ready');
    expect(fake.app.steps).not.toContain('without-gpu');
    expect(fake.app.getGPUFeatureStatus()).toMatchObject({ webgl: 'enabled', webgl2: 'enabled' });
    fake.app.quit();
    await ended();
  });

  it('start without the graphics processor after it failed too often, until the operator wants it back', async () => {
    await mkdir(data(), { recursive: true });
    const remembered = {
      format: 1,
      relaunches: [],
      gpuOffSince: createClock().wallNow(),
      gpuOffRuntime: process.versions['electron'] ?? 'none',
    };
    await writeFile(join(data(), 'recovery.json'), JSON.stringify(remembered));
    await start('--training', '--data-dir', data());
    const window = await shown();
    // Without the switch there would be no WebGL at all, and no map (fact 4).
    expect(fake.app.steps.slice(0, 3)).toEqual([
      'switch enable-unsafe-swiftshader',
      '3d-stays',
      'without-gpu',
    ]);
    const from = senderOf(window.webContents);
    fake.tell('console:subscribe', from);
    expect((await firstPush(window)).slices.system).toMatchObject({
      gpuOffSince: remembered.gpuOffSince,
      gpuNextStart: false,
    });
    await fake.invoke('console:verb:retryGraphics', from, {});
    const noted = (): Promise<string> => readFile(join(data(), 'recovery.json'), 'utf8');
    await expect.poll(noted).toContain('"gpuOffSince":null');
    fake.app.quit();
    await ended();
  });

  it.each([
    ['', 'process.execPath'],
    ['/opt/Field.AppImage', '/opt/Field.AppImage'],
  ])(
    'start the same program in their own place, out of its AppImage if it has one: %j',
    async (image, path) => {
      vi.stubEnv('APPIMAGE', image);
      await mkdir(data(), { recursive: true });
      await start('--training', '--data-dir', data(), 'field-console://open?deployment=a');
      const { webContents } = await shown();
      for (let times = 0; times < 3; times += 1) {
        fake.app.emit('child-process-gone', event(), { type: 'GPU', reason: 'crashed', exitCode: 1 });
      }
      await expect.poll(() => fake.app.relaunches.length).toBe(1);
      const [asked] = fake.app.relaunches;
      expect(asked?.args).toEqual(['out/main/desktop.js', '--training', '--data-dir', data()]);
      expect(asked?.execPath ?? 'process.execPath').toBe(path);
      await ended();
      // What still happens in the moment before the program ends has no log to go to, and breaks nothing.
      expect(webContents.happens('will-navigate', { url: 'https://evil.example/' })).toBe(true);
      vi.unstubAllEnvs();
    },
  );
});

describe('the name and the folders of the composed console', () => {
  it('are said before anything that belongs to them (fact 21)', async () => {
    await start('--training', '--data-dir', data());
    await shown();
    expect(fake.app.name).toBe('Field Console');
    expect(fake.app.stepsBeforeName).toBe(0);
    expect(fake.app.paths.get('sessionData')).toBe(join(data(), 'profile'));
    fake.safeStorage.unlock();
    await expect.poll(() => readdir(data())).toContain('device.secret');
    expect(fake.app.keyName).toBe('Field Console');
    // The key of what was sealed belongs to that name, not to the one of Electron.
    const { result } = await new FakeSafeStorage('ann', () => 'Field Console').decryptStringAsync(
      await readFile(join(data(), 'device.secret')),
    );
    expect(Buffer.from(result, 'base64')).toHaveLength(32);
    fake.app.quit();
    await ended();
  });

  it.skipIf(process.platform !== 'linux')('are development’s own in development', async () => {
    vi.stubEnv('ELECTRON_RENDERER_URL', 'http://localhost:5173/');
    vi.stubEnv('XDG_DATA_HOME', folder);
    await start('--training');
    await shown();
    expect(fake.app.name).toBe('Field Console Development');
    const own = join(folder, 'field-console', 'training', 'development');
    expect(fake.app.paths.get('userData')).toBe(join(own, 'profile'));
    fake.safeStorage.unlock();
    await expect.poll(() => readdir(own)).toContain('device.secret');
    fake.app.quit();
    await ended();
    vi.unstubAllEnvs();
  });
});

describe('arguments of the composed console', () => {
  it('refuses a switch that opens the shipped program, before anything else', async () => {
    fake.app.isPackaged = true;
    fake.app.switches.add('remote-debugging-port');
    fake.app.switches.add('js-flags');
    await start('--training', '--data-dir', data(), '--remote-debugging-port=9222', '--js-flags=--expose-gc');
    expect(fake.app.exits).toEqual([2]);
    expect(said.err).toBe(
      'The installed Field Console does not start with --remote-debugging-port, --js-flags.\n',
    );
    expect(fake.app.steps).toEqual([]);
    expect([...fake.app.switches]).toEqual([]);
    await expect(readdir(data())).rejects.toThrow('ENOENT');
  });

  it('refuses to run without a sandbox that the environment took away (fact 30)', async () => {
    fake.app.isPackaged = true;
    fake.app.startWithoutSandbox();
    await start('--training', '--data-dir', data());
    expect(fake.app.exits).toEqual([2]);
    expect(said.err).toBe('The installed Field Console does not start with --no-sandbox.\n');
    expect(fake.windows).toEqual([]);
  });

  it.each([
    [['--version'], 0, 'out', /^\d+\.\d+\.\d+\n$/],
    [['--help'], 0, 'out', /--self-test/],
    [['--unheard-of'], 2, 'err', /Unknown option --unheard-of/],
  ] as const)('%s ends at once with %i', async (args, status, where, words) => {
    await start(...args);
    expect(fake.app.exits).toEqual([status]);
    expect(said[where]).toMatch(words);
    expect(fake.app.steps).toEqual([]);
  });
});

describe('--self-test of the composed console', () => {
  const report = (): SelfTestReport => JSON.parse(said.out) as SelfTestReport;

  it('draws the map in a window that takes no keyboard, prints one line, and leaves nothing behind', async () => {
    let looks = 0;
    fake.page = (_script, drawn) => ((looks += 1), page(looks < 3 || !drawn ? null : 'ready'));
    const file = join(folder, 'report.json');
    await start('--self-test-report', file, '--data-dir', data());
    const window = await shown();
    window.finishLoad();
    fake.tell('console:subscribe', senderOf(window.webContents));
    await ended();
    expect(window.done).toEqual(['showInactive']);
    expect(said.out.trim().split('\n')).toHaveLength(1);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    expect(lines.at(-1)).toBe(said.out.trim());
    expect(lines.slice(0, -1).map((line) => JSON.parse(line) as unknown)).toEqual(report().steps);
    expect(report().steps.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(fake.app.exits).toEqual([0]);
    expect(
      report()
        .steps.map(({ id }) => id)
        .slice(0, 4),
    ).toEqual(['page', 'bridge', 'sign-in', 'map']);
    expect(report().steps.length).toBeGreaterThan(4);
    await expect(readdir(data())).rejects.toThrow('ENOENT');
    const [push] = window.webContents.sent[0]?.args as [Push];
    const password = push.slices.training?.credentials.password ?? '';
    expect(password).not.toBe('');
    expect(said.out).not.toContain(password);
  });
});

describe('the address of a development server', () => {
  it.each([
    [false, '<title>sources</title>'],
    [true, '<title>page</title>'],
  ])('is taken from the environment only unpacked: packaged %s', async (packaged, text) => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<title>sources</title>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    vi.stubEnv('ELECTRON_RENDERER_URL', `http://127.0.0.1:${String(port)}`);
    fake.app.isPackaged = packaged;
    await start('--training', '--data-dir', data());
    const window = await shown();
    expect(window.loaded).toEqual(['console://app/']);
    expect(window.options.webPreferences?.devTools).toBe(!packaged);
    const answer = await fake.pageSession.fetch('console://app/');
    expect(await answer.text()).toBe(text);
    fake.app.quit();
    await ended();
    server.close();
    vi.unstubAllEnvs();
  });
});
