import { copyFile, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BlockFeed } from '../../../../src-main/adapters/vault/records/blockFeed.ts';
import { receiveFile } from '../../../../src-main/adapters/vault/records/incoming.ts';
import { headerBytes, sealedChunkBytes } from '../../../../src-main/adapters/vault/records/sealedFile.ts';
import { createHasher, SpoolThreads } from '../../../../src-main/adapters/vault/records/spoolThreads.ts';
import type { IncomingFile, VaultRecords } from '../../../../src-main/core/vault/records.ts';
import { createVirtualClock } from '../../../support/clock.ts';
import { watchThreads } from '../../../support/threads.ts';
import { hasModes, modeOf, temporaryFolder } from '../../support.ts';
import {
  bytesOf,
  fileId,
  foldersOf,
  hashed,
  keysOf,
  mebibyte,
  opened,
  placeOf,
  readBack,
  sharedFolders,
  spooled,
} from './support.ts';

const error = (reason: string): unknown => expect.objectContaining({ name: 'StorageError', reason });
const spoolOf = (place: string): string => join(place, 'spool');
const sealedOf = (place: string, id: string): string => join(spoolOf(place), `${id}.sealed`);
const shared = sharedFolders();

test.each([0, 1, 65_536, mebibyte - 1, mebibyte, mebibyte + 1, 4 * mebibyte, 6 * mebibyte + 12_345])(
  'a file of %d bytes comes back as it was, and what is said of it is true',
  async (size) => {
    const { records, id } = await shared.newVault();
    const bytes = bytesOf(size);
    expect(await spooled(records, fileId(1), bytes)).toEqual(await hashed(bytes));
    expect(await records.spool.list()).toEqual(new Map([[fileId(1), size]]));
    const back = await readBack(records, fileId(1));
    expect(back.error).toBeNull();
    expect(back.bytes.equals(bytes)).toBe(true);
    await records.close();
    const again = await opened(shared.dataDir, { id, fresh: false });
    expect((await readBack(again, fileId(1))).bytes.equals(bytes)).toBe(true);
  },
);

test('files come side by side, and the same bytes are never sealed to the same', async () => {
  const { records, place } = await shared.newVault();
  const bytes = bytesOf(mebibyte + 100);
  const facts = await Promise.all([1, 2, 3, 4, 5].map((number) => spooled(records, fileId(number), bytes)));
  expect(new Set(facts.map((fact) => JSON.stringify(fact))).size).toBe(1);
  const sealed = await Promise.all([1, 2].map((number) => readFile(sealedOf(place, fileId(number)))));
  const [a, b] = sealed;
  if (!a || !b) throw new Error('not there');
  let alike = 0;
  for (let at = headerBytes; at < a.length; at += 1) if (a[at] === b[at]) alike += 1;
  expect(alike / a.length).toBeLessThan(0.01);
});

test('no byte is plain on the disk, and no other user may read the files', async () => {
  const { records, place } = await shared.newVault();
  const bytes = Buffer.alloc(mebibyte + 10, 'a secret of twenty-six. ');
  const file = await records.spool.receive(fileId(1));
  await file.write(bytes);
  const paths = [join(spoolOf(place), `${fileId(1)}.partial`), sealedOf(place, fileId(1))];
  for (const path of paths) {
    expect((await readFile(path)).includes('secret')).toBe(false);
    if (hasModes) expect(await modeOf(path)).toBe(0o600);
    if (path === paths[0]) await file.finish();
  }
  if (hasModes) expect(await modeOf(spoolOf(place))).toBe(0o700);
});

