import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { takeOwnership, type OwnerLock, type OwnerLockResult } from '../../src-main/adapters/ownerLock.ts';
import { endlessMbtiles } from '../support/mapFiles.ts';
import { hasModes, modeOf, temporaryFolder } from './support.ts';

const program = fileURLToPath(new URL('programs/ownFolder.ts', import.meta.url));
const me = { pid: 1, host: 'desktop', startedAt: 99 } as const;
const children: ChildProcess[] = [];
const locks: OwnerLock[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const lock of locks.splice(0)) lock.release();
});

/** Another process that tries to own `dataDir`, and what it was told. */
async function other(dataDir: string): Promise<{ child: ChildProcess; result: Record<string, unknown> }> {
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  if (!child.stdout) throw new Error('The program has no output');
  for await (const line of createInterface(child.stdout)) {
    return { child, result: JSON.parse(line) as Record<string, unknown> };
  }
  throw new Error('The program ended without a word');
}

function take(dataDir: string): OwnerLockResult {
  const result = takeOwnership(dataDir, me);
  if (result.owned) locks.push(result);
  return result;
}

test('a second process learns who has the folder, and gets it when the first is killed', async () => {
  const dataDir = await temporaryFolder();
  const { child, result } = await other(dataDir);
  expect(result['owned']).toBe(true);
  expect(take(dataDir)).toEqual({ owned: false, owner: { pid: child.pid, host: 'browser', startedAt: 12 } });
  child.kill('SIGKILL');
  await once(child, 'exit');
  // What the killed one wrote about itself is still there, and nobody believes it.
  expect(await readdir(dataDir)).toContain('owner.json');
  expect(take(dataDir).owned).toBe(true);
  expect((await other(dataDir)).result).toEqual({ owned: false, owner: me });
});

test.skipIf(process.platform === 'win32').each(['pipe', 'link', 'database'])(
  'a %s in the place of the lock is refused, and nothing hangs',
  async (kind) => {
    const dataDir = await temporaryFolder();
    const path = join(dataDir, 'owner.lock');
    if (kind === 'link') await symlink(join(dataDir, 'elsewhere'), path);
    else if (kind === 'pipe') execFileSync('mkfifo', [path]);
    else await writeFile(path, endlessMbtiles());
    expect(take(dataDir)).toEqual({
      owned: false,
      owner: null,
      sentence: `${path} is not an empty plain file. Remove it.`,
    });
    expect(await readdir(dataDir)).toEqual(['owner.lock']);
  },
);

test('a link in the place of what describes the owner is not written through', async () => {
  const dataDir = await temporaryFolder();
  const target = join(dataDir, 'target');
  await writeFile(target, 'of somebody else');
  await symlink(target, join(dataDir, 'owner.json.tmp'));
  expect(take(dataDir).owned).toBe(true);
  expect(await readFile(target, 'utf8')).toBe('of somebody else');
});

test('the owner can say where it is reached, and gives the folder back', async () => {
  const dataDir = await temporaryFolder();
  const lock = take(dataDir);
  if (!lock.owned) throw new Error('not owned');
  lock.announce({ ...me, url: 'http://127.0.0.1:4000' });
  expect(take(dataDir)).toEqual({ owned: false, owner: { ...me, url: 'http://127.0.0.1:4000' } });
  if (hasModes) {
    expect(await modeOf(join(dataDir, 'owner.json'))).toBe(0o600);
    expect(await modeOf(join(dataDir, 'owner.lock'))).toBe(0o600);
  }
  lock.release();
  lock.release();
  expect(take(dataDir).owned).toBe(true);
});

test('an owner that left no readable word is an owner all the same', async () => {
  const dataDir = await temporaryFolder();
  take(dataDir);
  await writeFile(join(dataDir, 'owner.json'), '{"pid":');
  expect(take(dataDir)).toEqual({ owned: false, owner: null });
  await rm(join(dataDir, 'owner.json'));
  expect(take(dataDir)).toEqual({ owned: false, owner: null });
});

test.skipIf(process.platform === 'win32')('a lock whose file was removed is taken again', async () => {
  const dataDir = await temporaryFolder();
  const lock = take(dataDir);
  if (!lock.owned) throw new Error('not owned');
  expect(lock.check()).toBe('held');
  await rm(join(dataDir, 'owner.lock'));
  expect(lock.check()).toBe('taken-again');
  expect(lock.check()).toBe('held');
  expect((await other(dataDir)).result).toEqual({ owned: false, owner: me });
  lock.release();
  expect(lock.check()).toBe('held');
  expect((await other(dataDir)).result['owned']).toBe(true);
});

test.skipIf(process.platform === 'win32')('a lock that another console got meanwhile is lost', async () => {
  const dataDir = await temporaryFolder();
  const lock = take(dataDir);
  if (!lock.owned) throw new Error('not owned');
  await rm(join(dataDir, 'owner.lock'));
  expect((await other(dataDir)).result['owned']).toBe(true);
  expect(lock.check()).toBe('lost');
  expect(lock.check()).toBe('lost');
});

test('a lock file that is no database is said, not taken', async () => {
  const dataDir = await temporaryFolder();
  await writeFile(join(dataDir, 'owner.lock'), 'not a database, and longer than a header is'.repeat(40));
  expect(take(dataDir)).toMatchObject({
    owned: false,
    sentence: expect.stringContaining('is not an empty plain file') as string,
  });
});
