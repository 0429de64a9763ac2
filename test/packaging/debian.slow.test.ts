import { spawnSync } from 'node:child_process';
import { createHash, createPublicKey } from 'node:crypto';
import { lstat, mkdtemp, mkdir, readFile, readdir, readlink, rm, cp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usage } from '../../src-main/hosts/arguments.ts';
import { pack, run, sha256Of, type Packed } from './support/packed.ts';

/** Whether a program is here; what it proves is skipped by name where it is not. */
const has = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
const epoch = '1795200000';
const testKey = { id: 'test', publicKey: Buffer.alloc(32, 9).toString('base64'), notAfterSequence: 7 };

describe.skipIf(!has('dpkg-deb'))('the Debian package', () => {
  let packed: Packed;
  let file: string;
  let tree: string;
  const build = async (output: string, umask: string): Promise<string> => {
    const command = `umask ${umask}; exec "$0" build/deb.ts --output "$1" --from "$2"`;
    const { status, stdout, stderr } = await run(
      'sh',
      ['-c', command, process.execPath, output, packed.unpacked],
      { cwd: packed.root, env: { SOURCE_DATE_EPOCH: epoch } },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout.trim();
  };
  beforeAll(async () => {
    packed = await pack();
    const list = join(packed.root, 'build/update-keys.json');
    const written = JSON.parse(await readFile(list, 'utf8')) as object;
    await writeFile(list, JSON.stringify({ ...written, sequence: 5, keys: [testKey] }));
    file = await build(join(packed.root, 'deb'), '022');
    tree = await mkdtemp(join(tmpdir(), 'field-console-deb-test-'));
    const { status } = await run('dpkg-deb', ['--raw-extract', file, tree]);
    expect(status).toBe(0);
  }, 300_000);
  afterAll(async () => {
    await packed.remove();
    await rm(tree, { recursive: true, force: true });
  });
  const text = (path: string): Promise<string> => readFile(join(tree, path), 'utf8');
  const unzipped = async (path: string): Promise<string> =>
    gunzipSync(await readFile(join(tree, path))).toString('utf8');

  test('names its version, architecture and what Electron needs', async () => {
    const { stdout } = await run('dpkg-deb', ['--info', file, 'control']);
    const { version } = JSON.parse(await readFile(join(packed.root, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(stdout).toMatch(/^Package: field-console$/m);
    expect(stdout).toContain(`Version: ${version}-1\n`);
    expect(stdout).toMatch(/^Architecture: (amd64|arm64)$/m);
    expect(stdout).not.toMatch(/@[A-Z]+@/);
    for (const library of ['libgtk-3-0', 'libnss3', 'libgbm1', 'libasound2'])
      expect(stdout).toContain(library);
    // Without them the map is drawn by the processor, and it is slow.
    const recommended = /^Recommends: (.*)$/m.exec(stdout)?.[1]?.split(', ');
    for (const library of ['libgl1', 'libegl1', 'libgl1-mesa-dri']) expect(recommended).toContain(library);
    // It asks for the administrator who installs an update.
    expect(recommended).toContain('pkexec | policykit-1');
    expect(file).toMatch(/field-console-[\d.]+-linux-(amd64|arm64)-unsigned\.deb$/);
  });

  test('its application is the packed one, and knows how it came', async () => {
    expect(await sha256Of(join(tree, 'usr/lib/field-console/resources/app.asar'))).toBe(
      await sha256Of(packed.archive),
    );
    expect(await sha256Of(join(tree, 'usr/lib/field-console/field-console'))).toBe(
      await sha256Of(join(packed.unpacked, 'field-console')),
    );
    expect(await text('usr/lib/field-console/resources/install-kind.txt')).toBe('deb\nunsigned\n');
    expect(await readlink(join(tree, 'usr/bin/field-console'))).toBe('../lib/field-console/field-console');
    expect((await lstat(join(tree, 'usr/lib/field-console/field-console'))).mode & 0o777).toBe(0o755);
  });

  test('holds what installs its updates as root, with every key of the build', async () => {
    const installer = join(tree, 'usr/lib/field-console/install-update');
    expect(await readFile(installer, 'utf8')).toBe(
      await readFile(join(packed.root, 'build/deb/install-update'), 'utf8'),
    );
    expect((await lstat(installer)).mode & 0o777).toBe(0o755);
    const installed = ['channel', 'sequence', 'test.last', 'test.pem'];
    expect(await readdir(join(tree, 'usr/lib/field-console/update-keys'))).toEqual(installed);
    expect(await text('usr/lib/field-console/update-keys/channel')).toBe('stable\n');
    expect(await text('usr/lib/field-console/update-keys/sequence')).toBe('5\n');
    const pem = await text('usr/lib/field-console/update-keys/test.pem');
    const der = createPublicKey(pem).export({ format: 'der', type: 'spki' });
    expect(der.subarray(-32).toString('base64')).toBe(testKey.publicKey);
    expect(await text('usr/lib/field-console/update-keys/test.last')).toBe('7\n');
  });

  test('says at the question for an administrator what is to be installed', async () => {
    const action = await text('usr/share/polkit-1/actions/org.fieldconsole.install-update.policy');
    expect(action).toContain('exec.path">/usr/lib/field-console/install-update<');
    expect(action.match(/<allow_\w+>auth_admin</g)).toHaveLength(3);
    expect([...action.matchAll(/<message(?: xml:lang="(\w+)")?>/g)].map(([, tag]) => tag)).toEqual([
      ...[undefined, 'es', 'fr', 'ar', 'hi', 'zh_CN'],
    ]);
  });

  test('everything belongs to root, nothing is writable for others, nothing runs as somebody else', async () => {
    const { stdout } = await run('dpkg-deb', ['--contents', file]);
    const lines = stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThan(40);
    for (const line of lines) {
      expect(line).toMatch(/^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--|lrwxrwxrwx) root\/root /);
    }
  });

  test('its sums are those of its files, all of them', async () => {
    const sums = (await text('DEBIAN/md5sums')).trim().split('\n');
    const files = (await readdir(tree, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(join(tree, 'DEBIAN')));
    expect(sums).toHaveLength(files.length);
    for (const line of sums) {
      const [digest, path] = line.split('  ') as [string, string];
      expect(
        createHash('md5')
          .update(await readFile(join(tree, path)))
          .digest('hex'),
        path,
      ).toBe(digest);
    }
  });

  test('opens deployment files, map packages and links', async () => {
    const entry = await text('usr/share/applications/field-console.desktop');
    expect(entry).toMatch(/^Exec=field-console %u$/m);
    expect(entry).toMatch(
      /^MimeType=application\/vnd\.field-console\.deployment\+json;application\/vnd\.pmtiles;application\/x-mbtiles;x-scheme-handler\/field-console;$/m,
    );
    const types = await text('usr/share/mime/packages/field-console.xml');
    for (const ending of ['fieldconsole', 'pmtiles', 'mbtiles']) {
      expect(types).toContain(`<glob pattern="*.${ending}"/>`);
    }
  });

  test('its manual names every option that the desktop host has', async () => {
    const manual = (await unzipped('usr/share/man/man1/field-console.1.gz')).replaceAll('\\-', '-');
    const options = [...usage.matchAll(/^ {2}(--[a-z-]+)(?: [A-Z]+)? +(.*)$/gm)];
    expect(options.length).toBeGreaterThan(5);
    for (const [, option, words] of options) {
      if (words?.startsWith('browser host')) continue;
      expect(manual, option).toContain(option);
    }
  });

  test('its scripts are sound and do nothing at an upgrade that a removal would', async () => {
    for (const script of ['postinst', 'prerm', 'postrm']) {
      expect((await run('sh', ['-n', join(tree, 'DEBIAN', script)])).status, script).toBe(0);
      expect((await run('sh', [join(tree, 'DEBIAN', script), 'abort-upgrade'])).status, script).toBe(0);
    }
  });

  test('every exception from Debian’s rules has its reason before it', async () => {
    const lines = (await readFile(join(packed.root, 'build/deb/lintian-overrides'), 'utf8')).split('\n');
    const exceptions = lines.flatMap((line, index) => (/^field-console/.test(line) ? [index] : []));
    for (const index of exceptions) expect(lines[index - 1], lines[index]).toMatch(/^# .{20,}/);
  });

  test('the same folder gives the same package, whatever the umask', async () => {
    const again = await build(join(packed.root, 'again'), '077');
    expect(await sha256Of(again)).toBe(await sha256Of(file));
  }, 300_000);

  test.skipIf(!has('lintian'))(
    'lintian finds no error in it',
    async () => {
      const { status, stdout, stderr } = await run('lintian', [
        ...['--allow-root', '--no-cfg', '--fail-on', 'error', file],
      ]);
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    },
    300_000,
  );

  test.skipIf(!has('apparmor_parser'))(
    'AppArmor reads its profile, or knows no user namespaces',
    async () => {
      const { status, stderr } = await run('apparmor_parser', [
        ...['--skip-kernel-load', '--skip-cache', join(tree, 'usr/share/field-console/apparmor')],
      ]);
      // Before version 4 there is neither the rule nor the need for it, and postinst leaves it out.
      if (status !== 0) expect(stderr).toMatch(/abi\/4\.0|userns/);
    },
  );

  test.skipIf(!has('update-mime-database'))('the system takes its types of files', async () => {
    const folder = join(tree, 'try/mime');
    await mkdir(join(folder, 'packages'), { recursive: true });
    await cp(
      join(tree, 'usr/share/mime/packages/field-console.xml'),
      join(folder, 'packages/field-console.xml'),
    );
    const { status, stderr } = await run('update-mime-database', [folder], {
      env: { XDG_DATA_DIRS: join(tree, 'try') },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(await readFile(join(folder, 'globs2'), 'utf8')).toContain(
      'application/vnd.field-console.deployment+json:*.fieldconsole',
    );
  });

  test.skipIf(!has('desktop-file-validate'))('its desktop entry is valid', async () => {
    const entry = join(tree, 'usr/share/applications/field-console.desktop');
    const { status, stdout } = await run('desktop-file-validate', [entry]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  test.skipIf(!has('man'))('its manual is set without a warning', async () => {
    const page = join(tree, 'usr/share/man/man1/field-console.1.gz');
    const { status, stderr } = await run('man', ['--warnings', '-E', 'UTF-8', '-l', '-Tutf8', '-Z', page], {
      env: { MANROFFSEQ: '', MANWIDTH: '80' },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
