/**
 * Copies a packed application and lets the copy be driven: `node build/drivable.ts FROM TO`.
 *
 * Playwright's Electron driver needs the inspector, which the shipped application refuses. The copy
 * differs in that one fuse and in nothing else.
 */
import { existsSync, statSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { setFuses } from './fuses.ts';

/** The executable inside a folder that electron-builder packed, on the running system. */
export function executableIn(folder: string): string {
  const names: Partial<Record<NodeJS.Platform, string>> = {
    win32: 'Field Console.exe',
    darwin: 'Field Console.app/Contents/MacOS/Field Console',
  };
  return join(folder, names[process.platform] ?? 'field-console');
}

/** Where electron-builder puts an unpacked application, by system and architecture; it names only the unusual ones. */
export function unpackedNames(platform: NodeJS.Platform, arch: string): readonly string[] {
  const suffix = arch === 'x64' ? '' : `-${arch}`;
  if (platform === 'darwin') return [`mac${suffix}`, 'mac-universal'];
  return [`${platform === 'win32' ? 'win' : 'linux'}${suffix}-unpacked`];
}

/**
 * The folder in `dist` with the packed application of the running system; null when there is none.
 *
 * @throws Error when it is older than what was built since.
 */
export function packedFolder(): {
  readonly name: string;
  readonly folder: string;
  readonly archive: string;
} | null {
  const name = unpackedNames(process.platform, process.arch).find((one) => existsSync(resolve('dist', one)));
  if (name === undefined) return null;
  const folder = resolve('dist', name);
  const resources = process.platform === 'darwin' ? 'Field Console.app/Contents/Resources' : 'resources';
  const archive = join(folder, resources, 'app.asar');
  if (statSync(archive).mtimeMs < statSync(resolve('out/main/serve.js')).mtimeMs) {
    throw new Error(
      'The packed application is older than the build: make it with "npm run package -- --dir"',
    );
  }
  return { name, folder, archive };
}

/** Copies a folder with a packed application over what is at `to`, and answers with the copy's executable. */
export async function makeDrivable(from: string, to: string): Promise<string> {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
  const executable = executableIn(to);
  const fuseHolder = process.platform === 'darwin' ? join(to, 'Field Console.app') : executable;
  await setFuses(fuseHolder, { EnableNodeCliInspectArguments: true }, process.platform === 'darwin');
  return executable;
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  const [from, to] = process.argv.slice(2);
  if (!from || !to) {
    process.stderr.write('Usage: node build/drivable.ts FROM TO\n');
    process.exit(2);
  }
  process.stdout.write(`${await makeDrivable(from, to)}\n`);
}
