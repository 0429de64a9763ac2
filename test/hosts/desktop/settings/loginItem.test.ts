import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  autostartEntry,
  autostartPath,
  createSettingsControl,
  execValue,
  startsProgram,
} from '../../../../src-main/hosts/desktop/settings/loginItem.ts';
import { isRoot, temporaryFolder } from '../../../adapters/support.ts';
import { createRecordingLogger } from '../../../support/ports.ts';
import { FakeLoginItems } from '../fake/loginItems.ts';

interface Given {
  readonly platform?: NodeJS.Platform;
  readonly kiosk?: boolean;
  readonly packaged?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly execPath?: string;
  readonly home?: string;
}
function controlled(given: Given = {}) {
  const app = new FakeLoginItems();
  app.isPackaged = given.packaged ?? true;
  const logger = createRecordingLogger();
  const control = createSettingsControl({
    app,
    platform: given.platform ?? 'linux',
    env: given.env ?? {},
    home: given.home ?? '/nowhere',
    execPath: given.execPath ?? '/opt/Field Console/field-console',
    kiosk: given.kiosk ?? false,
    logger,
  });
  return { app, control, logger };
}

test.each(['darwin', 'win32'] as const)('on %s the system is told and asked', async (platform) => {
  const { app, control } = controlled({ platform });
  expect(await control.startsAtLogin()).toBe(false);
  expect(await control.setStartAtLogin(true)).toBe(true);
  expect(await control.startsAtLogin()).toBe(true);
  expect(app.asked).toEqual([{ openAtLogin: true }]);
  expect(await control.setStartAtLogin(false)).toBe(true);
  expect(await control.startsAtLogin()).toBe(false);
});

test('what was switched off in Windows’ own list does not start, and can be switched on again', async () => {
  const { app, control } = controlled({ platform: 'win32' });
  await control.setStartAtLogin(true);
  app.vetoed = true;
  expect(await control.startsAtLogin()).toBe(false);
  expect(await control.setStartAtLogin(true)).toBe(true);
  expect(await control.startsAtLogin()).toBe(true);
});

test('a system that does not take it is not said to have', async () => {
  const { app, control, logger } = controlled({ platform: 'darwin' });
  app.refuses = 'silently';
  expect(await control.setStartAtLogin(true)).toBe(false);
  app.refuses = 'throws';
  expect(await control.setStartAtLogin(true)).toBe(false);
  expect(await control.startsAtLogin()).toBeNull();
  expect(logger.lines.map(({ event }) => event)).toEqual(['login-item-failed', 'login-item-failed']);
});

test('on Linux an entry starts the program; without it nothing does', async () => {
  const home = await temporaryFolder();
  const { control } = controlled({ home });
  expect(await control.startsAtLogin()).toBe(false);
  expect(await control.setStartAtLogin(true)).toBe(true);
  expect(await control.startsAtLogin()).toBe(true);
  const folder = join(home, '.config', 'autostart');
  expect(await readdir(folder)).toEqual(['field-console.desktop']);
  expect(await readFile(join(folder, 'field-console.desktop'), 'utf8')).toContain(
    'Exec="/opt/Field Console/field-console"\n',
  );
  expect(await control.setStartAtLogin(false)).toBe(true);
  expect(await control.setStartAtLogin(false)).toBe(true);
  expect(await readdir(folder)).toEqual([]);
});

test('an AppImage starts itself, not what it unpacked; an entry of one that moved away does not count', async () => {
  const home = await temporaryFolder();
  const env = { XDG_CONFIG_HOME: join(home, 'cfg') };
  const before = controlled({ home, env: { ...env, APPIMAGE: '/home/ann/Field Console.AppImage' } });
  await before.control.setStartAtLogin(true);
  const entry = join(home, 'cfg', 'autostart', 'field-console.desktop');
  expect(await readFile(entry, 'utf8')).toContain('Exec="/home/ann/Field Console.AppImage"');
  const after = controlled({ home, env: { ...env, APPIMAGE: '/home/ann/apps/Field Console.AppImage' } });
  expect(await after.control.startsAtLogin()).toBe(false);
  expect(await controlled({ home, env: { ...env, APPIMAGE: '' } }).control.startsAtLogin()).toBe(false);
});

