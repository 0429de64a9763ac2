import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { configuration } from '../../build/electron-builder.ts';

/** The script of an AppImage that starts its program, as electron-builder makes it. */
const { generateAppRunScript } = (await import(
  resolve('node_modules/app-builder-lib/out/targets/appimage/appImageUtil.js')
)) as { generateAppRunScript(names: object): string };

/** The restriction of namespaces; what a system's own `unshare` says; what the program is started with. */
test.skipIf(process.platform !== 'linux').each([
  ['1', 0, '--no-sandbox'],
  ['0', 0, ''],
  ['0', 1, '--no-sandbox'],
  [null, 0, ''],
] as const)('an AppImage knows where it gets no sandbox: %s %s %s', async (restricted, status, given) => {
  const folder = await mkdtemp(join(tmpdir(), 'field-console-appimage-'));
  const appDir = join(folder, 'appimage-temp');
  await mkdir(join(appDir, 'resources'), { recursive: true });
  const program = async (path: string, words: string): Promise<void> => {
    await writeFile(path, words);
    await chmod(path, 0o755);
  };
  // What is packed ends with `-temp`, so that it gets no fuses: there is no program to set them in.
  const packing = { appOutDir: appDir, electronPlatformName: 'linux' };
  const { afterPack } = configuration({
    ...{ kind: 'appimage', targets: ['AppImage'], signed: false, electronVersion: '1.2.3' },
    ...{ app: 'dist/app', output: 'dist' },
  });
  await afterPack({ ...packing, packager: { appInfo: { productFilename: 'x' } } });
  const setting = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
  const asked = join(folder, 'restricted');
  if (restricted !== null) await writeFile(asked, `${restricted}\n`);
  const unshare = await readFile(join(appDir, 'unshare'), 'utf8');
  expect(unshare).toContain(setting);
  await writeFile(join(appDir, 'unshare'), unshare.replace(setting, asked));
  await program(join(folder, 'unshare'), `#!/bin/sh\nexit ${String(status)}\n`);
  await program(join(appDir, 'field-console'), '#!/bin/sh\necho "$*"\n');
  const names = { ExecutableName: 'field-console', ProductFilename: 'x' };
  await program(join(appDir, 'AppRun'), generateAppRunScript(names));
  const path = `${folder}:${process.env['PATH'] ?? ''}`;
  const { stdout } = spawnSync(join(appDir, 'AppRun'), { env: { PATH: path }, encoding: 'utf8' });
  expect(stdout.trim()).toBe(given);
  await rm(folder, { recursive: true });
});