describe('a sealed file that was changed', () => {
  const size = 3 * mebibyte + 1_000;
  const plain = bytesOf(size);
  let place: string;
  let records: VaultRecords;
  let good: Buffer;
  let other: Buffer;
  // Sealed once: every test writes what it made of these in the place of the first.
  beforeAll(async () => {
    ({ place, records } = await shared.newVault('file'));
    await spooled(records, fileId(1), plain);
    await spooled(records, fileId(2), bytesOf(size, 'other'));
    good = await readFile(sealedOf(place, fileId(1)));
    other = await readFile(sealedOf(place, fileId(2)));
  });
  const chunk = (bytes: Buffer, index: number): Buffer =>
    bytes.subarray(headerBytes + index * sealedChunkBytes, headerBytes + (index + 1) * sealedChunkBytes);
  const joined = (bytes: Buffer, ...order: readonly number[]): Buffer =>
    Buffer.concat([bytes.subarray(0, headerBytes), ...order.map((index) => chunk(bytes, index))]);

  const whole: readonly [string, (good: Buffer, other: Buffer) => Buffer][] = [
    ['cut to nothing', () => Buffer.alloc(0)],
    ['cut in its header', (good) => good.subarray(0, headerBytes - 1)],
    ['cut behind its header', (good) => good.subarray(0, headerBytes)],
    ['cut between two chunks', (good) => joined(good, 0, 1, 2)],
    ['cut in its last chunk', (good) => good.subarray(0, -1)],
    ['cut to the tag of its last chunk', (good) => good.subarray(0, headerBytes + 3 * sealedChunkBytes + 16)],
    ['cut to less than a tag', (good) => good.subarray(0, headerBytes + 3 * sealedChunkBytes + 15)],
    ['continued by a byte', (good) => Buffer.concat([good, Buffer.alloc(1)])],
    ['continued by its own chunk', (good) => joined(good, 0, 1, 2, 3, 2)],
    ['continued by a chunk of zeros', (good) => Buffer.concat([good, Buffer.alloc(sealedChunkBytes)])],
    ['exchanged for another file', (_good, other) => other],
    [
      'given the header of another file',
      (good, other) => Buffer.concat([other.subarray(0, headerBytes), good.subarray(headerBytes)]),
    ],
    [
      'given a salt of zeros',
      (good) => Buffer.concat([good.subarray(0, 8), Buffer.alloc(32), good.subarray(headerBytes)]),
    ],
    ['of another format', (good) => Buffer.concat([Buffer.from('FCspool2'), good.subarray(8)])],
  ];
  test.each(whole)('%s gives no byte', async (_name, harm) => {
    await writeFile(sealedOf(place, fileId(1)), harm(good, other));
    const { bytes, error: said } = await readBack(records, fileId(1));
    expect(bytes.byteLength).toBe(0);
    expect(said).toEqual(error('broken'));
  });

  test.each([
    ['two chunks exchanged', (good: Buffer) => joined(good, 1, 0, 2, 3), 0],
    ['a chunk repeated', (good: Buffer) => joined(good, 0, 0, 2, 3), 1],
    [
      'the chunk of another file',
      (good: Buffer, other: Buffer) => Buffer.concat([joined(good, 0, 1), chunk(other, 2), chunk(good, 3)]),
      2,
    ],
    [
      'one bit turned',
      (good: Buffer) => {
        const copy = Buffer.from(good);
        const at = headerBytes + 2 * sealedChunkBytes + 500_000;
        copy[at] = (copy[at] ?? 0) ^ 1;
        return copy;
      },
      2,
    ],
  ] as const)('with %s gives the bytes before it, and then says so', async (_name, harm, before) => {
    await writeFile(sealedOf(place, fileId(1)), harm(good, other));
    const { bytes, error: said } = await readBack(records, fileId(1));
    expect(bytes.equals(plain.subarray(0, before * mebibyte))).toBe(true);
    expect(said).toEqual(error('broken'));
  });

  test('an empty file is no start of another one', async () => {
    const { records, place } = await shared.newVault();
    await spooled(records, fileId(1), new Uint8Array(0));
    await spooled(records, fileId(2), bytesOf(10));
    const empty = await readFile(sealedOf(place, fileId(1)));
    const ten = await readFile(sealedOf(place, fileId(2)));
    await writeFile(sealedOf(place, fileId(2)), ten.subarray(0, empty.byteLength));
    expect(await readBack(records, fileId(2))).toEqual({ bytes: Buffer.alloc(0), error: error('broken') });
  });

  test('under another id, in another vault or with another key gives no byte', async () => {
    const { records, place } = await shared.newVault();
    await spooled(records, fileId(1), bytesOf(100));
    await copyFile(sealedOf(place, fileId(1)), sealedOf(place, fileId(2)));
    expect(await readBack(records, fileId(2))).toEqual({ bytes: Buffer.alloc(0), error: error('broken') });
    for (const [id, keys] of [
      ['b'.repeat(32), { ...keysOf(), identity: 'another' }],
      ['c'.repeat(32), { ...keysOf(), files: keysOf('bob').files }],
    ] as const) {
      const stranger = await opened(shared.dataDir, { id, keys });
      await mkdir(spoolOf(placeOf(shared.dataDir, id)), { recursive: true });
      await copyFile(sealedOf(place, fileId(1)), sealedOf(placeOf(shared.dataDir, id), fileId(1)));
      expect((await readBack(stranger, fileId(1))).bytes.byteLength).toBe(0);
    }
  });

  test('while it is read gives nothing that was not sealed', async () => {
    const { records, place } = await shared.newVault();
    const plain = bytesOf(8 * mebibyte);
    for (const harm of [
      (path: string) => truncate(path, headerBytes + 3 * sealedChunkBytes),
      (path: string) => writeFile(path, Buffer.alloc(8 * sealedChunkBytes)),
    ]) {
      await records.spool.remove(fileId(1));
      await spooled(records, fileId(1), plain);
      let at = 0;
      const read = async (): Promise<void> => {
        for await (const part of records.spool.read(fileId(1))) {
          expect(Buffer.compare(plain.subarray(at, at + part.byteLength), part)).toBe(0);
          at += part.byteLength;
          if (at === 2 * mebibyte) await harm(sealedOf(place, fileId(1)));
        }
      };
      await expect(read()).rejects.toEqual(error('broken'));
      expect(at).toBeLessThan(8 * mebibyte);
    }
  });
});

