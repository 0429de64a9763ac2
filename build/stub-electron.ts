/**
 * A folder that stands in for Electron where its binary is not: enough for electron-builder to pack
 * the application, for its fuses to be set and read, and for the Debian package to be built and
 * checked. It cannot start anything and says so when it is tried.
 */
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPackage } from '@electron/asar';
import { FuseState } from '@electron/fuses';

/** What @electron/fuses looks for: its sentinel, the wire's version, its length, one byte a fuse. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** As Electron's own binary has them. */
const wire = [
  FuseState.ENABLE,
  FuseState.DISABLE,
  FuseState.ENABLE,
  FuseState.ENABLE,
  FuseState.DISABLE,
  FuseState.DISABLE,
  FuseState.DISABLE,
  FuseState.ENABLE,
  FuseState.ENABLE,
];

const words = '#!/bin/sh\necho "This package was made without Electron and cannot start." >&2\nexit 1\n';
/** The files of a real Electron for Linux that packaging has to treat well. */
const files = [
  'LICENSES.chromium.html',
  'chrome_100_percent.pak',
  'icudtl.dat',
  'libffmpeg.so',
  'locales/en-US.pak',
  'resources.pak',
  'v8_context_snapshot.bin',
];
const programs = ['chrome-sandbox', 'chrome_crashpad_handler'];

/** Makes the folder again, from nothing; `version` is of the Electron it stands in for. */
export async function makeStubElectron(folder: string, version: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'locales'), { recursive: true });
  await mkdir(join(folder, 'resources'), { recursive: true });
  for (const name of files) await writeFile(join(folder, name), `${name} of the stub\n`);
  await writeFile(join(folder, 'LICENSE'), 'A stub; Electron comes under the MIT licence.\n');
  await writeFile(join(folder, 'version'), version);
  const binary = Buffer.concat([
    Buffer.from(`${words}# ${sentinel}`),
    Buffer.from([1, wire.length, ...wire]),
    Buffer.from('\n'),
  ]);
  await writeFile(join(folder, 'electron'), binary);
  for (const name of programs) await writeFile(join(folder, name), words);
  for (const name of ['electron', ...programs]) await chmod(join(folder, name), 0o755);

  const app = join(folder, 'default_app');
  await mkdir(app);
  await writeFile(join(app, 'package.json'), '{"name":"default","main":"main.js"}\n');
  await writeFile(join(app, 'main.js'), '');
  await createPackage(app, join(folder, 'resources/default_app.asar'));
  await rm(app, { recursive: true });
}
