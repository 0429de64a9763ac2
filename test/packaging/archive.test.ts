import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { extractFile, getRawHeader, listPackage } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDrivable } from '../../build/drivable.ts';
import { fuses, readFuses } from '../../build/fuses.ts';
import { pack, run, sha256Of, type Packed } from './support/packed.ts';

/** Everything that may be in the archive, as whole paths. */
const allowed = [
  /^\/package\.json$/,
  /^\/out\/main\/(desktop|serve|databaseWorker|spoolWorker|tileWorker)\.js$/,
  /^\/out\/main\/chunks\/[\w.-]+-[\w-]{8}\.js$/,
  /^\/out\/preload\/index\.cjs$/,
  /^\/out\/renderer\/index\.html$/,
  // The page that needs no console behind it; its parts keep their names.
  /^\/out\/renderer\/stopped\.(html|css|js)$/,
  /^\/out\/renderer\/not-loaded\.html$/,
  /^\/out\/renderer\/third-party-notices\.txt$/,
  /^\/out\/renderer\/assets\/[\w.-]+-[\w-]{8}\.(js|css|json|svg|png|woff2|pmtiles)$/,
];
/** 5 MB of them are the details of the bundled map: rivers, lakes (docs/adr/0035). */
const greatestBytes = 20 * 1024 * 1024;

/** An archive can only be made here against the stub on Linux; elsewhere the workflow packs the real one. */
describe.skipIf(process.platform !== 'linux')('the packed application', () => {
  let packed: Packed;
  let files: string[];
  let extracted: string;
  beforeAll(async () => {
    packed = await pack();
    const header = getRawHeader(packed.archive).header;
    const isFile = (path: string): boolean => {
      let node: unknown = header;
      for (const part of path.split('/').slice(1)) {
        node = (node as { files: Record<string, unknown> }).files[part];
      }
      return !('files' in (node as object));
    };
    files = listPackage(packed.archive, { isPack: false }).filter(isFile);
    extracted = await packed.extract();
  }, 300_000);
  afterAll(async () => {
    await packed.remove();
    await rm(extracted, { recursive: true, force: true });
  });
  const inArchive = (path: string): string => extractFile(packed.archive, path).toString('utf8');

  test('says whether Electron or the stub is inside', async () => {
    const stub = (await readFile(join(packed.unpacked, 'field-console'))).length < 10_000;
    const said = packed.output.includes('packing against a stub that cannot be started');
    expect(said).toBe(stub);
  });

  test('holds nothing but what is on the list', () => {
    expect(files.filter((file) => !allowed.some((pattern) => pattern.test(file)))).toEqual([]);
    for (const needed of ['/out/main/desktop.js', '/out/preload/index.cjs', '/out/renderer/index.html']) {
      expect(files).toContain(needed);
    }
  });

  test('brings no source map, no address of one and no path of the machine it was made on', () => {
    for (const file of files.filter((name) => /\.(js|cjs|css|html)$/.test(name))) {
      const text = inArchive(file.slice(1));
      expect(text, file).not.toMatch(/^\s*\/[/*][#@] sourceMappingURL=/m);
      expect(text.includes(packed.root), file).toBe(false);
    }
  });

  test('takes its page from no other server, whatever the environment says', () => {
    const scripts = files.filter((name) => name.startsWith('/out/main/'));
    expect(scripts.length).toBeGreaterThan(5);
    for (const file of scripts) {
      expect(inArchive(file.slice(1)), file).not.toMatch(/ELECTRON_RENDERER_URL|createDevelopmentPages/);
    }
  });

  test('has a package.json without scripts and dependencies', () => {
    const metadata: unknown = JSON.parse(inArchive('package.json'));
    expect(Object.keys(metadata as object).sort()).toEqual([
      'author',
      'description',
      'desktopName',
      'license',
      'main',
      'name',
      'productName',
      'type',
      'version',
    ]);
    expect(files).toContain(`/${(metadata as { main: string }).main}`);
  });

  test('is below 20 MB', async () => {
    const { size } = await stat(packed.archive);
    process.stdout.write(`app.asar: ${(size / 1024 / 1024).toFixed(2)} MB of at most 20 MB\n`);
    expect(size).toBeLessThan(greatestBytes);
  });

  test('has every fuse set as it was decided', async () => {
    expect(await readFuses(join(packed.unpacked, 'field-console'))).toEqual(fuses);
    expect(fuses).toEqual({
      RunAsNode: false,
      EnableCookieEncryption: false,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      LoadBrowserProcessSpecificV8Snapshot: false,
      GrantFileProtocolExtraPrivileges: false,
      WasmTrapHandlers: true,
    });
  });

  test('a copy that can be driven differs in one fuse, and not in its archive', async () => {
    const folder = join(packed.dist, 'drivable');
    const executable = await makeDrivable(packed.unpacked, folder);
    expect(await readFuses(executable)).toEqual({ ...fuses, EnableNodeCliInspectArguments: true });
    expect(await readFuses(join(packed.unpacked, 'field-console'))).toEqual(fuses);
    expect(await sha256Of(join(folder, 'resources/app.asar'))).toBe(await sha256Of(packed.archive));
    const bytes = await Promise.all(
      [executable, join(packed.unpacked, 'field-console')].map((p) => readFile(p)),
    );
    const [copy, shipped] = bytes as [Buffer, Buffer];
    expect(copy.length).toBe(shipped.length);
    expect(copy.filter((byte, index) => byte !== shipped[index])).toHaveLength(1);
  });

  test('carries no sample application, and says how it came and where updates are kept', async () => {
    const resources = join(packed.unpacked, 'resources');
    await expect(stat(join(resources, 'default_app.asar'))).rejects.toThrow();
    expect(await readFile(join(resources, 'install-kind.txt'), 'utf8')).toBe('dir\nunsigned\n');
    expect(await readFile(join(resources, 'app-update.yml'), 'utf8')).toContain(
      'updaterCacheDirName: field-console-updater',
    );
    await expect(stat(join(packed.unpacked, 'LICENSE.electron.txt'))).resolves.toBeDefined();
    await expect(stat(join(packed.unpacked, 'LICENSES.chromium.html'))).resolves.toBeDefined();
  });

  test('its main bundle loads with Electron replaced, and answers with its version', async () => {
    const loader = join(import.meta.dirname, 'programs/loadWithFakeElectron.ts');
    const bundle = join(extracted, 'out/main/desktop.js');
    const { status, stdout, stderr } = await run(process.execPath, [loader, bundle, '--version'], {
      cwd: extracted,
    });
    const { version } = JSON.parse(inArchive('package.json')) as { version: string };
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('every program of a thread that the bundles name lies where they look for it', () => {
    const code = files.filter((file) => /^\/out\/main\/.*\.js$/.test(file));
    const named = code.flatMap((file) =>
      [...inArchive(file.slice(1)).matchAll(/programUrl\w*\(["'`][\w/]+["'`], ?["'`](\w+)["'`]\)/g)].map(
        ([, name]) => `/out/main/${name}.js`,
      ),
    );
    const programs = files.filter((file) => /^\/out\/main\/\w+Worker\.js$/.test(file));
    expect(programs.length).toBeGreaterThan(0);
    expect(new Set(named)).toEqual(new Set(programs));
  });
});
