import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { message } from '../../../../src-main/core/base/messages/message.ts';
import type {
  CheckedPackage,
  InstallOutcome,
} from '../../../../src-main/core/features/updates/updateHost.ts';
import { installChecked } from '../../../../src-main/hosts/desktop/updates/installer.ts';
import { adapterOf } from '../../../../src-main/hosts/desktop/updates/updater.ts';
import { temporaryFolder } from '../../../core/features/updates/releases.ts';
import { until } from '../../../support/clock.ts';
import { mountSmallDisk } from '../../../support/smallDisk.ts';
import { FakeSquirrel, FakeUpdaterApp, standIn } from '../fake/updates.ts';

let folder: string;
let resources: string;
let appImage: string;
let app: FakeUpdaterApp;
const environment = { ...process.env };

beforeEach(async () => {
  folder = temporaryFolder();
  resources = join(folder, 'resources');
  await mkdir(resources);
  await mkdir(join(folder, 'updates'));
  await writeFile(
    join(resources, 'app-update.yml'),
    'provider: custom\nupdaterCacheDirName: field-console-updater\n',
  );
  appImage = join(folder, 'field-console-1.0.0.AppImage');
  await writeFile(appImage, 'the old console', { mode: 0o755 });
  process.env['APPIMAGE'] = appImage;
  app = new FakeUpdaterApp();
});
afterEach(() => {
  for (const name of ['APPIMAGE', 'PATH']) {
    const before = environment[name];
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
  vi.restoreAllMocks();
});

/** A program that writes down what it is given, where a package or an installer should be. */
const recorder = (into: string): string =>
  `#!/bin/sh\nprintf '%s\\n' "$@" > '${into}.part' && mv '${into}.part' '${into}'\n`;
const written = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
const exists = (path: string): Promise<boolean> => stat(path).then(Boolean, () => false);

async function check(
  kind: CheckedPackage['kind'],
  content: string,
  version = '1.1.0',
): Promise<CheckedPackage> {
  const path = join(folder, 'updates', 'copy.package');
  await writeFile(path, content, { mode: 0o600 });
  const sha512 = createHash('sha512').update(content).digest('base64');
  const signed = { manifest: Buffer.from('{"release":{}}'), signatures: Buffer.from('release-2026 c2ln\n') };
  return { path, version, bytes: Buffer.byteLength(content), sha512, kind, signed };
}

const install = (checked: CheckedPackage, image: string | undefined = appImage): Promise<InstallOutcome> =>
  installChecked(
    {
      app: app.asApp(),
      appImage: image,
      startArguments: ['--data-dir', '/a b'],
      resources,
      folder: join(folder, 'updates', 'installer'),
    },
    checked,
  );

describe.skipIf(process.platform !== 'linux')(
  'an AppImage (electron-updater’s own updater, on Linux)',
  () => {
    it('takes the place of the running one under its name, and starts with the same arguments', async () => {
      const told = join(folder, 'told');
      const checked = await check('appimage', recorder(told));
      expect(await install(checked)).toEqual({ kind: 'begun' });
      expect(app.steps).toEqual(['quit']);
      expect(await readFile(appImage, 'utf8')).toBe('the old console');
      expect(await exists(checked.path)).toBe(false);
      app.end();
      expect(await readFile(appImage, 'utf8')).toBe(recorder(told));
      expect((await stat(appImage)).mode & 0o777).toBe(0o755);
      expect(app.steps).toEqual(['quit', 'unlock']);
      await expect.poll(() => exists(told)).toBe(true);
      expect(await written(told)).toEqual(['--data-dir', '/a b']);
    });

    it('that changed while the console closed is not run, and the old one starts again', async () => {
      const checked = await check('appimage', recorder(join(folder, 'told')));
      await install(checked);
      const pending = join(folder, 'updates/installer/field-console-updater/pending');
      const [name = ''] = (await readdir(pending)).filter((file) => file.endsWith('.AppImage'));
      await writeFile(join(pending, name), 'something else');
      app.end();
      expect(await readFile(appImage, 'utf8')).toBe('the old console');
      expect(app.steps).toEqual(['quit', 'unlock', 'relaunch']);
    });

    it('that is gone by then is not run either', async () => {
      await install(await check('appimage', 'new'));
      await rm(join(folder, 'updates'), { recursive: true });
      app.end();
      expect(await readFile(appImage, 'utf8')).toBe('the old console');
      expect(app.steps).toContain('relaunch');
    });

    it('whose bytes are not the checked ones is not even taken', async () => {
      const checked = await check('appimage', 'new');
      await writeFile(checked.path, 'old');
      expect(await install(checked)).toMatchObject({
        kind: 'failed',
        detail: expect.stringContaining('checked'),
      });
      app.end();
      expect(app.steps).toEqual([]);
      expect(await readFile(appImage, 'utf8')).toBe('the old console');
    });

    it('of the same or an older version is refused by electron-updater too', async () => {
      for (const version of ['1.0.0', '0.9.0']) {
        const checked = await check('appimage', 'new', version);
        expect(await install(checked)).toMatchObject({ kind: 'failed' });
      }
      expect(app.steps).toEqual([]);
    });

    it('that cannot be replaced is left alone', async () => {
      const sentence = message('update.cannotReplace');
      const checked = await check('appimage', 'new');
      const link = join(folder, 'link.AppImage');
      await symlink(appImage, link);
      for (const image of [link, 'relative.AppImage', join(folder, 'missing.AppImage')]) {
        expect(await install(checked, image)).toEqual({ kind: 'failed', sentence, detail: 'place' });
      }
      expect(await exists(checked.path)).toBe(true);
    });

    it('that has no room beside the running one is left alone', async ({ skip }) => {
      const small = join(folder, 'small');
      await mkdir(small);
      const unmount = mountSmallDisk(small, 1);
      skip(unmount === null, 'this user may not mount a small disk');
      try {
        const image = join(small, 'field-console.AppImage');
        await writeFile(image, 'the old console');
        const sentence = message('update.noRoomBeside');
        const large = await check('appimage', 'x'.repeat(2_000_000));
        expect(await install(large, image)).toEqual({ kind: 'failed', sentence, detail: 'place' });
        process.env['APPIMAGE'] = image;
        expect(await install(await check('appimage', 'new'), image)).toEqual({ kind: 'begun' });
      } finally {
        unmount?.();
      }
    });

    it('is never installed at the end of a console that nobody asked to', () => {
      const adapter = adapterOf({ app: app.asApp(), folder, resources });
      expect(() => adapter.onQuit(() => undefined)).toThrow('unless somebody asked');
    });

    it('without one running is refused', async () => {
      const checked = await check('appimage', 'new');
      const outcome = await installChecked(
        { app: app.asApp(), appImage: undefined, startArguments: [], resources, folder },
        checked,
      );
      expect(outcome).toMatchObject({ kind: 'failed', detail: 'place' });
    });
  },
);

describe.skipIf(process.platform !== 'linux')('a Debian package', () => {
  /** What lies beside the application in its package, and a pkexec that does not ask. */
  async function withInstaller(script: string): Promise<void> {
    await writeFile(join(folder, 'install-update'), script, { mode: 0o755 });
    const pkexec = '#!/bin/sh\n[ "$1" = --disable-internal-agent ] || exit 0\nshift\nexec "$@"\n';
    await writeFile(join(folder, 'pkexec'), pkexec, { mode: 0o755 });
    process.env['PATH'] = `${folder}:${process.env['PATH'] ?? ''}`;
  }

  it('is given to root’s own installer with what vouches for it, and the console starts again', async () => {
    const told = join(folder, 'told');
    await withInstaller(recorder(told));
    const checked = await check('deb', 'a package');
    expect(await install(checked)).toEqual({ kind: 'begun' });
    app.end();
    expect(await written(told)).toEqual([checked.path]);
    expect(await readFile(`${checked.path}.json`)).toEqual(checked.signed.manifest);
    expect(await readFile(`${checked.path}.json.sig`)).toEqual(checked.signed.signatures);
    expect(app.steps).toEqual(['quit', 'unlock', 'relaunch']);
  });

  it.each(["o'neil", 'a*b', '$(id)', 'a\nb', 'a b'])('may lie in a folder called %j', async (name) => {
    folder = join(folder, name);
    await mkdir(join(folder, 'updates'), { recursive: true });
    const told = join(folder, 'told');
    await withInstaller('#!/bin/sh\nprintf %s "$1" > "${0%/*}/told"\n');
    resources = join(folder, 'resources');
    const checked = await check('deb', 'a package');
    await install(checked);
    app.end();
    expect(await readFile(told, 'utf8')).toBe(checked.path);
  });

  it('that was exchanged is not installed', async () => {
    const told = join(folder, 'told');
    await withInstaller(recorder(told));
    const checked = await check('deb', 'a package');
    await install(checked);
    await writeFile(checked.path, 'another');
    app.end();
    expect(await exists(told)).toBe(false);
    expect(app.steps).toEqual(['quit', 'unlock', 'relaunch']);
  });

  it('that is refused leaves the old console, which starts again', async () => {
    await withInstaller('#!/bin/sh\nexit 1\n');
    await install(await check('deb', 'a package'));
    app.end();
    expect(app.steps).toEqual(['quit', 'unlock', 'relaunch']);
  });

  it('is refused where no program asks for an administrator', async () => {
    process.env['PATH'] = folder;
    const sentence = message('update.noPkexec');
    const outcome = await install(await check('deb', 'a package'));
    expect(outcome).toEqual({ kind: 'failed', sentence, detail: 'pkexec' });
    expect(app.steps).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')(
  'a Windows installer (electron-updater’s own updater, elsewhere)',
  () => {
    const own = 'CN=Field Console, O=Example';
    /** What the installation says whose updates it takes, and a PowerShell that says who signed this one. */
    async function signedBy(subject: string, publisher: string | null): Promise<void> {
      const named = publisher === null ? '' : `publisherName: ${JSON.stringify([publisher])}\n`;
      await writeFile(
        join(resources, 'app-update.yml'),
        `provider: custom\nupdaterCacheDirName: x\n${named}`,
      );
      const answer = JSON.stringify({ Status: 0, SignerCertificate: { Subject: subject } });
      await writeFile(join(folder, 'powershell.exe'), `#!/bin/sh\necho '${answer}'\n`, { mode: 0o755 });
      await writeFile(join(folder, 'chcp'), '#!/bin/sh\n', { mode: 0o755 });
      process.env['PATH'] = `${folder}:${process.env['PATH'] ?? ''}`;
      // A shell that is not Windows' makes a file of NUL.
      process.chdir(folder);
    }
    const home = process.cwd();
    afterEach(() => process.chdir(home));

    it.each([
      ['somebody else signed', 'CN=Somebody, O=Example', own],
      ['is compared with nobody', own, null],
      ['is compared with an empty name', own, ''],
    ])('that %s is not run', async (_what, subject, publisher) => {
      await signedBy(subject, publisher);
      const outcome = await install(await check('nsis', 'an installer'));
      expect(outcome).toMatchObject({ kind: 'failed', sentence: message('update.installerRefused') });
      expect(app.steps).toEqual([]);
    });

    it('of an installation without the file that names the publisher is not run', async () => {
      await rm(join(resources, 'app-update.yml'));
      const outcome = await install(await check('nsis', 'an installer'));
      expect(outcome).toMatchObject({ kind: 'failed', sentence: message('update.installerRefused') });
    });

    it('is run with rights, quietly, and starts the console again', async () => {
      await signedBy(own, own);
      const told = join(folder, 'told');
      await writeFile(join(resources, 'elevate.exe'), recorder(told), { mode: 0o755 });
      Object.defineProperty(process, 'resourcesPath', { value: resources, configurable: true });
      try {
        expect(await install(await check('nsis', 'an installer'))).toEqual({ kind: 'begun' });
        app.end();
      } finally {
        Reflect.deleteProperty(process, 'resourcesPath');
      }
      await expect.poll(() => exists(told)).toBe(true);
      const [path = '', ...more] = await written(told);
      expect(path).toMatch(/field-console-1\.1\.0\.exe$/);
      expect(await readFile(path, 'utf8')).toBe('an installer');
      expect(more).toEqual(['--updated', '/S', '--force-run']);
    });
  },
);

describe.skipIf(process.platform === 'win32')(
  'a macOS archive (electron-updater’s own updater, elsewhere)',
  () => {
    it('is fetched by Squirrel, which ends the console', async () => {
      const squirrel = new FakeSquirrel(app);
      const away = standIn({ autoUpdater: squirrel });
      try {
        expect(await install(await check('mac-zip', 'an archive'))).toEqual({ kind: 'begun' });
        expect(squirrel.fetched?.toString()).toBe('an archive');
        await until(() => app.steps.includes('squirrel'));
      } finally {
        away();
      }
    });

    it('that Squirrel refuses is said to be so, and the console stays', async () => {
      const squirrel = new FakeSquirrel(app);
      squirrel.refusal = 'Code signature did not pass validation';
      const away = standIn({ autoUpdater: squirrel });
      try {
        const outcome = await install(await check('mac-zip', 'an archive'));
        expect(outcome).toMatchObject({ kind: 'failed', detail: squirrel.refusal });
        expect(app.steps).toEqual([]);
      } finally {
        away();
      }
    });
  },
);