test('a folder that is no absolute path is not used', () => {
  const path = '/home/ann/.config/autostart/field-console.desktop';
  expect(autostartPath({ env: { XDG_CONFIG_HOME: 'here' }, home: '/home/ann' })).toBe(path);
  expect(autostartPath({ env: {}, home: '/home/ann' })).toBe(path);
});

test.each([
  ['/usr/bin/field-console', '"/usr/bin/field-console"'],
  ['/opt/100% safe/fc', '"/opt/100%% safe/fc"'],
  ['/opt/$HOME/fc', String.raw`"/opt/\\$HOME/fc"`],
  ['/opt/`id`/fc', '"/opt/\\\\`id\\\\`/fc"'],
  ['/opt/say "hi"/fc', String.raw`"/opt/say \\"hi\\"/fc"`],
  [String.raw`/opt/back\slash`, String.raw`"/opt/back\\\\slash"`],
])('%s is escaped by the Desktop Entry Specification', (program, value) => {
  expect(execValue(program)).toBe(value);
});

test('a path that no entry can hold is refused', async () => {
  expect(autostartEntry('/opt/a\nExec=/bin/evil')).toBeNull();
  expect(execValue('/opt/a\u007f')).toBeNull();
  const home = await temporaryFolder();
  const { control } = controlled({ home, execPath: '/opt/a\nb' });
  expect(await control.setStartAtLogin(true)).toBe(false);
  expect(await readdir(home)).toEqual([]);
});

test('an entry that a desktop switched off, or of another group, does not start it', () => {
  const program = '/usr/bin/fc';
  const entry = autostartEntry(program) ?? '';
  expect(startsProgram(entry, program)).toBe(true);
  expect(startsProgram(`${entry}Hidden=true\n`, program)).toBe(false);
  expect(startsProgram(entry.replace('enabled=true', 'enabled=false'), program)).toBe(false);
  expect(startsProgram(`[Other]\n${entry.split('\n').slice(1).join('\n')}`, program)).toBe(false);
  expect(startsProgram('', program)).toBe(false);
});

const validator = await promisify(execFile)('desktop-file-validate', ['--version']).then(
  () => true,
  (error: unknown) => !(error instanceof Error && 'code' in error && error.code === 'ENOENT'),
);
test.skipIf(!validator)(
  'the entry is one by desktop-file-validate (skipped where that program is not)',
  async () => {
    const path = join(await temporaryFolder(), 'field-console.desktop');
    await writeFile(path, autostartEntry('/opt/100% "a" $b/`fc`\\x') ?? '');
    const { stdout } = await promisify(execFile)('desktop-file-validate', [path]);
    expect(stdout).not.toContain('error');
  },
);

test.skipIf(isRoot)(
  'a folder that may not be written is a refusal (skipped for root, who may write anywhere)',
  async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, '.config'));
    await chmod(join(home, '.config'), 0o500);
    expect(await controlled({ home }).control.setStartAtLogin(true)).toBe(false);
  },
);

test('where a file stands in the folder’s way it is a refusal', async () => {
  const home = await temporaryFolder();
  await writeFile(join(home, '.config'), '');
  const { control, logger } = controlled({ home });
  expect(await control.setStartAtLogin(true)).toBe(false);
  expect(logger.lines.map(({ event }) => event)).toEqual(['login-item-failed']);
});

test('a kiosk, a program in development and an unknown system have nothing to set', async () => {
  for (const { app, control } of [
    controlled({ platform: 'darwin', packaged: false }),
    controlled({ platform: 'win32', kiosk: true }),
    controlled({ platform: 'freebsd' }),
  ]) {
    expect(await control.startsAtLogin()).toBeNull();
    expect(await control.setStartAtLogin(true)).toBe(false);
    expect(app.asked).toEqual([]);
  }
  expect(controlled({ kiosk: true }).control.tray).toBe(false);
  expect(controlled().control.tray).toBe(true);
});
