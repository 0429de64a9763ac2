import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  blockBytes,
  blockEntries,
  blockOf,
  blockPlace,
  entriesOf,
  sealBlock,
  unsealBlock,
  type Block,
} from '../../core/vault/block.ts';
import { sealRecord, unsealRecord } from '../../core/vault/seal.ts';
import { IdNumbers } from '../../core/state/idNumbers.ts';
import { separator } from '../../core/vault/entry.ts';
import type { CacheKeys, EntryBatch } from '../../core/vault/storage.ts';
import { SealedSum } from './sealedSum.ts';

/** The most entries, and bytes of them, that are delivered at once: more would make a page stall. */
const batchEntries = 2000;
const batchBytes = 1024 * 1024;

/** The block of every incident. Only in memory: on the disk it would be a readable list of incidents. */
interface Directory {
  readonly blockOf: IdNumbers;
  /** The block begun last, while it has room. */
  tail: number | null;
  next: number;
  /** Of all blocks with a valid seal. */
  readonly sum: SealedSum;
}

const newDirectory = ({ lookup }: CacheKeys): Directory => ({
  blockOf: new IdNumbers(),
  tail: null,
  next: 1,
  sum: new SealedSum(lookup),
});

/**
 * The incidents of an open cache, in sealed blocks. A change seals the blocks again that it touches; new incidents go
 * into the last block or a new one. An incident stays in its block, so that damage in any order cannot bring back an
 * older version from another block. The sum of all blocks shows when a block itself is an older one.
 */
export class CacheBlocks {
  readonly #keys: CacheKeys;
  readonly #read: StatementSync;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;
  readonly #after: StatementSync;
  /** Numbers that only damage can produce. */
  readonly #dropStray: StatementSync;
  /** Null until all blocks were read once, and after a change that could not be undone in memory. */
  #directory: Directory | null = null;

  constructor(database: DatabaseSync, keys: CacheKeys) {
    this.#keys = keys;
    this.#read = database.prepare('SELECT sealed FROM blocks WHERE number = ?');
    this.#put = database.prepare(
      'INSERT INTO blocks (number, entries, sealed) VALUES (?, ?, ?) ' +
        'ON CONFLICT (number) DO UPDATE SET entries = excluded.entries, sealed = excluded.sealed',
    );
    this.#drop = database.prepare('DELETE FROM blocks WHERE number = ?');
    this.#after = database.prepare(
      `SELECT number, CASE WHEN entries BETWEEN 1 AND ${String(blockEntries)} THEN entries ELSE 1 END AS entries, sealed
       FROM blocks WHERE number > ? AND number < ${String(Number.MAX_SAFE_INTEGER)} ORDER BY number LIMIT 16`,
    );
    this.#dropStray = database.prepare(
      `DELETE FROM blocks WHERE number < 1 OR number >= ${String(Number.MAX_SAFE_INTEGER)}`,
    );
  }

  /**
   * Reads all blocks in batches. Blocks with a broken seal are dropped and counted at the end. The caller must read to
   * the end, so that a change finds its incidents without reading again.
   */
  *load(): Generator<Uint8Array, { readonly incidents: number; readonly damaged: number }> {
    const directory = newDirectory(this.#keys);
    const broken: number[] = [];
    let damaged = 0;
    let parts: Uint8Array[] = [];
    let count = 0;
    let bytes = 0;
    for (let number = 0; ;) {
      const rows = this.#after.all(number);
      if (rows.length === 0) break;
      for (const row of rows) {
        number = Number(row['number']);
        const sealed = row['sealed'];
        const block = sealed instanceof Uint8Array ? this.#open(number, sealed) : null;
        directory.next = number + 1;
        directory.tail = null;
        if (!block) {
          broken.push(number);
          damaged += Number(row['entries']);
          continue;
        }
        directory.sum.toggle(sealed);
        const known = unknownOf(block, directory.blockOf);
        for (const id of known.ids) directory.blockOf.set(id, number);
        if (known.ids.length === 0) continue;
        if (known.ids.length < blockEntries) directory.tail = number;
        const size = known.ids.length;
        if (count > 0 && (count + size > batchEntries || bytes + known.entries.byteLength > batchBytes)) {
          const batch = joined(parts, bytes);
          parts.forEach(free);
          yield batch;
          parts = [];
          count = 0;
          bytes = 0;
        }
        parts.push(known.entries);
        count += size;
        bytes += known.entries.byteLength;
      }
    }
    if (count > 0) yield joined(parts, bytes);
    damaged += this.#dropAll(broken);
    this.#directory = directory;
    return { incidents: directory.blockOf.size, damaged };
  }

  /** The sum of the present blocks. */
  get sum(): string {
    return this.#known().sum.text;
  }

  get entries(): number {
    return this.#known().blockOf.size;
  }

  /** Must run in a transaction. After its rollback call `forget`. */
  apply(upserts: EntryBatch, removals: readonly string[]): void {
    const directory = this.#known();
    const touched = new Map<number, Map<string, string>>();
    const open = (number: number): Map<string, string> => {
      const entries = touched.get(number) ?? this.#entries(number);
      touched.set(number, entries);
      return entries;
    };
    for (const id of removals) {
      const number = directory.blockOf.get(id);
      if (number === undefined) continue;
      open(number).delete(id);
      directory.blockOf.delete(id);
    }
    if (upserts.ids.length > 0) this.#upsert(upserts, directory, open);
    for (const [number, entries] of touched) {
      if (entries.size > 0) this.#seal(number, blockOf(entries), directory);
      else {
        directory.sum.toggle(this.#sealedAt(number));
        this.#drop.run(number);
        if (directory.tail === number) directory.tail = null;
      }
    }
  }

  /** Drops the directory; it is read again when needed. */
  forget(): void {
    this.#directory = null;
  }

  #upsert(upserts: EntryBatch, directory: Directory, open: (number: number) => Map<string, string>): void {
    const isNew = !upserts.ids.some((id) => directory.blockOf.has(id));
    const { ids } = upserts;
    // Entries of a first read are sealed as they came.
    if (
      isNew &&
      ids.length > blockEntries / 2 &&
      ids.length <= blockEntries &&
      upserts.entries.byteLength <= blockBytes
    ) {
      const number = directory.next++;
      this.#seal(number, upserts, directory);
      for (const id of ids) directory.blockOf.set(id, number);
      if (ids.length < blockEntries) directory.tail = number;
      return;
    }
    let tailBytes = -1;
    for (const [id, text] of entriesOf(upserts)) {
      let number = directory.blockOf.get(id);
      if (number === undefined) {
        if (tailBytes < 0 && directory.tail !== null) tailBytes = bytesOf(open(directory.tail));
        const full =
          directory.tail === null ||
          open(directory.tail).size >= blockEntries ||
          tailBytes + text.length > blockBytes;
        if (full) {
          directory.tail = directory.next++;
          tailBytes = 0;
        }
        number = directory.tail ?? directory.next++;
        tailBytes += text.length;
        directory.blockOf.set(id, number);
      }
      open(number).set(id, text);
    }
  }

  /**
   * Drops damaged blocks, and those with a number that was never given; returns how many of the latter. Blocks that
   * cannot be dropped are counted again at the next reading, which does no harm.
   */
  #dropAll(numbers: readonly number[]): number {
    try {
      for (const number of numbers) this.#drop.run(number);
      return Number(this.#dropStray.run().changes);
    } catch {
      return 0;
    }
  }

  #known(): Directory {
    if (!this.#directory) for (const _batch of this.load());
    return this.#directory ?? newDirectory(this.#keys);
  }

  #entries(number: number): Map<string, string> {
    const sealed = this.#sealedAt(number);
    const block = sealed instanceof Uint8Array ? this.#open(number, sealed) : null;
    return block ? entriesOf(block) : new Map<string, string>();
  }

  #open(number: number, sealed: Uint8Array): Block | null {
    return unsealBlock(this.#keys.records, sealed, blockPlace(this.#keys.identity, number));
  }

  #sealedAt(number: number): unknown {
    return this.#read.get(number)?.['sealed'];
  }

  #seal(number: number, block: Block, { sum }: Directory): void {
    const sealed = sealBlock(this.#keys.records, block, blockPlace(this.#keys.identity, number));
    sum.toggle(this.#sealedAt(number));
    sum.toggle(sealed);
    this.#put.run(number, block.ids.length, sealed);
  }
}