test('a file that is not there, or is removed while it is read', async () => {
  const { records } = await shared.newVault();
  expect(await readBack(records, fileId(1))).toEqual({ bytes: Buffer.alloc(0), error: error('broken') });
  const plain = bytesOf(3 * mebibyte);
  await spooled(records, fileId(1), plain);
  const parts: Uint8Array[] = [];
  for await (const part of records.spool.read(fileId(1))) {
    parts.push(part);
    await records.spool.remove(fileId(1));
  }
  // An open file outlives its name, except on Windows, where it cannot be removed.
  expect(Buffer.concat(parts).equals(plain)).toBe(true);
  expect(await records.spool.list()).toEqual(new Map());
});

test('a reading that is left, and one that the close overtakes, hold nothing open', async () => {
  const { records } = await shared.newVault();
  await spooled(records, fileId(1), bytesOf(5 * mebibyte));
  for await (const part of records.spool.read(fileId(1))) {
    expect(part.byteLength).toBe(mebibyte);
    break;
  }
  const reading = records.spool.read(fileId(1))[Symbol.asyncIterator]();
  expect((await reading.next()).done).toBe(false);
  await records.close();
  await expect(reading.next()).rejects.toEqual(error('broken'));
});

test('an incomplete file does not count, and is removed at the next start with unknown ones', async () => {
  const { records: first, id, place } = await shared.newVault();
  for (const number of [1, 2, 3]) {
    await spooled(first, fileId(number), bytesOf(number));
    await first.spool.writeSidecar(fileId(number), String(number));
  }
  await first.close();
  const folder = spoolOf(place);
  await rename(join(folder, `${fileId(3)}.sealed`), join(folder, `${fileId(3)}.partial`));
  await writeFile(join(folder, `${fileId(1)}.sidecar.tmp`), 'half');
  await writeFile(join(folder, 'a stranger'), 'stays');
  const again = await opened(shared.dataDir, { id, fresh: false });
  expect([...(await again.spool.list()).keys()].sort()).toEqual([fileId(1), fileId(2)]);
  // Came after the start, before whoever sweeps knew of it.
  await spooled(again, fileId(4), bytesOf(4));
  const coming = await again.spool.receive(fileId(5));
  await again.spool.writeSidecar(fileId(6), '6');
  await again.spool.sweep(new Set([fileId(1), fileId(3)]));
  expect((await readdir(folder)).sort()).toEqual(
    [
      `${fileId(1)}.sealed`,
      `${fileId(1)}.sidecar`,
      `${fileId(3)}.sidecar`,
      `${fileId(4)}.sealed`,
      `${fileId(5)}.partial`,
      `${fileId(6)}.sidecar`,
      'a stranger',
    ].sort(),
  );
  await coming.write(bytesOf(5));
  await coming.finish();
  expect((await again.spool.list()).get(fileId(5))).toBe(5);
});

