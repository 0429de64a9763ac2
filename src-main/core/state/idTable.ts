import { randomBytes } from 'node:crypto';
import { PackedBytes, grown } from './packedBytes.ts';

const shardBits = 7;
const shardCount = 2 ** shardBits;
const firstBuckets = 16;

/** The slots of ids whose hashes have the same first bits: the slot plus 1, or 0 for none. */
interface Shard {
  buckets: Uint32Array;
  count: number;
}

/**
 * Gives each id a slot, a small number that is reused when the id is gone. Ids are opaque (interface: Resource IDs) and
 * are stored as UTF-8 in one place, so that a million of them are not a million strings; a lone surrogate becomes
 * U+FFFD. Two ids are the same when all of their bytes are, whatever their hashes.
 *
 * Uses many small tables: one table with a million entries would block the event loop each time it grows.
 */
export class IdTable {
  readonly #bytes: PackedBytes;
  readonly #shards: readonly Shard[] = Array.from({ length: shardCount }, () => ({
    buckets: new Uint32Array(firstBuckets),
    count: 0,
  }));
  #hashes = new Uint32Array(0);
  /** 1 in a slot with an id. */
  #taken = new Uint8Array(0);
  /** Slots ever used. Those after them are new. */
  #used = 0;
  readonly #free: number[] = [];
  #size = 0;
  /** Random for each table, so that a service cannot choose ids that collide. */
  readonly #seed: number;
  readonly #factor: number;
  /** The bytes of the id in the last call. */
  #scratch = Buffer.alloc(256);
  #length = 0;

  /** @param chunkBytes as for `PackedBytes`. */
  constructor(chunkBytes?: number) {
    this.#bytes = new PackedBytes(chunkBytes);
    const drawn = randomBytes(8);
    this.#seed = drawn.readUInt32LE(0);
    this.#factor = drawn.readUInt32LE(4) | 1;
  }

  get size(): number {
    return this.#size;
  }

  /** Slots ever used. */
  get slots(): number {
    return this.#used;
  }

  has(id: string): boolean {
    return this.slotOf(id) >= 0;
  }

  /** @returns -1 when the id is not known. */
  slotOf(id: string): number {
    const hash = this.#read(id);
    const { buckets } = this.#shardOf(hash);
    const at = this.#find(buckets, hash);
    return (buckets[at] as number) - 1;
  }

  /** The slot of an id. Gives it one if it has none. */
  add(id: string): number {
    const hash = this.#read(id);
    const shard = this.#shardOf(hash);
    const at = this.#find(shard.buckets, hash);
    const known = (shard.buckets[at] as number) - 1;
    if (known >= 0) return known;
    const slot = this.#take();
    this.#hashes[slot] = hash;
    this.#taken[slot] = 1;
    this.#bytes.set(slot, this.#scratch, this.#length);
    shard.buckets[at] = slot + 1;
    shard.count += 1;
    this.#size += 1;
    if (shard.count * 4 > shard.buckets.length * 3) this.#enlarge(shard);
    return slot;
  }

  /** @returns the slot that is now free, or -1 when the id is unknown. */
  remove(id: string): number {
    const hash = this.#read(id);
    const shard = this.#shardOf(hash);
    const at = this.#find(shard.buckets, hash);
    const slot = (shard.buckets[at] as number) - 1;
    if (slot < 0) return -1;
    this.#close(shard.buckets, at);
    shard.count -= 1;
    this.#size -= 1;
    this.#taken[slot] = 0;
    this.#bytes.clear(slot);
    this.#free.push(slot);
    return slot;
  }

  holds(slot: number): boolean {
    return this.#taken[slot] === 1;
  }

  /** Empty for a slot without an id. */
  idAt(slot: number): string {
    const run = this.#bytes.runOf(slot);
    return run === null ? '' : run.bytes.toString('utf8', run.start, run.end);
  }

  *ids(): IterableIterator<string> {
    for (let slot = 0; slot < this.#used; slot += 1) if (this.holds(slot)) yield this.idAt(slot);
  }

  /** The ids in `slots` as one run of UTF-8, and the offset of each. */
  gather(slots: Uint32Array): { readonly offsets: Uint32Array; readonly bytes: Uint8Array } {
    return this.#bytes.gather(slots);
  }

  /** Copies an id into the scratch buffer; returns its hash. */
  #read(id: string): number {
    const { length } = id;
    if (this.#scratch.length < length * 3) this.#scratch = Buffer.alloc(length * 6);
    const scratch = this.#scratch;
    const factor = this.#factor;
    let hash = this.#seed;
    let at = 0;
    for (; at < length; at += 1) {
      const code = id.charCodeAt(at);
      if (code > 0x7f) break;
      scratch[at] = code;
      hash = mixed(hash, code, factor);
    }
    if (at < length) {
      const end = at + scratch.write(id.slice(at), at, 'utf8');
      for (; at < end; at += 1) hash = mixed(hash, scratch[at] as number, factor);
    }
    this.#length = at;
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0x2c_1b_3c_6d);
    hash ^= hash >>> 12;
    return hash >>> 0;
  }

  #shardOf(hash: number): Shard {
    return this.#shards[hash >>> (32 - shardBits)] as Shard;
  }

  /** The bucket of the id in the scratch buffer, or the empty bucket for it. */
  #find(buckets: Uint32Array, hash: number): number {
    const mask = buckets.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const slot = (buckets[at] as number) - 1;
      if (slot < 0) return at;
      if (this.#hashes[slot] === hash && this.#bytes.equals(slot, this.#scratch, this.#length)) return at;
    }
  }

  /** Empties a bucket, and moves up the entries that are only reachable through it. */
  #close(buckets: Uint32Array, at: number): void {
    const mask = buckets.length - 1;
    let gap = at;
    for (let next = (at + 1) & mask; buckets[next] !== 0; next = (next + 1) & mask) {
      const home = (this.#hashes[(buckets[next] as number) - 1] as number) & mask;
      if (((next - home) & mask) < ((next - gap) & mask)) continue;
      buckets[gap] = buckets[next] as number;
      gap = next;
    }
    buckets[gap] = 0;
  }

  #enlarge(shard: Shard): void {
    const before = shard.buckets;
    const buckets = new Uint32Array(before.length * 2);
    const mask = buckets.length - 1;
    for (const entry of before) {
      if (entry === 0) continue;
      let at = (this.#hashes[entry - 1] as number) & mask;
      while (buckets[at] !== 0) at = (at + 1) & mask;
      buckets[at] = entry;
    }
    shard.buckets = buckets;
  }

  #take(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#used === this.#hashes.length) {
      const capacity = Math.max(1024, this.#used * 2);
      this.#hashes = grown(this.#hashes, new Uint32Array(capacity));
      this.#taken = grown(this.#taken, new Uint8Array(capacity));
    }
    return this.#used++;
  }
}

function mixed(hash: number, byte: number, factor: number): number {
  const product = Math.imul(hash ^ byte, factor);
  return (product << 13) | (product >>> 19);
}
