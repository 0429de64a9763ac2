const usualChunk = 1024 * 1024;
/** A run of more than this part of a chunk gets its own chunk: in a shared one it could waste much space. */
const largestPart = 1 / 16;
const mostChunks = 2 ** 16;
/** Longer runs are copied with a call; for shorter ones a loop over the bytes is faster. */
const callPays = 128;

interface Chunk {
  readonly bytes: Buffer;
  /** The bytes written so far. */
  end: number;
  /** The bytes of live runs among them. */
  live: number;
}

/** A run in its place: valid until the next change. */
export interface Run {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * Runs of bytes by slot, in large chunks: a million short runs cost ten bytes each beside their content, and the
 * garbage collector has nothing to scan. A chunk that is half empty gives its runs to another one.
 */
export class PackedBytes {
  readonly #chunks: (Chunk | null)[] = [];
  readonly #freeChunks: number[] = [];
  /** The chunk that is being filled. */
  #open = -1;
  #chunkOf = new Uint16Array(0);
  #startOf = new Uint32Array(0);
  #lengthOf = new Uint32Array(0);
  readonly #chunkBytes: number;

  constructor(chunkBytes = usualChunk) {
    this.#chunkBytes = chunkBytes;
  }

  /** The bytes of all chunks. */
  get room(): number {
    return this.#chunks.reduce((total, chunk) => total + (chunk?.bytes.length ?? 0), 0);
  }

  /** 0 for a slot without a run. */
  lengthOf(slot: number): number {
    return this.#lengthOf[slot] ?? 0;
  }

  /** @returns null for a slot without a run. */
  runOf(slot: number): Run | null {
    const length = this.#lengthOf[slot] ?? 0;
    if (length === 0) return null;
    const start = this.#startOf[slot] as number;
    return { bytes: this.#chunkAt(slot).bytes, start, end: start + length };
  }

  /** Whether a slot has exactly the first `length` bytes of `source`. */
  equals(slot: number, source: Uint8Array, length: number): boolean {
    if (this.lengthOf(slot) !== length) return false;
    if (length === 0) return true;
    const { bytes } = this.#chunkAt(slot);
    const start = this.#startOf[slot] as number;
    for (let at = 0; at < length; at += 1) if (bytes[start + at] !== source[at]) return false;
    return true;
  }

  /** Gives a slot the first `length` bytes of `source`, which must not be part of a run. */
  set(slot: number, source: Uint8Array, length: number): void {
    this.clear(slot);
    if (length === 0) return;
    if (slot >= this.#lengthOf.length) this.#grow(slot + 1);
    this.#append(slot, source, 0, length);
  }

  clear(slot: number): void {
    const length = this.lengthOf(slot);
    if (length === 0) return;
    const number = this.#chunkOf[slot] as number;
    const chunk = this.#chunkAt(slot);
    this.#lengthOf[slot] = 0;
    chunk.live -= length;
    if (number !== this.#open && chunk.live * 2 < chunk.end) this.#vacate(number, chunk);
  }

  /** Copies the runs of `slots`, one after the other. Adjacent runs in a chunk are copied together. */
  gather(slots: Uint32Array): { readonly offsets: Uint32Array; readonly bytes: Uint8Array } {
    const [chunkOf, startOf, lengthOf] = [this.#chunkOf, this.#startOf, this.#lengthOf];
    const count = slots.length;
    const offsets = new Uint32Array(count + 1);
    let total = 0;
    for (let index = 0; index < count; index += 1) {
      total += lengthOf[slots[index] as number] ?? 0;
      offsets[index + 1] = total;
    }
    const bytes = new Uint8Array(total);
    let copied = 0;
    let [chunk, start, end] = [-1, 0, 0];
    for (let index = 0; index <= count; index += 1) {
      const slot = slots[index] ?? -1;
      const length = lengthOf[slot] ?? 0;
      if (length === 0 && index < count) continue;
      if (chunkOf[slot] === chunk && startOf[slot] === end) {
        end += length;
        continue;
      }
      const source = this.#chunks[chunk]?.bytes;
      if (source) bytes.set(source.subarray(start, end), copied);
      copied += end - start;
      chunk = chunkOf[slot] ?? -1;
      start = startOf[slot] ?? 0;
      end = start + length;
    }
    return { offsets, bytes };
  }

  #chunkAt(slot: number): Chunk {
    return this.#chunks[this.#chunkOf[slot] as number] as Chunk;
  }

  #append(slot: number, source: Uint8Array, from: number, length: number): void {
    const number = this.#chunkFor(length);
    const chunk = this.#chunks[number] as Chunk;
    const { bytes, end } = chunk;
    if (length > callPays) bytes.set(source.subarray(from, from + length), end);
    else for (let at = 0; at < length; at += 1) bytes[end + at] = source[from + at] as number;
    this.#chunkOf[slot] = number;
    this.#startOf[slot] = end;
    this.#lengthOf[slot] = length;
    chunk.end += length;
    chunk.live += length;
  }

  /** The number of a chunk with room for a run. */
  #chunkFor(length: number): number {
    if (length > this.#chunkBytes * largestPart) return this.#begin(length);
    const open = this.#chunks[this.#open];
    if (open && open.end + length <= open.bytes.length) return this.#open;
    const filled = this.#open;
    this.#open = this.#begin(this.#chunkBytes);
    // Chunks are not checked while they are open.
    if (open && open.live * 2 < open.end) this.#vacate(filled, open);
    return this.#chunkFor(length);
  }

  #begin(size: number): number {
    const chunk: Chunk = { bytes: Buffer.alloc(size), end: 0, live: 0 };
    const number = this.#freeChunks.pop() ?? this.#chunks.length;
    if (number >= mostChunks) throw new RangeError('No more bytes can be packed');
    this.#chunks[number] = chunk;
    return number;
  }

  /** Copies the live runs of a chunk to other chunks and frees it. */
  #vacate(number: number, chunk: Chunk): void {
    for (let slot = 0; chunk.live > 0 && slot < this.#lengthOf.length; slot += 1) {
      const length = this.#lengthOf[slot] as number;
      if (length === 0 || this.#chunkOf[slot] !== number) continue;
      chunk.live -= length;
      this.#append(slot, chunk.bytes, this.#startOf[slot] as number, length);
    }
    this.#chunks[number] = null;
    this.#freeChunks.push(number);
  }

  #grow(least: number): void {
    const capacity = Math.max(least, 1024, this.#lengthOf.length * 2);
    this.#chunkOf = grown(this.#chunkOf, new Uint16Array(capacity));
    this.#startOf = grown(this.#startOf, new Uint32Array(capacity));
    this.#lengthOf = grown(this.#lengthOf, new Uint32Array(capacity));
  }
}

export function grown<A extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
