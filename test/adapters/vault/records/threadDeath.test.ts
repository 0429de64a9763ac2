import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRecordFolders } from '../../../../src-main/adapters/vault/records/folders.ts';
import { createVirtualClock } from '../../../support/clock.ts';
import { watchThreads, type Threads } from '../../../support/threads.ts';
import { temporaryFolder } from '../../support.ts';
import { foldersOf, opened, placeOf, upload } from './support.ts';

const interrupted = expect.objectContaining({ name: 'StorageError', reason: 'interrupted' }) as unknown;

let threads: Threads;
beforeEach(() => {
  threads = watchThreads();
});
afterEach(() => {
  threads.stop();
});

test('rows that were on their way when the thread died are written by the next one, under the same key', async () => {
  const dataDir = await temporaryFolder();
  // The second start within five minutes waits for a second.
  const clock = createVirtualClock();
  const records = await opened(dataDir, { folders: foldersOf(dataDir, { clock }) });
  await records.store.write([upload('a', 'first')]);
  const writes = ['b', 'c', 'd'].map((id) => records.store.write([upload(id, id)]));
  expect(await threads.kill('vault outbox')).toBe(true);
  await Promise.all(writes);
  await threads.kill('vault outbox');
  expect(await clock.drive(records.store.rows('uploads'))).toEqual({
    rows: [
      { id: 'a', text: 'first' },
      { id: 'b', text: 'b' },
      { id: 'c', text: 'c' },
      { id: 'd', text: 'd' },
    ],
    damaged: 0,
  });
  await records.close();
  const later = await opened(dataDir, { fresh: false });
  expect(later.lost).toBeNull();
  expect((await later.store.rows('uploads')).rows).toHaveLength(4);
});

test('one whose thread died is closed without it', async () => {
  const records = await opened(await temporaryFolder());
  await threads.kill('vault outbox');
  await records.close();
  await expect(records.store.rows('uploads')).rejects.toMatchObject({ name: 'StorageError' });
  expect(threads.started('vault outbox')).toBe(1);
});

test('the next start finds out that a database is missing, not the restarted thread', async () => {
  const dataDir = await temporaryFolder();
  let lost = 0;
  const folders = createRecordFolders({
    dataDir,
    clock: createVirtualClock(),
    onThreadLost: () => (lost += 1),
  });
  try {
    const records = await opened(dataDir, { folders });
    await threads.kill('vault outbox');
    const path = join(placeOf(dataDir), 'outbox.sqlite');
    for (const part of ['', '-wal', '-shm']) await rm(path + part, { force: true });
    await expect(records.store.rows('uploads')).rejects.toEqual(interrupted);
    await expect(records.store.write([upload('a', 'a')])).rejects.toEqual(interrupted);
    expect(lost).toBeGreaterThan(0);
    expect(existsSync(path)).toBe(false);
  } finally {
    await folders.close();
  }
  expect((await opened(dataDir, { fresh: false })).lost).toBe('missing');
});
