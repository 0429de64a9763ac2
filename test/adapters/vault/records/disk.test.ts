import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ran } from '../../../support/smallDisk.ts';
import { mayMount, smallDisk, temporaryFolder } from '../../support.ts';
import {
  bytesOf,
  fileId,
  foldersOf,
  mebibyte,
  opened,
  placeOf,
  readBack,
  spooled,
  upload,
} from './support.ts';

const error = (reason: string): unknown => expect.objectContaining({ name: 'StorageError', reason });

describe('a separate disk', () => {
  const possible = mayMount();

  test.runIf(possible)(
    'full while a file comes: said, nothing of it stays, and the next one fits',
    async () => {
      const disk = await smallDisk(8);
      const records = await opened(disk);
      await spooled(records, fileId(1), bytesOf(mebibyte));
      const free = (await records.spool.free()) ?? 0;
      expect(free).toBeGreaterThan(5 * mebibyte);
      const file = await records.spool.receive(fileId(2));
      const write = async (): Promise<void> => {
        for (let left = 30; left > 0; left -= 1) await file.write(bytesOf(mebibyte));
        await file.finish();
      };
      await expect(write()).rejects.toEqual(error('full'));
      await expect(file.write(bytesOf(1))).rejects.toEqual(error('full'));
      await expect(file.finish()).rejects.toEqual(error('full'));
      expect(await readdir(join(placeOf(disk), 'spool'))).toEqual([`${fileId(1)}.sealed`]);
      expect(await records.spool.free()).toBeGreaterThanOrEqual(free - 100_000);
      await file.discard();
      await spooled(records, fileId(2), bytesOf(2 * mebibyte));
      expect((await readBack(records, fileId(2))).bytes.equals(bytesOf(2 * mebibyte))).toBe(true);
    },
  );

  test.runIf(possible)(
    'full: rows, sidecars and the head stay as they were, and change when there is room',
    async () => {
      const disk = await smallDisk(8);
      const records = await opened(disk);
      await records.store.write([upload('a', 'old')]);
      await records.store.writeHead('old');
      await records.spool.writeSidecar(fileId(1), 'old');
      ran('dd', 'if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=4096');
      await expect(records.store.write([upload('a', 'x'.repeat(500_000))])).rejects.toEqual(error('full'));
      await expect(records.store.writeHead('new')).rejects.toEqual(error('full'));
      await expect(records.spool.writeSidecar(fileId(1), 'new')).rejects.toEqual(error('full'));
      await expect(spooled(records, fileId(2), bytesOf(10))).rejects.toEqual(error('full'));
      expect((await records.store.rows('uploads')).rows).toEqual([{ id: 'a', text: 'old' }]);
      expect((await records.store.readHead()).text).toBe('old');
      expect((await records.spool.sidecars()).get(fileId(1))).toBe('old');
      expect(await readdir(join(placeOf(disk), 'spool'))).toEqual([`${fileId(1)}.sidecar`]);
      // A first opening that fails leaves nothing that the next one would take for damage.
      await expect(opened(disk, { id: 'b'.repeat(32) })).rejects.toEqual(error('full'));
      await rm(join(disk, 'filler'));
      expect((await opened(disk, { id: 'b'.repeat(32), fresh: false })).lost).toBe('missing');
      await records.store.write([upload('a', 'new')]);
      await records.store.writeHead('new');
      await records.spool.writeSidecar(fileId(1), 'new');
      await records.close();
      const again = await opened(disk, { fresh: false });
      expect(again.lost).toBeNull();
      expect((await again.store.rows('uploads')).rows).toEqual([{ id: 'a', text: 'new' }]);
    },
  );

  test.runIf(possible)(
    'gone read-only: what there is can be read, every change is refused until it can be written',
    async () => {
      const disk = await smallDisk(8);
      const first = await opened(disk);
      await first.store.write([upload('a', '1')]);
      await first.store.writeHead('1');
      await spooled(first, fileId(1), bytesOf(100));
      await first.spool.writeSidecar(fileId(1), '1');
      await first.close();
      expect(ran('mount', '-o', 'remount,ro', disk)).toBe(true);
      const records = await opened(disk, { fresh: false });
      expect(records.lost).toBeNull();
      expect((await records.store.rows('uploads')).rows).toEqual([{ id: 'a', text: '1' }]);
      expect((await records.store.readHead()).text).toBe('1');
      expect((await readBack(records, fileId(1))).bytes.equals(bytesOf(100))).toBe(true);
      expect((await records.spool.sidecars()).get(fileId(1))).toBe('1');
      const changes = [
        () => records.store.write([upload('b', '1')]),
        () => records.store.writeHead('2'),
        () => records.spool.writeSidecar(fileId(1), '2'),
        () => records.spool.receive(fileId(2)),
        () => records.spool.remove(fileId(1)),
        () => foldersOf(disk).openTemporary(),
      ];
      for (const change of changes) await expect(change()).rejects.toEqual(error('read-only'));
      expect(ran('mount', '-o', 'remount,rw', disk)).toBe(true);
      await records.store.write([upload('b', '1')]);
      expect((await records.store.rows('uploads')).rows).toEqual([
        { id: 'a', text: '1' },
        { id: 'b', text: '1' },
      ]);
    },
  );
});

test.skipIf(process.platform === 'win32')(
  'a file beyond the largest that the system allows: said, and nothing of it stays',
  async () => {
    const dataDir = await temporaryFolder();
    const program = fileURLToPath(new URL('../../programs/spoolOnce.ts', import.meta.url));
    // In blocks of 512 or of 1,024 bytes, as the shell has it: 2 or 4 MiB.
    const script = 'ulimit -f 4096; exec "$0" "$@"';
    const { stdout } = spawnSync('sh', ['-c', script, process.execPath, program, dataDir, '9'], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('full\n');
    expect(await readdir(join(placeOf(dataDir), 'spool'))).toEqual([]);
  },
);

test('a file where the folders should be is said', async () => {
  const dataDir = await temporaryFolder();
  const records = await opened(dataDir);
  await writeFile(join(placeOf(dataDir), 'spool'), '');
  await expect(records.spool.receive(fileId(1))).rejects.toEqual(error('blocked'));
  await expect(records.spool.writeSidecar(fileId(1), 'x')).rejects.toEqual(error('blocked'));
  await mkdir(join(placeOf(dataDir), 'actions.head'));
  await expect(records.store.writeHead('x')).rejects.toEqual(error('blocked'));
});