/**
 * Seals all blocks again, in a transaction, without unpacking them. Those that do not open with `from` stay. Returns the
 * sums of the others before and after.
 */
export function resealBlocks(
  database: DatabaseSync,
  from: CacheKeys,
  to: CacheKeys,
): { readonly from: string; readonly to: string } {
  const after = database.prepare(
    `SELECT number, sealed FROM blocks WHERE number > ? AND number < ${String(Number.MAX_SAFE_INTEGER)}
     ORDER BY number LIMIT 64`,
  );
  const put = database.prepare('UPDATE blocks SET sealed = ? WHERE number = ?');
  const [before, afterwards] = [new SealedSum(from.lookup), new SealedSum(to.lookup)];
  for (let number = 0; ;) {
    const rows = after.all(number);
    if (rows.length === 0) return { from: before.text, to: afterwards.text };
    for (const row of rows) {
      number = Number(row['number']);
      const old = row['sealed'];
      const place = blockPlace(from.identity, number);
      const packed = old instanceof Uint8Array ? unsealRecord(from.records, old, place) : null;
      if (!packed) continue;
      const sealed = sealRecord(to.records, packed, place);
      before.toggle(old);
      afterwards.toggle(sealed);
      put.run(sealed, number);
    }
  }
}

const bytesOf = (entries: ReadonlyMap<string, string>): number => {
  let bytes = 0;
  for (const text of entries.values()) bytes += text.length;
  return bytes;
};

/**
 * Without the entries that another block has already: an old page in a damaged file must not show an incident twice.
 */
function unknownOf(block: Block, known: Pick<IdNumbers, 'has'>): Block {
  if (!block.ids.some((id) => known.has(id))) return block;
  const entries = entriesOf(block);
  for (const id of block.ids) if (known.has(id)) entries.delete(id);
  return blockOf(entries);
}

/**
 * Frees the memory of a block at once. The garbage collector would free it only after 64 MB, in gaps between live
 * memory that would be of no use.
 */
function free({ buffer }: Uint8Array): void {
  // Smaller ones may share their memory with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}

const comma = Buffer.from(separator);

/** The parts as one JSON array in a new buffer, which can be transferred to another thread. */
function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const array = new Uint8Array(bytes + comma.byteLength * (parts.length - 1) + 2);
  let at = 0;
  array[at++] = 0x5b;
  for (const [index, part] of parts.entries()) {
    if (index > 0) {
      array.set(comma, at);
      at += comma.byteLength;
    }
    array.set(part, at);
    at += part.byteLength;
  }
  array[at] = 0x5d;
  return array;
}
