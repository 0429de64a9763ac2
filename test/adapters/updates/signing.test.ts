import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { judgeRelease } from '../../../src-main/core/features/updates/judge.ts';
import { readTrust } from '../../../src-main/core/features/updates/trust.ts';
import { target, temporaryFolder } from '../../core/features/updates/releases.ts';

/** Where the first pair was made, once: to start a program took most of the time of each test. */
let made: string;
let firstPair: string;
let folder: string;
let keys: string;
let entries: { id: string; publicKey: string; notAfterSequence?: number }[];

/** Runs a program of build/ as a person or the workflow does. */
function build(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const path = fileURLToPath(new URL(`../../../build/${program}`, import.meta.url));
  const { FIELD_CONSOLE_UPDATE_KEY: _key, ...rest } = process.env;
  const ran = spawnSync(process.execPath, [path, ...args], {
    encoding: 'utf8',
    env: { ...rest, ...environment },
  });
  return { status: ran.status, said: ran.stdout, complained: ran.stderr };
}

const makePair = (id: string, into = folder): ReturnType<typeof build> =>
  build('update-key.ts', [id, join(into, `${id}.pem`)]);
const writeKeys = (more: object = {}): Promise<void> =>
  writeFile(keys, JSON.stringify({ channel: 'stable', sequence: 11, server: null, keys: entries, ...more }));
const packages = ['field-console-1.1.0-linux-x86_64.AppImage', 'field-console_1.1.0_amd64.deb'];

function signIt(args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}, files = packages) {
  const paths = files.map((name) => join(folder, name));
  const fixed = ['--keys', keys, '--version', '1.1.0', '--out', folder];
  return build('sign-update.ts', [...fixed, ...args, ...paths], environment);
}

beforeAll(() => {
  made = temporaryFolder();
  firstPair = makePair('first', made).said;
});
beforeEach(async () => {
  folder = temporaryFolder();
  keys = join(folder, 'keys.json');
  await copyFile(join(made, 'first.pem'), join(folder, 'first.pem'));
  entries = [JSON.parse(firstPair) as (typeof entries)[number]];
  await writeKeys();
  for (const name of packages) await writeFile(join(folder, name), `content of ${name}`);
});

describe('a pair of keys', () => {
  it('is made with a private key for its owner alone, which is never written over', async () => {
    const path = join(made, 'first.pem');
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    const before = await readFile(path, 'utf8');
    expect(before).toContain('BEGIN PRIVATE KEY');
    expect(makePair('first', made)).toMatchObject({ status: 1, said: '' });
    expect(await readFile(path, 'utf8')).toBe(before);
    expect(build('update-key.ts', ['Not An Id', join(folder, 'x')]).status).toBe(2);
  });
});

describe('a release', () => {
  it('that the program describes and signs is one that a console takes', async () => {
    expect(signIt(['--key-file', join(folder, 'first.pem'), '--rollout', '25'])).toMatchObject({ status: 0 });
    const verdict = judgeRelease({
      manifest: await readFile(join(folder, 'release.json')),
      signature: await readFile(join(folder, 'release.json.sig')),
      trust: { ...readTrust(JSON.parse(await readFile(keys, 'utf8'))), sequence: 10 },
      target: { ...target, kind: 'deb' },
      running: { version: '1.0.0', sequence: 10 },
      greatestSeen: 0,
      now: Date.now() + 364 * 86_400_000,
    });
    const [, file = ''] = packages;
    const content = await readFile(join(folder, file));
    expect(verdict).toMatchObject({
      kind: 'newer',
      admitted: {
        sequence: 11,
        rollout: 25,
        package: {
          file,
          arch: 'x64',
          bytes: content.byteLength,
          sha512: createHash('sha512').update(content).digest('base64'),
        },
      },
    });
  });

  it('is signed with every key of the variable, for consoles with the old list and the new one', async () => {
    entries.push(JSON.parse(makePair('second').said) as (typeof entries)[number]);
    await writeKeys();
    const pems = await Promise.all(
      ['first', 'second'].map((id) => readFile(join(folder, `${id}.pem`), 'utf8')),
    );
    const signed = signIt([], { FIELD_CONSOLE_UPDATE_KEY: pems.join('\n') });
    expect(signed.said).toContain('signed with first, second');
    const lines = (await readFile(join(folder, 'release.json.sig'), 'utf8')).trim().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['first', 'second']);
    for (const pem of pems) expect(`${signed.said}${signed.complained}`).not.toContain(pem.split('\n')[1]);
  });

  it.each<readonly [string, () => Promise<ReturnType<typeof build>>]>([
    ['no private key', async () => signIt()],
    ['no name of a release', async () => (await writeKeys({ sequence: 0 }), signIt(own()))],
    ['a key that the build does not list', async () => (await writeKeys({ keys: [] }), signIt(own()))],
    [
      'a key that is retired',
      async () => {
        entries = entries.map((entry) => ({ ...entry, notAfterSequence: 10 }));
        await writeKeys();
        return signIt(own());
      },
    ],
    [
      'an unsigned package',
      async () => signIt(own(), {}, ['field-console-1.1.0-linux-x64-unsigned.AppImage']),
    ],
    [
      'a package of another version',
      async () => signIt(own(), {}, ['field-console-1.0.0-linux-x64.AppImage']),
    ],
    ['a file that is no package', async () => signIt(own(), {}, ['release.json'])],
    ['a rollout that is none', async () => signIt([...own(), '--rollout', 'some'])],
    ['a validity that is none', async () => signIt([...own(), '--valid-days', '0'])],
    ['the key as an argument', async () => signIt(['--key', 'MC4CAQAwBQYDK2VwBCIEIA'])],
  ])('is not signed with %s', async (_what, run) => {
    expect((await run()).status).toBe(2);
    await expect(stat(join(folder, 'release.json.sig'))).rejects.toThrow();
  });
});

const own = (): string[] => ['--key-file', join(folder, 'first.pem')];
