import { spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  makeKey,
  makeRelease,
  runningSequence,
  type ReleaseChange,
  type TestKey,
} from '../core/features/updates/releases.ts';
import { run, type Ran } from './support/packed.ts';

/** Whether a program is here; what it proves is skipped by name where it is not. */
const has = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
const script = join(import.meta.dirname, '../../build/deb/install-update');

/**
 * The script as root runs it, with a database of packages, keys and temporary files of the test's own; openssl and
 * dpkg are the real ones.
 */
describe.skipIf(!has('dpkg') || !has('openssl'))('install-update, which root runs', () => {
  let folder: string;
  let installer: string;
  let programs: string;
  let keys: string;
  const current = makeKey('release-2026');

  const wrap = async (name: string, words: string): Promise<void> => {
    await writeFile(join(programs, name), `#!/bin/sh\n${words}\n`);
    await chmod(join(programs, name), 0o755);
  };
  const trust = async ({ entry }: TestKey, last?: number): Promise<void> => {
    const head = Buffer.from('302a300506032b6570032100', 'hex');
    const der = Buffer.concat([head, Buffer.from(entry.publicKey, 'base64')]);
    const pem = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({
      format: 'pem',
      type: 'spki',
    });
    await writeFile(join(keys, `${entry.id}.pem`), pem);
    if (last !== undefined) await writeFile(join(keys, `${entry.id}.last`), `${last}\n`);
  };
  /** A package of this version that holds one file with these words. */
  const makePackage = async (version: string, words: string, name = 'field-console'): Promise<Buffer> => {
    const tree = await mkdtemp(join(folder, 'tree-'));
    await mkdir(join(tree, 'DEBIAN'));
    await mkdir(join(tree, 'usr'));
    await writeFile(join(tree, 'usr/words'), words);
    const fields = [
      `Package: ${name}`,
      `Version: ${version}`,
      'Architecture: all',
      'Maintainer: nobody <a@b.invalid>',
    ];
    await writeFile(join(tree, 'DEBIAN/control'), `${fields.join('\n')}\nDescription: a test\n`);
    await chmod(tree, 0o755);
    await chmod(join(tree, 'DEBIAN'), 0o755);
    const file = `${tree}.deb`;
    const { status, stderr } = await run('dpkg-deb', ['--root-owner-group', '--build', tree, file]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return readFile(file);
  };
  const path = (): string => join(folder, 'field-console-1.1.0.deb');
  /** Lays a package and its release where the console hands them over. */
  const handOver = async (content: Buffer, change: ReleaseChange = {}): Promise<void> => {
    const { manifest, signature } = makeRelease(current, { content, ...change });
    await writeFile(path(), content);
    await writeFile(`${path()}.json`, manifest);
    await writeFile(`${path()}.json.sig`, signature);
  };
  /** The same of a release whose text is changed before it is signed. */
  const handOverText = async (content: Buffer, change: (text: string) => string): Promise<void> => {
    await handOver(content);
    const manifest = Buffer.from(change(await readFile(`${path()}.json`, 'utf8')));
    await writeFile(`${path()}.json`, manifest);
    await writeFile(`${path()}.json.sig`, current.line(manifest));
  };
  const install = (): Promise<Ran> => run('sh', [installer, path()]);
  const installed = async (): Promise<string> => readFile(join(folder, 'root/usr/words'), 'utf8');
  const refused = (words: string) => ({
    status: 1,
    stdout: '',
    stderr: `The update was not installed: ${words}\n`,
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'field-console-install-update-'));
    programs = join(folder, 'programs');
    keys = join(folder, 'keys');
    for (const name of ['programs', 'keys', 'work', 'root', 'root/var', 'root/var/lib'])
      await mkdir(join(folder, name));
    const database = join(folder, 'root/var/lib/dpkg');
    for (const name of ['', 'info', 'updates', 'triggers']) await mkdir(join(database, name));
    for (const name of ['status', 'available']) await writeFile(join(database, name), '');
    // Who is not root may still install into a folder of its own.
    const options = `--root='${join(folder, 'root')}' --force-not-root --force-script-chrootless`;
    await wrap('dpkg', `exec /usr/bin/dpkg ${options} --log=/dev/null "$@"`);
    await wrap('dpkg-query', `exec /usr/bin/dpkg-query --admindir='${database}' "$@"`);
    let text = await readFile(script, 'utf8');
    for (const [from, to] of [
      ['keys=/usr/lib/field-console/update-keys\n', `keys='${keys}'\n`],
      ['PATH=/usr/sbin:', `PATH='${programs}':/usr/sbin:`],
      ['/var/tmp/field-console-update', `${join(folder, 'work')}/field-console-update`],
    ] as const) {
      expect(text.split(from)).toHaveLength(2);
      text = text.replace(from, to);
    }
    installer = join(folder, 'install-update');
    await writeFile(installer, text);
    await trust(current);
    await writeFile(join(keys, 'channel'), 'stable\n');
    await writeFile(join(keys, 'sequence'), `${runningSequence}\n`);
    const first = join(folder, 'first.deb');
    await writeFile(first, await makePackage('1.0.0-1', 'old'));
    const { status, stderr } = await run(join(programs, 'dpkg'), ['--install', first]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
  afterEach(async () => {
    expect(await readdir(join(folder, 'work')), 'nothing is left behind').toEqual([]);
    await rm(folder, { recursive: true, force: true });
  });

  test('installs a newer package of a signed release', async () => {
    await handOver(await makePackage('1.1.0-1', 'new'));
    expect(await install()).toMatchObject({ status: 0, stderr: '' });
    expect(await installed()).toBe('new');
  });

  test('installs what it checked, whatever lies at the path by then', async () => {
    await handOver(await makePackage('1.1.0-1', 'new'));
    const other = join(folder, 'other.deb');
    await writeFile(other, await makePackage('1.2.0-1', 'exchanged'));
    // An exchange at the worst moment: when the check begins.
    await wrap('openssl', `cp '${other}' '${path()}'\nexec /usr/bin/openssl "$@"`);
    expect(await install()).toMatchObject({ status: 0, stderr: '' });
    expect(await installed()).toBe('new');
  });

  test('refuses a package that was exchanged before it was asked', async () => {
    await handOver(await makePackage('1.1.0-1', 'new'));
    await writeFile(path(), await makePackage('1.1.0-1', 'exchanged'));
    expect(await install()).toEqual(refused('the package is not one of the release.'));
    expect(await installed()).toBe('old');
  });

  test.each<[string, (content: Buffer) => Promise<void>, string]>([
    [
      'a release of an unknown key',
      (content) => handOver(content, { signedBy: [makeKey('another')] }),
      'no key of this installation signed the release.',
    ],
    [
      'a release that another key signed under a known name',
      (content) => handOver(content, { signedBy: [makeKey('release-2026')] }),
      'no key of this installation signed the release.',
    ],
    [
      'a release that was changed after it was signed',
      async (content) => {
        await handOver(content);
        const text = await readFile(`${path()}.json`, 'utf8');
        await writeFile(`${path()}.json`, text.replace('"stable"', '"nightly"'));
      },
      'no key of this installation signed the release.',
    ],
    [
      'a release with two numbers',
      (content) => handOver(content, { manifest: { further: { sequence: 1 } } }),
      'the release has no single number.',
    ],
    [
      'a number with an exponent',
      (content) => handOverText(content, (text) => text.replace(/"sequence":\d+/, (whole) => `${whole}e1`)),
      'the release has no single number.',
    ],
    [
      'a number in two parts',
      (content) => handOverText(content, (text) => text.replace('"sequence":11', '"sequence":1 1')),
      'the release has no single number.',
    ],
    [
      'a number as a text',
      (content) => handOverText(content, (text) => text.replace('"sequence":11', '"sequence":"11"')),
      'the release has no single number.',
    ],
    [
      'the release that is installed',
      (content) => handOver(content, { release: { sequence: runningSequence } }),
      'a later release, or this one, is installed.',
    ],
    [
      'an earlier release with a later version',
      (content) => handOver(content, { release: { sequence: runningSequence - 1, version: '9.9.9' } }),
      'a later release, or this one, is installed.',
    ],
    [
      'a release that expired',
      (content) => handOver(content, { release: { expiresAt: '2020-01-01T00:00:00.000Z' } }),
      'the release has expired.',
    ],
    [
      'a release that names no time',
      (content) => handOver(content, { release: { expiresAt: '2099-13-45T00:00:00Z' } }),
      'the release names no time until which it is valid.',
    ],
    [
      'a release of another product',
      (content) => handOver(content, { manifest: { product: 'another' } }),
      'it is a release of another program.',
    ],
    [
      'a release of two products',
      (content) => handOver(content, { manifest: { further: { product: 'another' } } }),
      'the release names no product.',
    ],
    [
      'a release of another channel',
      (content) => handOver(content, { manifest: { channel: 'nightly' } }),
      'it is a release of another channel.',
    ],
    [
      'a release of another form',
      (content) => handOver(content, { manifest: { version: 2 } }),
      'the release is of another form.',
    ],
    [
      'a release with escapes',
      (content) => handOver(content, { manifest: { further: 'a "quoted" word' } }),
      'the release cannot be read.',
    ],
    [
      'a package that is a device',
      async (content) => {
        await handOver(content);
        await rm(path());
        await symlink('/dev/zero', path());
      },
      'update.deb is no file.',
    ],
    [
      'a release that is too large',
      async (content) => {
        await handOver(content);
        await writeFile(`${path()}.json`, Buffer.alloc(65_537, ' '));
      },
      'release.json is too large.',
    ],
    [
      'signatures that are missing',
      async (content) => {
        await handOver(content);
        await rm(`${path()}.json.sig`);
      },
      'release.json.sig is no file.',
    ],
    [
      'a key name that is a path',
      async (content) => {
        await trust({ ...current, entry: { ...current.entry, id: 'release' } });
        await handOver(content);
        const line = await readFile(`${path()}.json.sig`, 'utf8');
        await writeFile(`${path()}.json.sig`, line.replace('release-2026', '../keys/release'));
      },
      'no key of this installation signed the release.',
    ],
  ])('refuses %s', async (_name, prepare, words) => {
    await prepare(await makePackage('1.1.0-1', 'new'));
    expect(await install()).toEqual(refused(words));
    expect(await installed()).toBe('old');
  });

  test('believes a retired key up to its last release', async () => {
    const retired = makeKey('release-2025');
    await trust(retired, 11);
    const content = await makePackage('1.1.0-1', 'new');
    await handOver(content, { signedBy: [retired], release: { sequence: 12 } });
    expect(await install()).toEqual(refused('no key of this installation signed the release.'));
    await handOver(content, { signedBy: [makeKey('another'), retired], release: { sequence: 11 } });
    expect(await install()).toMatchObject({ status: 0, stderr: '' });
    expect(await installed()).toBe('new');
  });

  test('installs nothing of a retired key, whatever number it gives itself', async () => {
    const retired = makeKey('release-2025');
    await trust(retired, 5);
    const content = await makePackage('9.9.9-1', 'stolen');
    for (const [sequence, words] of [
      [12, 'no key of this installation signed the release.'],
      [6, 'no key of this installation signed the release.'],
      [5, 'a later release, or this one, is installed.'],
      [1, 'a later release, or this one, is installed.'],
    ] as const) {
      await handOver(content, { signedBy: [retired], release: { sequence, version: '9.9.9' } });
      expect(await install()).toEqual(refused(words));
    }
    expect(await installed()).toBe('old');
  });

  test('refuses another program, and what is not newer', async () => {
    await handOver(await makePackage('1.1.0-1', 'new', 'another'));
    expect(await install()).toEqual(refused('it is another program.'));
    for (const version of ['1.0.0-1', '0.9.0-1', '1.0.0~beta.1-1']) {
      await handOver(await makePackage(version, 'new'));
      expect(await install()).toEqual(refused(`${version} is not newer than 1.0.0-1.`));
    }
    expect(await installed()).toBe('old');
  });
});
