/**
 * Packs the application: `node build/package.ts [--dir] [--no-build]`.
 *
 * With `--dir` into dist/linux-unpacked (dist/win-unpacked, dist/mac), without installers; on Linux
 * against a stub where Electron's binary is missing. Else the installers of the running system, which
 * electron-builder's tools and Electron are downloaded for. `--no-build` packs what was built before.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Arch, Platform, build } from 'electron-builder';
import metadata from '../package.json' with { type: 'json' };
import { electronBinary } from './electron-binary.mjs';
import { azureNames, azureSigning, configuration, signs, type Options } from './electron-builder.ts';
import { sbom } from './sbom.ts';
import { makeStubElectron } from './stub-electron.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const app = join(dist, 'app');
const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

const electronVersion: string = JSON.parse(
  readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'),
).version;

const known = ['--dir', '--no-build'];
const options = process.argv.slice(2);
const strange = options.find((option) => !known.includes(option));
if (strange !== undefined) {
  process.stderr.write(`No such option: ${strange}. Usage: node build/package.ts [--dir] [--no-build]\n`);
  process.exit(2);
}

function buildBundles() {
  return new Promise<void>((resolve, reject) => {
    const builder = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
    const child = spawn(process.execPath, [builder, 'build', '--logLevel', 'warn'], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('exit', (status) =>
      status === 0 ? resolve() : reject(new Error('The console could not be built')),
    );
  });
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else {
      await copyFile(source, target);
      // The archive remembers this bit, and a check-out's umask must not show in it.
      await chmod(target, 0o644);
    }
  }
}

/** Lays out what belongs into the archive, and nothing else. */
async function stage() {
  const { name, productName, version, description, license, type, main } = metadata;
  await rm(app, { recursive: true, force: true });
  for (const part of ['main', 'preload', 'renderer']) {
    await copyTree(join(root, 'out', part), join(app, 'out', part));
  }
  const packed = {
    ...{ name, productName, version, description, license, type, main },
    author: 'Field Console contributors',
    // Electron names its windows after this, and desktops find the icon by it.
    desktopName: 'field-console.desktop',
  };
  await writeFile(join(app, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
}

interface Packing extends Pick<Options, 'kind' | 'targets' | 'electronDist'> {
  readonly platform: Platform;
  readonly arches: readonly Arch[];
}

/** The kinds of installer that are made on a system, each with electron-builder's targets. */
const installers: Partial<Record<NodeJS.Platform, readonly Packing[]>> = {
  linux: [
    { kind: 'appimage', platform: Platform.LINUX, targets: ['AppImage'], arches: [Arch.x64, Arch.arm64] },
  ],
  // One packing each: an installed console must know which of them it came by.
  win32: [
    { kind: 'nsis', platform: Platform.WINDOWS, targets: ['nsis'], arches: [Arch.x64] },
    { kind: 'msi', platform: Platform.WINDOWS, targets: ['msi'], arches: [Arch.x64] },
  ],
  // The updater takes the zip; people take the dmg.
  darwin: [{ kind: 'dmg', platform: Platform.MAC, targets: ['dmg', 'zip'], arches: [Arch.universal] }],
};

/** The Electron to pack: a folder, or undefined for electron-builder to download it. */
async function electronFolder(): Promise<string | undefined> {
  if (electronBinary() !== null) {
    return process.env['ELECTRON_OVERRIDE_DIST_PATH'] || join(root, 'node_modules/electron/dist');
  }
  if (process.platform !== 'linux') return undefined;
  const folder = join(dist, 'stub-electron');
  await makeStubElectron(folder, electronVersion);
  say("Electron's binary is not here: packing against a stub that cannot be started.");
  return folder;
}

async function pack({ kind, platform, targets, arches, electronDist }: Packing) {
  await build({
    targets: platform.createTarget(targets, ...arches),
    projectDir: root,
    publish: 'never',
    config: configuration({
      kind,
      targets,
      signed: signs(),
      publisher: process.env['FIELD_CONSOLE_WINDOWS_PUBLISHER'],
      azure: azureSigning(),
      electronVersion,
      electronDist,
      app: 'dist/app',
      output: 'dist',
    }),
  });
}

// A workflow hands over a secret that does not exist as an empty text, and electron-builder would take it
// for the name of a certificate.
const secrets = [
  ...['CSC_LINK', 'CSC_KEY_PASSWORD', 'WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'],
  ...['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
  ...azureNames,
];
for (const secret of secrets) if (process.env[secret] === '') delete process.env[secret];

if (!options.includes('--no-build')) await buildBundles();
await stage();
await writeFile(join(dist, `field-console-${metadata.version}.cdx.json`), await sbom(root));

if (options.includes('--dir')) {
  await pack({
    kind: 'dir',
    platform: Platform.current(),
    targets: ['dir'],
    arches: [process.arch === 'arm64' ? Arch.arm64 : Arch.x64],
    electronDist: await electronFolder(),
  });
} else {
  for (const installer of installers[process.platform] ?? []) await pack(installer);
}
