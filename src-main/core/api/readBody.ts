import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { errorEnvelope, type AnswerBounds } from './answerBounds.ts';
import { JsonScan, type Excess, type Piece, type PieceSize } from './jsonScan.ts';

/**
 * What the console asks for: incidents as JSON shrink to about a tenth, which is what counts on a
 * field link. `deflate` is left out, since servers disagree on what it means.
 */
export const acceptedEncodings = 'gzip, br';

export type BodyProblem = 'too-large' | 'unknown-encoding' | 'corrupt';

export class BodyError extends Error {
  readonly problem: BodyProblem;
  /** The bound of a body that is too large. */
  readonly excess: Excess | null;
  constructor(problem: BodyProblem, excess: Excess | null = null) {
    super(problem);
    this.name = 'BodyError';
    this.problem = problem;
    this.excess = excess;
  }
}

/** Bytes as they came; null for some of an excessive entry, which nothing asks for. */
interface Chunk {
  readonly bytes: Uint8Array | null;
  readonly length: number;
}

/** The decoded bytes of a body. */
export class Body {
  readonly #chunks: Chunk[];
  /** Where each chunk begins. */
  readonly #starts: readonly number[];
  readonly length: number;
  /** The entries of its lists. */
  readonly pieces: readonly Piece[];
  readonly isOnePiece: boolean;

  constructor(chunks: Chunk[], scan: Pick<JsonScan, 'pieces' | 'isOnePiece'>) {
    const starts: number[] = [];
    let total = 0;
    for (const { length } of chunks) {
      starts.push(total);
      total += length;
    }
    this.#chunks = chunks;
    this.#starts = starts;
    this.length = total;
    this.pieces = scan.pieces;
    this.isOnePiece = scan.isOnePiece;
  }

  /** The bytes from `start` to before `end`; a copy where they lie in several chunks. */
  bytes(start = 0, end = this.length): Uint8Array {
    const parts: Uint8Array[] = [];
    for (let index = this.#chunkAt(start); index < this.#chunks.length; index += 1) {
      const from = this.#starts[index] ?? 0;
      if (from >= end) break;
      const part = this.#chunks[index]?.bytes?.subarray(Math.max(0, start - from), end - from);
      if (part !== undefined && part.byteLength > 0) parts.push(part);
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  /** Gives back the memory of the bytes before `offset`, which are not asked for again. */
  release(offset: number): void {
    for (let index = this.#chunkAt(offset) - 1; index >= 0; index -= 1) {
      const chunk = this.#chunks[index];
      if (chunk === undefined || chunk.bytes === null) return;
      this.#chunks[index] = { bytes: null, length: chunk.length };
    }
  }

  /** The last chunk that begins at or before `offset`. */
  #chunkAt(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}

export interface ReadBodyOptions {
  /** The answer's `content-encoding`. */
  readonly encoding: string | undefined;
  readonly bounds: AnswerBounds;
  /** For tests that need many pieces of little. */
  readonly piece?: PieceSize | undefined;
}

/**
 * Reads a body to its end, decoding it on the way. Its bytes are counted and scanned while they stream,
 * so that a small body that unpacks to gigabytes, or to millions of values, is cut where it passes a
 * bound. Of what cannot be JSON, such as a page of HTML, no more is read than an error's envelope may have.
 *
 * @throws BodyError, or what the stream itself fails with.
 */
export async function readBody(body: Readable, options: ReadBodyOptions): Promise<Body> {
  const { encoding, bounds, piece } = options;
  const decoded = decode(body, encoding);
  const scan = new JsonScan(bounds, piece);
  const chunks: Chunk[] = [];
  let size = 0;
  let mayBeJson: boolean | null = null;
  const check = (excess: Excess | null): void => {
    if (excess !== null) throw new BodyError('too-large', excess);
  };
  try {
    for await (const chunk of decoded as AsyncIterable<Uint8Array>) {
      const length = chunk.byteLength;
      size += length;
      mayBeJson ??= beginsLikeJson(chunk);
      const wasSkipping = scan.isSkipping;
      if (mayBeJson !== false) check(scan.take(chunk));
      chunks.push({ bytes: wasSkipping && scan.isSkipping ? null : chunk, length });
      if (mayBeJson === false && size > errorEnvelope.bytes) break;
    }
  } catch (error) {
    // A cut connection ends the decoder with the connection's own error, which is passed on.
    throw isZlib(error) ? new BodyError('corrupt') : error;
  } finally {
    body.destroy();
  }
  check(scan.end());
  return new Body(chunks, scan);
}

/** Whether the first character that is no white space may begin JSON; null where there is none. */
function beginsLikeJson(chunk: Uint8Array): boolean | null {
  for (const byte of chunk) {
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
    // 0xEF begins a byte order mark.
    return byte === 0xef || /[[{"\-0-9tfn]/.test(String.fromCharCode(byte));
  }
  return null;
}

function decode(body: Readable, encoding: string | undefined): Readable {
  const ignored = (): void => undefined;
  switch ((encoding ?? 'identity').trim().toLowerCase()) {
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip':
      return pipeline(body, createGunzip(), ignored);
    case 'br':
      return pipeline(body, createBrotliDecompress(), ignored);
    default:
      body.on('error', ignored);
      throw new BodyError('unknown-encoding');
  }
}

const isZlib = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(?:Z_|ERR__?BROTLI|ERR_BROTLI|ERR_PADDING)/.test(String(error.code));
