/** Installs a package of the console, has it test itself, and removes it again. Only where it was asked for. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import process from 'node:process';
import { notRun, take } from './steps.ts';
import type { ReportedStep } from './report.ts';

type Command = readonly [string, ...string[]];

/** One kind of package. Commands run in their order; `left`: what must not be there when it was removed. */
interface PackageKind {
  readonly platform: NodeJS.Platform;
  readonly install: (file: string, folder: string) => readonly Command[];
  readonly program: (file: string, folder: string) => string;
  readonly remove: (file: string, folder: string) => readonly Command[];
  readonly left: readonly string[];
}

const windowsFolder = join(process.env['ProgramFiles'] ?? 'C:\\Program Files', 'Field Console');
const windowsProgram = join(windowsFolder, 'Field Console.exe');
const inImage = 'Field Console.app/Contents/MacOS/Field Console';
/** Installing for all takes the administrator; asked for a password this would hang. */
const asRoot: readonly string[] = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
const privileged = (...words: readonly string[]): Command => [...asRoot, ...words] as unknown as Command;

const kinds: Readonly<Record<string, PackageKind>> = {
  '.deb': {
    platform: 'linux',
    install: (file) => [privileged('apt-get', 'install', '--yes', '--no-install-recommends', file)],
    program: () => '/usr/bin/field-console',
    remove: () => [privileged('apt-get', 'purge', '--yes', 'field-console')],
    left: ['/usr/lib/field-console', '/usr/bin/field-console', '/etc/apparmor.d/field-console'],
  },
  '.appimage': {
    platform: 'linux',
    install: () => [],
    program: (file) => file,
    remove: () => [],
    left: [],
  },
  '.exe': {
    platform: 'win32',
    install: (file) => [[file, '/S']],
    program: () => windowsProgram,
    // Without it the uninstaller copies itself elsewhere and returns at once.
    remove: () => [[join(windowsFolder, 'Uninstall Field Console.exe'), '/S', `_?=${windowsFolder}`]],
    left: [windowsProgram],
  },
  '.msi': {
    platform: 'win32',
    install: (file) => [['msiexec', '/i', file, '/qn', '/norestart']],
    program: () => windowsProgram,
    remove: (file) => [['msiexec', '/x', file, '/qn', '/norestart']],
    left: [windowsFolder],
  },
  '.dmg': {
    platform: 'darwin',
    install: (file, folder) => [
      ['hdiutil', 'attach', '-nobrowse', '-readonly', '-mountpoint', join(folder, 'image'), file],
    ],
    program: (_file, folder) => join(folder, 'image', inImage),
    remove: (_file, folder) => [['hdiutil', 'detach', join(folder, 'image')]],
    left: [],
  },
};

/** Of the packages that can be tried, in lower case. */
export const packageEndings: readonly string[] = Object.keys(kinds);

export const isPackage = (file: string): boolean => extname(file).toLowerCase() in kinds;

function run([program, ...args]: Command): void {
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 600_000 });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} left with status ${String(status)}: ${stderr.slice(-600)}`);
}

/** @param folder where an image may be mounted and the report of the self-test written */
export async function tryPackage(given: string, folder: string): Promise<ReportedStep[]> {
  const file = resolve(given);
  const ending = extname(file).toLowerCase();
  const kind = kinds[ending];
  const id = `package${ending.replace('.', '-')}`;
  if (kind?.platform !== process.platform)
    return [notRun(id, `${ending} installs`, 'It is of another system.')];
  const program = kind.program(file, folder);
  if (kind.left.some((path) => existsSync(path))) {
    // It is somebody's: to purge it would take it from them.
    return [notRun(id, `${ending} installs`, 'The console is installed on this computer already.')];
  }
  mkdirSync(join(folder, 'image'), { recursive: true });
  const installed = await take(id, `${ending} installs`, async () => {
    for (const command of kind.install(file, folder)) run(command);
    if (ending === '.appimage') chmodSync(file, 0o755);
    if (!existsSync(program)) throw new Error('It is not where it belongs.');
    return Promise.resolve('It is where it belongs.');
  });
  const report = join(folder, `${id}.json`);
  const tested =
    installed.outcome === 'failed'
      ? notRun(`${id}-tests`, 'What was installed tests itself', 'It was not installed.')
      : await take(`${id}-tests`, 'What was installed tests itself', () => {
          run([program, '--self-test-report', report]);
          const { passed } = JSON.parse(readFileSync(report, 'utf8')) as { passed: boolean };
          if (!passed) throw new Error('Its self-test failed.');
          return Promise.resolve('Its self-test passed.');
        });
  const removed = await take(`${id}-removed`, `${ending} is removed and leaves nothing`, () => {
    for (const command of kind.remove(file, folder)) run(command);
    const left = kind.left.filter((path) => existsSync(path));
    if (left.length > 0) throw new Error(`It left ${left.join(', ')}.`);
    return Promise.resolve('Nothing of it is left.');
  });
  rmSync(report, { force: true });
  return [installed, tested, removed];
}