test('sizes that no sealed file has are said as unknown', async () => {
  const { records, place } = await shared.newVault();
  await spooled(records, fileId(1), bytesOf(mebibyte));
  for (const length of [0, 10, headerBytes, headerBytes + 15, headerBytes + sealedChunkBytes + 3]) {
    await writeFile(sealedOf(place, fileId(2)), Buffer.alloc(length));
    expect(await records.spool.list()).toEqual(
      new Map([
        [fileId(1), mebibyte],
        [fileId(2), -1],
      ]),
    );
  }
  await rm(sealedOf(place, fileId(2)));
  await mkdir(sealedOf(place, fileId(2)));
  expect((await records.spool.list()).get(fileId(2))).toBe(-1);
  expect((await readBack(records, fileId(2))).error).toEqual(
    expect.objectContaining({ name: 'StorageError' }),
  );
});

test('a file that is discarded, before or after its end, or overtaken by the close, leaves nothing', async () => {
  const { records, place } = await shared.newVault();
  const early = await records.spool.receive(fileId(1));
  await early.write(bytesOf(5 * mebibyte));
  await early.discard();
  await early.discard();
  await expect(early.write(bytesOf(1))).rejects.toEqual(error('broken'));
  await expect(early.finish()).rejects.toEqual(error('broken'));
  const late = await records.spool.receive(fileId(1));
  await late.finish();
  await late.discard();
  expect(await readdir(spoolOf(place))).toEqual([]);
  const overtaken = await records.spool.receive(fileId(2));
  await overtaken.write(bytesOf(mebibyte + 1));
  const beginning = records.spool.receive(fileId(3));
  const writing = overtaken.write(bytesOf(20 * mebibyte));
  const outcomes = Promise.allSettled([beginning, writing]);
  await records.close();
  for (const { status } of await outcomes) expect(status).toBe('rejected');
  expect(await readdir(spoolOf(place))).toEqual([]);
});

test('an id is taken once, and what is no id leads nowhere', async () => {
  const { records } = await shared.newVault();
  const [first, second] = await Promise.allSettled([
    records.spool.receive(fileId(1)),
    records.spool.receive(fileId(1)),
  ]);
  expect(second).toEqual({ status: 'rejected', reason: error('blocked') });
  if (first.status !== 'fulfilled') throw new Error('not received');
  await first.value.write(bytesOf(10));
  await first.value.finish();
  await expect(records.spool.receive(fileId(1))).rejects.toEqual(error('blocked'));
  expect((await readBack(records, fileId(1))).bytes.equals(bytesOf(10))).toBe(true);
  for (const bad of ['', '../../../etc/passwd', 'A'.repeat(16), '0'.repeat(17)]) {
    await expect(records.spool.receive(bad)).rejects.toEqual(error('broken'));
    await expect(records.spool.remove(bad)).rejects.toEqual(error('broken'));
    await expect(records.spool.writeSidecar(bad, '')).rejects.toEqual(error('broken'));
    expect((await readBack(records, bad)).error).toEqual(error('broken'));
  }
});

