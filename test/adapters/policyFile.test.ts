import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { policyPathOf, readMachinePolicy } from '../../src-main/adapters/policyFile.ts';
import { policyOfStart } from '../../src-main/cli/policy.ts';
import { isRoot, temporaryFolder } from './support.ts';
import { saying } from '../support/messages.ts';

const platforms = ['linux', 'darwin', 'win32'] as const;
type Platform = (typeof platforms)[number];

let root: string;
beforeEach(async () => {
  root = await temporaryFolder();
});

/** Where a path of the machine lies in truth. */
const mapPath = (path: string): string =>
  join(root, ...path.split(/[/\\]/).map((part) => part.replace(':', '')));
const read = (platform: Platform) => readMachinePolicy({ platform, mapPath });

/** Files that a test makes belong to whoever runs it. */
async function write(platform: Platform, text: string | Buffer): Promise<string> {
  const path = mapPath(policyPathOf(platform));
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await writeFile(path, text, { mode: 0o644 });
  return path;
}

const unusable = (word: string) => ({
  kind: 'unusable',
  reason: saying(expect.stringContaining(word)),
});
const canBeChanged = (text: string | null = '{}') => ({
  ...unusable('users other than root can change'),
  text,
});

describe('the machine’s policy', () => {
  it('lies where only an administrator writes, whatever the environment says', () => {
    expect(platforms.map(policyPathOf)).toEqual([
      '/etc/field-console/policy.json',
      '/Library/Application Support/Field Console/policy.json',
      'C:\\ProgramData\\Field Console\\policy.json',
    ]);
    expect(policyPathOf('freebsd')).toBe('/etc/field-console/policy.json');
  });

  it.each(platforms)('is absent where there is none (%s)', async (platform) => {
    expect(await read(platform)).toEqual({ kind: 'absent' });
    await mkdir(dirname(mapPath(policyPathOf(platform))), { recursive: true });
    expect(await read(platform)).toEqual({ kind: 'absent' });
  });

  it('is read where files have no owners', async () => {
    await write('win32', '\uFEFF{"version":1}');
    expect(await read('win32')).toEqual({ kind: 'found', text: '{"version":1}' });
  });

  it('does not count when it is a link, a folder, a pipe, too large or not text', async () => {
    const path = await write('linux', '{}');
    await rename(path, `${path}.real`);
    await symlink(`${path}.real`, path);
    expect(await read('linux')).toMatchObject(unusable('a link'));
    await rm(`${path}.real`);
    expect(await read('linux')).toMatchObject(unusable('a link'));
    await rm(path);
    await mkdir(path);
    expect(await read('linux')).toMatchObject(unusable('not a file'));
    await rm(path, { recursive: true });
    execFileSync('mkfifo', [path]);
    expect(await read('linux')).toMatchObject(unusable('not a file'));
    await rm(path);
    await write('linux', 'x'.repeat(65_537));
    expect(await read('linux')).toMatchObject(unusable('larger than 64 KiB'));
    await write('linux', Buffer.from([0x7b, 0xff, 0x7d]));
    expect(await read('linux')).toMatchObject(unusable('not UTF-8'));
  });

  it('does not count when its folder is a file', async () => {
    await mkdir(mapPath('/etc'));
    await writeFile(mapPath('/etc/field-console'), '');
    expect(await read('linux')).toMatchObject(unusable('can’t open'));
  });

  it.skipIf(isRoot)('does not count when it belongs to the user who starts the console', async () => {
    await write('linux', '{}');
    expect(await read('linux')).toEqual(canBeChanged());
  });
});

describe.runIf(isRoot)('the machine’s policy, with files of root (needs root)', () => {
  it.each(['linux', 'darwin'] as const)('counts where no other user may write it (%s)', async (platform) => {
    await write(platform, '{}');
    expect(await read(platform)).toEqual({ kind: 'found', text: '{}' });
  });

  it.each([0o664, 0o646, 0o666])('does not count with the mode %o', async (mode) => {
    await chmod(await write('linux', '{}'), mode);
    expect(await read('linux')).toEqual(canBeChanged());
  });

  it.each([0o775, 0o777, 0o1777])('does not count in a folder with the mode %o', async (mode) => {
    await chmod(dirname(await write('linux', '{}')), mode);
    expect(await read('linux')).toEqual(canBeChanged());
  });

  it('does not count when it, or its folder, belongs to somebody else', async () => {
    const path = await write('linux', '{}');
    await chown(path, 1000, 0);
    expect(await read('linux')).toEqual(canBeChanged());
    await chown(path, 0, 0);
    await chown(dirname(path), 1000, 0);
    expect(await read('linux')).toEqual(canBeChanged());
  });

  it('does not count in a folder that is a link', async () => {
    const path = await write('linux', '{}');
    const folder = dirname(path);
    await rename(folder, `${folder}.real`);
    await symlink(`${folder}.real`, folder);
    expect(await read('linux')).toEqual(canBeChanged());
  });

  it('is invalid rather than absent when others could have changed it', async () => {
    await chmod(await write('linux', '{"version":1,"kiosk":{"mode":"operator"}}'), 0o666);
    const start = { policy: null, kiosk: 'off' } as const;
    expect(await policyOfStart({ start, platform: 'linux', mapPath })).toMatchObject({
      ok: true,
      policy: { source: 'invalid', kiosk: 'operator', exports: false, leave: { kind: 'system' } },
    });
  });
});

describe('the policy of a start', () => {
  const none = { policy: null, kiosk: 'off' } as const;
  const start = (asked: Parameters<typeof policyOfStart>[0]['start'], platform: Platform = 'win32') =>
    policyOfStart({ start: asked, platform, mapPath });
  const file = async (text: string): Promise<string> => {
    const path = join(root, 'named.json');
    await writeFile(path, text);
    return path;
  };

  it('is none on a computer without one', async () => {
    expect(await start(none)).toMatchObject({ ok: true, policy: { source: 'none', kiosk: 'off' } });
    expect(await start({ policy: null, kiosk: 'wallboard' })).toMatchObject({
      policy: { source: 'command-line', kiosk: 'wallboard', leave: { kind: 'anybody' } },
    });
  });

  it('is the machine’s, whose kiosk wins', async () => {
    await write('win32', '{"version":1,"kiosk":{"mode":"wallboard"}}');
    expect(await start({ policy: null, kiosk: 'operator' })).toMatchObject({
      policy: { source: 'machine', path: policyPathOf('win32'), kiosk: 'wallboard' },
    });
  });

  it('is the command line’s only where the machine has none', async () => {
    const policy = await file('{"version":1,"exports":false}');
    expect(await start({ ...none, policy })).toMatchObject({
      ok: true,
      policy: { source: 'command-line', path: policy, exports: false },
    });
    for (const machine of ['{"version":1}', '{']) {
      await write('win32', machine);
      expect(await start({ ...none, policy })).toMatchObject({
        ok: false,
        sentence: expect.stringContaining('This computer has a policy') as string,
      });
    }
  });

  it.each([
    ['{', 'is not JSON'],
    [null, 'there is no file'],
  ])('is the safest form when it cannot be used: %j', async (text, reason) => {
    const policy = text === null ? join(root, 'nowhere.json') : await file(text);
    expect(await start({ kiosk: 'operator', policy })).toMatchObject({
      ok: true,
      policy: {
        source: 'invalid',
        kiosk: 'operator',
        exports: false,
        problem: { code: 'policy-invalid', sentence: saying(expect.stringContaining(reason)) },
      },
    });
  });
});
