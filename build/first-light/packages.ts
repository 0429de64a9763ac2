/** Installs a package of the console, has it test itself, and removes it again. Only where it was asked for. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import process from 'node:process';
import { textOf } from '../../src-main/core/base/errors.ts';
import { limits } from './limits.ts';
import { NotRun, type StepList } from './stepList.ts';
import { linesOf } from './steps.ts';

type Command = readonly [string, ...string[]];

/**
 * One kind of package. Commands run in their order. `left`: what must not be there before, nor when it was removed;
 * `stays`: what its removal leaves all the same, so that no kind after it may have that in its `left`.
 */
interface PackageKind {
  readonly platform: NodeJS.Platform;
  readonly install: (file: string, folder: string) => readonly Command[];
  readonly program: (file: string, folder: string) => string;
  readonly remove: (file: string, folder: string) => readonly Command[];
  readonly left: readonly string[];
  readonly stays?: readonly string[];
}

const windowsFolder = join(process.env['ProgramFiles'] ?? 'C:\\Program Files', 'Field Console');
const windowsProgram = join(windowsFolder, 'Field Console.exe');
const inImage = 'Field Console.app/Contents/MacOS/Field Console';
/** Installing for all takes the administrator; asked for a password this would hang. */
const asRoot: readonly string[] = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
const privileged = (...words: readonly string[]): Command => [...asRoot, ...words] as unknown as Command;

/** In the order in which they are tried. */
export const kinds: Readonly<Record<string, PackageKind>> = {
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
  '.msi': {
    platform: 'win32',
    install: (file) => [['msiexec', '/i', file, '/qn', '/norestart']],
    program: () => windowsProgram,
    remove: (file) => [['msiexec', '/x', file, '/qn', '/norestart']],
    left: [windowsFolder],
  },
  '.exe': {
    platform: 'win32',
    install: (file) => [[file, '/S']],
    program: () => windowsProgram,
    // Without it the uninstaller copies itself elsewhere and returns at once. With it, it cannot remove itself.
    remove: () => [[join(windowsFolder, 'Uninstall Field Console.exe'), '/S', `_?=${windowsFolder}`]],
    left: [windowsProgram],
    stays: [windowsFolder],
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
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: limits.work });
  // Windows asks an administrator only for what a person starts.
  if (error && 'code' in error && error.code === 'EACCES')
    throw new NotRun(`${program} needs an administrator.`);
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} left with status ${String(status)}: ${stderr.slice(-600)}`);
}

/** The packages in an order in which none finds what another one left. */
export function inOrder(files: readonly string[]): string[] {
  const place = (file: string): number => packageEndings.indexOf(extname(file).toLowerCase());
  return files.toSorted((one, other) => place(one) - place(other));
}

/** @param folder where an image may be mounted and the report of the self-test written */
export async function tryPackage({ step }: StepList, given: string, folder: string): Promise<void> {
  const file = resolve(given);
  const ending = extname(file).toLowerCase();
  const kind = kinds[ending];
  const id = `package${ending.replace('.', '-')}`;
  const report = join(folder, `${id}.jsonl`);
  let taken = false;
  const installed = await step(id, `${ending} installs`, async () => {
    if (kind?.platform !== process.platform) throw new NotRun('It is of another system.');
    // Purging an installed package would take it from this computer's user.
    if (kind.left.some((path) => existsSync(path)))
      throw new NotRun('The console is installed on this computer already.');
    taken = true;
    mkdirSync(join(folder, 'image'), { recursive: true });
    for (const command of kind.install(file, folder)) run(command);
    if (ending === '.appimage') chmodSync(file, 0o755);
    if (!existsSync(kind.program(file, folder))) throw new Error('It is not where it belongs.');
    return Promise.resolve('It is where it belongs.');
  });
  // What was installed by halves is removed too.
  if (kind === undefined || !taken || !existsSync(kind.program(file, folder))) return;
  await step(`${id}-tests`, 'What was installed tests itself', () => {
    if (!installed) throw new NotRun('It was not installed whole.');
    const passed = (): unknown => (linesOf(report).at(-1) as { passed?: boolean } | undefined)?.passed;
    try {
      run([kind.program(file, folder), '--self-test-report', report]);
    } catch (error) {
      const failed = linesOf(report).filter((line) => (line as { outcome?: string }).outcome === 'failed');
      throw new Error(`${textOf(error)} ${failed.map((line) => JSON.stringify(line)).join(' ')}`);
    }
    if (passed() !== true) throw new Error('Its self-test failed.');
    return Promise.resolve('Its self-test passed.');
  });
  await step(`${id}-removed`, `${ending} is removed and leaves nothing`, () => {
    for (const command of kind.remove(file, folder)) run(command);
    const left = kind.left.filter((path) => existsSync(path));
    if (left.length > 0) throw new Error(`It left ${left.join(', ')}.`);
    return Promise.resolve('Nothing of it is left.');
  });
}