test('sidecars are replaced as a whole, in the order of the calls, and bound to their file', async () => {
  const { records, place } = await shared.newVault();
  expect(await records.spool.sidecars()).toEqual(new Map());
  const writes: Promise<void>[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    for (let number = 0; number < 50; number += 1) {
      writes.push(records.spool.writeSidecar(fileId(number), `${String(number)}:${String(turn)}`));
    }
  }
  await Promise.all(writes);
  const expected = Array.from(
    { length: 50 },
    (_, number) => [fileId(number), `${String(number)}:9`] as const,
  );
  const found = await records.spool.sidecars();
  expect([...found].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual(expected);
  const path = (number: number): string => join(spoolOf(place), `${fileId(number)}.sidecar`);
  await copyFile(path(1), path(2));
  await truncate(path(3), 20);
  await writeFile(path(4), '');
  await rm(path(5));
  await mkdir(path(5));
  await records.spool.remove(fileId(6));
  const after = await records.spool.sidecars();
  for (const number of [2, 3, 4, 5]) expect(after.get(fileId(number)), String(number)).toBeNull();
  expect(after.get(fileId(1))).toBe('1:9');
  expect(after.has(fileId(6))).toBe(false);
  expect((await readdir(spoolOf(place))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  // Written behind a removal that is under way, and removed behind a write.
  const removed = records.spool.remove(fileId(7));
  const written = records.spool.writeSidecar(fileId(7), 'again');
  const last = [records.spool.writeSidecar(fileId(8), 'gone'), records.spool.remove(fileId(8))];
  await Promise.all([removed, written, ...last]);
  const end = await records.spool.sidecars();
  expect(end.get(fileId(7))).toBe('again');
  expect(end.has(fileId(8))).toBe(false);
});

test('the space that is left is known, before there is a folder and after', async () => {
  const { records } = await shared.newVault();
  expect(await records.spool.free()).toBeGreaterThan(0);
  await spooled(records, fileId(1), bytesOf(1));
  expect(await records.spool.free()).toBeGreaterThan(0);
});

describe('bytes on their way', () => {
  test('at most four blocks are held, whatever comes', async () => {
    const taken: (() => void)[] = [];
    const feed = new BlockFeed(() => new Promise<void>((resolve) => taken.push(resolve)));
    expect(feed.memory.byteLength).toBe(4 * mebibyte);
    let written = 0;
    const write = async (): Promise<void> => {
      for (let left = 10; left > 0; left -= 1) {
        await feed.write(new Uint8Array(mebibyte));
        written += 1;
      }
    };
    const writing = write();
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await turn();
    expect([written, taken.length]).toEqual([4, 4]);
    taken.shift()?.();
    await turn();
    expect([written, taken.length]).toEqual([5, 4]);
    while (written < 10) {
      taken.shift()?.();
      await turn();
    }
    await writing;
    const ended = feed.end();
    await turn();
    for (const release of taken) release();
    await turn();
    for (const release of taken) release();
    await ended;
  });

  test('what fails once fails from then on, those that wait among them', async () => {
    const feed = new BlockFeed(() => Promise.reject(new Error('no')));
    const writing = feed.write(new Uint8Array(50 * mebibyte));
    await expect(writing).rejects.toThrow('no');
    await expect(feed.write(new Uint8Array(1))).rejects.toThrow('no');
    await expect(feed.end()).rejects.toThrow('no');
  });
});

describe('bytes that are hashed and not kept', () => {
  test('get the same names, side by side', async () => {
    const dataDir = await temporaryFolder();
    const folders = foldersOf(dataDir);
    const sizes = [0, 1, 3 * mebibyte + 1, 5 * mebibyte];
    const facts = await Promise.all(
      sizes.map(async (size) => {
        const hasher = folders.hasher();
        const bytes = bytesOf(size);
        for (let at = 0; at < size; at += 100_000) await hasher.write(bytes.subarray(at, at + 100_000));
        return hasher.finish();
      }),
    );
    expect(facts).toEqual(await Promise.all(sizes.map((size) => hashed(bytesOf(size)))));
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('can be given up, and end with the folders', async () => {
    const folders = foldersOf(await temporaryFolder());
    const left = folders.hasher();
    await left.write(bytesOf(2 * mebibyte));
    await left.abandon();
    await expect(left.write(bytesOf(1))).rejects.toEqual(error('broken'));
    const cut = folders.hasher();
    await cut.write(bytesOf(2 * mebibyte));
    await folders.close();
    await expect(cut.finish()).rejects.toEqual(error('broken'));
    await cut.abandon();
    expect(() => folders.hasher()).toThrow();
  });
});

test('what was sealed of a file that was left is read after a restart, as far as its pieces hold', async () => {
  const { records, id, place } = await shared.newVault();
  const bytes = bytesOf(3 * mebibyte + 500);
  for (const number of [1, 2]) {
    const file = await records.spool.receive(fileId(number));
    await file.write(bytes);
    await file.leave();
  }
  // Less than a piece is nothing.
  const small = await records.spool.receive(fileId(3));
  await small.write(bytesOf(100));
  await small.leave();
  await records.close();

  const again = await opened(shared.dataDir, { id, fresh: false });
  const left = async (number: number): Promise<Buffer> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of again.spool.readPartial(fileId(number))) pieces.push(Uint8Array.from(piece));
    return Buffer.concat(pieces);
  };
  expect(await again.spool.partials()).toEqual(
    new Map([
      [fileId(1), 3 * mebibyte],
      [fileId(2), 3 * mebibyte],
      [fileId(3), 0],
    ]),
  );
  expect((await left(1)).equals(bytes.subarray(0, 3 * mebibyte))).toBe(true);
  const path = join(spoolOf(place), `${fileId(1)}.partial`);
  const sealed = await readFile(path);
  const at = headerBytes + sealedChunkBytes + 7;
  sealed[at] = (sealed[at] ?? 0) ^ 1;
  await writeFile(path, sealed);
  expect((await left(1)).equals(bytes.subarray(0, mebibyte))).toBe(true);
  // A piece of another file holds nowhere.
  await copyFile(join(spoolOf(place), `${fileId(2)}.partial`), path);
  expect((await left(1)).byteLength).toBe(0);
  expect((await again.spool.list()).size).toBe(0);

  await again.spool.writeSidecar(fileId(2), 'what it is of');
  await again.spool.sweep(new Set(), new Set([fileId(2)]));
  expect((await readdir(spoolOf(place))).toSorted()).toEqual([
    `${fileId(2)}.partial`,
    `${fileId(2)}.sidecar`,
  ]);
  await again.spool.remove(fileId(2));
  expect(await readdir(spoolOf(place))).toEqual([]);
});

test('files that come one after the other pass through the same memory, in which nothing of them stays', async () => {
  const folder = await temporaryFolder();
  const threads = new SpoolThreads({ clock: createVirtualClock(), onThreadLost: () => undefined });
  const taken = new Set<SharedArrayBuffer>();
  const take = threads.takeMemory.bind(threads);
  threads.takeMemory = () => {
    const memory = take();
    expect(new Uint8Array(memory).every((byte) => byte === 0)).toBe(true);
    taken.add(memory);
    return memory;
  };
  const { files } = keysOf();
  for (let number = 1; number < 7; number += 1) {
    const onEnd = (): void => undefined;
    const file = await receiveFile({ folder, id: fileId(number), identity: 'x', files, threads, onEnd });
    await file.write(bytesOf(2 * mebibyte + number));
    if (number % 3 === 0) await file.discard();
    else expect((await file.finish()).bytes).toBe(2 * mebibyte + number);
  }
  const hasher = createHasher(threads);
  await hasher.write(bytesOf(10));
  await hasher.finish();
  await threads.close();
  expect(taken.size).toBe(1);
});

test('a thread that dies fails its file, leaves nothing of it, and the next file gets a new one', async () => {
  const folder = await temporaryFolder();
  let lost = 0;
  const threads = new SpoolThreads({ clock: createVirtualClock(), onThreadLost: () => (lost += 1) });
  const killer = watchThreads();
  let ends = 0;
  const receive = (id: string): Promise<IncomingFile> =>
    receiveFile({ folder, id, identity: 'x', files: keysOf().files, threads, onEnd: () => (ends += 1) });
  try {
    for (const which of ['sealing', 'hashing'] as const) {
      const file = await receive(fileId(1));
      await file.write(bytesOf(mebibyte + 1));
      // The one for sealing is started first, and then the one for hashing is the older.
      expect(await killer.kill('spool', 'oldest'), which).toBe(true);
      await expect(file.write(bytesOf(9 * mebibyte))).rejects.toEqual(error('interrupted'));
      await expect(file.finish()).rejects.toEqual(error('interrupted'));
      expect(await readdir(folder)).toEqual([]);
    }
    expect(ends).toBeGreaterThanOrEqual(2);
    const file = await receive(fileId(1));
    await file.write(bytesOf(mebibyte + 1));
    expect(await file.finish()).toEqual(await hashed(bytesOf(mebibyte + 1)));
    expect(await readdir(folder)).toEqual([`${fileId(1)}.sealed`]);
    // One that keeps dying is not started for ever.
    for (let count = 0; count < 3; count += 1) {
      await (await receive(fileId(2 + count))).discard();
      expect(await killer.kill('spool')).toBe(true);
    }
    await expect(receive(fileId(9))).rejects.toEqual(error('interrupted'));
    expect(lost).toBe(1);
  } finally {
    killer.stop();
    await threads.close();
  }
});
