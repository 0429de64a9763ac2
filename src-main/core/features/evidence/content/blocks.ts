import { CarBlockIterator } from '@ipld/car';
import type { CID } from 'multiformats/cid';
import { hash } from 'node:crypto';
import { ContentTrouble } from './contentTrouble.ts';

/** A source of blocks. Each block matches the hash of its CID. */
export interface BlockSource {
  /** Rejects with a `ContentTrouble`, or with the connection's error. */
  get(cid: CID): Promise<Uint8Array>;
}

/** Larger than any block of a gateway (usually at most 2 MiB, with some importers 4). */
export const mostBlockBytes = 4 * 1024 * 1024;
/** The most bytes of a CID before a block. */
const mostCidBytes = 256;
const mostHeaderBytes = 64 * 1024;
/** Memory for blocks that came before their turn, or that a file may use again. */
const mostAheadBytes = 24 * 1024 * 1024;

/** Numbers of the multicodec table. */
const identityCode = 0x00;
const hashNames: ReadonlyMap<number, string> = new Map([
  [0x12, 'sha256'],
  [0x13, 'sha512'],
]);
const leastDigest = 20;

export const isHashable = ({ multihash: { code } }: CID): boolean =>
  code === identityCode || hashNames.has(code);

/** The bytes that a CID holds itself; null when it is a hash. */
export const inlineBytes = ({ multihash: { code, digest } }: CID): Uint8Array | null =>
  code === identityCode ? digest : null;

/** @throws ContentTrouble when `bytes` do not match `cid`. */
export function checkBlock(cid: CID, bytes: Uint8Array): void {
  const { code, digest } = cid.multihash;
  const name = hashNames.get(code);
  if (name === undefined) throw new ContentTrouble(code === identityCode ? 'malformed' : 'unhashable');
  // A truncated digest would accept other bytes.
  if (digest.byteLength < leastDigest) throw new ContentTrouble('unhashable');
  const computed = hash(name, bytes, 'buffer').subarray(0, digest.byteLength);
  if (!computed.equals(digest)) throw new ContentTrouble('mismatch');
}

/** The same key for all codecs of the same bytes. */
const nameOf = ({ multihash }: CID): string => Buffer.from(multihash.bytes).toString('base64');

/**
 * The blocks of a CAR (version 1) as it streams in. Each is hashed when it arrives; one that does not match ends the
 * reading. A block that came early waits in memory, up to a limit. A block that was given stays while there is room,
 * since a file may contain it several times.
 */
export class CarBlocks implements BlockSource {
  readonly #pieces: AsyncIterable<Uint8Array>;
  /** The earliest first. */
  readonly #ahead = new Map<string, Uint8Array>();
  readonly #given = new Set<string>();
  #aheadBytes = 0;
  #iterator: AsyncIterator<{ readonly cid: CID; readonly bytes: Uint8Array }> | null = null;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces;
  }

  async get(cid: CID): Promise<Uint8Array> {
    const name = nameOf(cid);
    const waiting = this.#ahead.get(name);
    if (waiting !== undefined) {
      this.#given.add(name);
      return waiting;
    }
    this.#iterator ??= await this.#begin();
    for (;;) {
      const next = await this.#next(this.#iterator);
      if (next === null) throw new ContentTrouble('incomplete');
      // A block inside its CID is never asked for.
      if (inlineBytes(next.cid) !== null) continue;
      checkBlock(next.cid, next.bytes);
      const received = nameOf(next.cid);
      this.#keep(received, next.bytes);
      if (received !== name) continue;
      this.#given.add(name);
      return next.bytes;
    }
  }

  #keep(name: string, bytes: Uint8Array): void {
    if (this.#ahead.has(name)) return;
    this.#ahead.set(name, bytes);
    this.#aheadBytes += bytes.byteLength;
    for (const [earlier, { byteLength }] of this.#ahead) {
      if (this.#aheadBytes <= mostAheadBytes) return;
      // A block that was not asked for yet must stay.
      if (earlier === name || !this.#given.has(earlier)) continue;
      this.#ahead.delete(earlier);
      this.#given.delete(earlier);
      this.#aheadBytes -= byteLength;
    }
    if (this.#aheadBytes > mostAheadBytes + mostBlockBytes) throw new ContentTrouble('out-of-order');
  }

  async #begin(): Promise<AsyncIterator<{ readonly cid: CID; readonly bytes: Uint8Array }>> {
    const blocks = await orMalformed(() => CarBlockIterator.fromIterable(framed(this.#pieces)));
    // Version 2 wraps an index around the blocks. No gateway is asked for it.
    if (blocks.version !== 1) throw new ContentTrouble('malformed');
    return blocks[Symbol.asyncIterator]();
  }

  async #next(
    iterator: AsyncIterator<{ readonly cid: CID; readonly bytes: Uint8Array }>,
  ): Promise<{ readonly cid: CID; readonly bytes: Uint8Array } | null> {
    const next = await orMalformed(() => iterator.next());
    return next.done === true ? null : next.value;
  }
}

/** The connection's error, which passes through the library. */
class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** The library's own errors are about the bytes. Errors of the source are passed on. */
async function orMalformed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceError) throw error.cause;
    if (error instanceof ContentTrouble) throw error;
    if (error instanceof Error && error.message === 'Unexpected end of data') {
      throw new ContentTrouble('incomplete');
    }
    throw new ContentTrouble('malformed');
  }
}

/**
 * The same bytes, after a check of the length before each section: the library buffers as many bytes as a section
 * claims, and it may claim terabytes.
 */
async function* framed(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = 0;
  let length = 0;
  let shift = 0;
  let most = mostHeaderBytes;
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch((error: unknown) => {
        throw new SourceError('the source failed', { cause: error });
      });
      if (next.done === true) return;
      const piece = next.value;
      for (let at = 0; at < piece.byteLength;) {
        if (left > 0) {
          const skipped = Math.min(left, piece.byteLength - at);
          left -= skipped;
          at += skipped;
          continue;
        }
        const byte = piece[at] ?? 0;
        at += 1;
        length += (byte & 0x7f) * 2 ** shift;
        shift += 7;
        if (length > most || shift > 35) throw new ContentTrouble('malformed');
        if (byte >= 0x80) continue;
        if (length === 0) throw new ContentTrouble('malformed');
        [left, length, shift, most] = [length, 0, 0, mostBlockBytes + mostCidBytes];
      }
      yield piece;
    }
  } finally {
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
