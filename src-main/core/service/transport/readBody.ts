import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { errorEnvelope, type AnswerBounds } from './answerBounds.ts';
import { JsonScan, type Excess, type Piece, type PieceSize } from './jsonScan.ts';
import { largeBytes, largeValues } from './largeAnswers.ts';

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

/**
 * The decoder writes into memory of this size, in bytes: more than a stream holds back before it waits, so
 * that its reader gets each as it is and not a copy of several.
 */
const decodedPartBytes = 256 * 1024;

/** Bytes as they came; null for some of an excessive entry, which nothing asks for. */
interface Chunk {
  readonly bytes: Uint8Array | null;
  readonly length: number;
}

/**
 * The chunks of a body in their order. Those that a decoder made give their memory back once they are read:
 * left to the garbage collector, which counts what lies outside of its heap loosely and late, that of several
 * answers is held at a time.
 */
class Chunks {
  readonly #chunks: Chunk[] = [];
  /** Whether a decoder made them: other memory is the connection's, which may have more in it. */
  readonly #isDecoded: boolean;
  #released = 0;
  /** The last one, where nothing in its memory is asked for: the decoder may still write behind it. */
  #unasked: Uint8Array | null = null;
  /** The decoder is done, and writes no more behind its last chunk. */
  hasEnded = false;

  constructor(isDecoded: boolean) {
    this.#isDecoded = isDecoded;
  }

  get list(): readonly Chunk[] {
    return this.#chunks;
  }

  /** `isAsked`: whether any of it is asked for. */
  add(bytes: Uint8Array, isAsked: boolean): void {
    const before = this.#unasked;
    if (before !== null && before.buffer !== bytes.buffer) this.#free(before);
    // What is asked for may lie before it in the same memory.
    const shares = this.#chunks.at(-1)?.bytes?.buffer === bytes.buffer;
    this.#unasked = isAsked || shares ? null : bytes;
    this.#chunks.push({ bytes: isAsked || shares ? bytes : null, length: bytes.byteLength });
  }

  /** Gives back the memory of the chunks before the one at `index`, which are not asked for again. */
  release(index: number): void {
    for (; this.#released < index; this.#released += 1) {
      const { bytes, length } = this.#chunks[this.#released] ?? { bytes: null, length: 0 };
      if (bytes === null) continue;
      this.#chunks[this.#released] = { bytes: null, length };
      // The decoder may have filled one buffer in several turns.
      if (this.#chunks[this.#released + 1]?.bytes?.buffer !== bytes.buffer) this.#free(bytes);
    }
  }

  releaseAll(): void {
    const last = this.#chunks.length - 1;
    this.release(last);
    const bytes = this.#chunks[last]?.bytes;
    if (bytes && this.hasEnded) this.#free(bytes);
    this.#chunks.length = 0;
  }

  #free({ buffer }: Uint8Array): void {
    if (this.#isDecoded && buffer.byteLength === decodedPartBytes) (buffer as ArrayBuffer).transfer(0);
  }
}

/** The decoded bytes of a body. */
export class Body {
  readonly #chunks: Chunks;
  /** Where each chunk begins. */
  readonly #starts: readonly number[];
  readonly length: number;
  /** The entries of its lists. */
  readonly pieces: readonly Piece[];
  readonly isOnePiece: boolean;

  constructor(chunks: Chunks, scan: Pick<JsonScan, 'pieces' | 'isOnePiece'>) {
    const starts: number[] = [];
    let total = 0;
    for (const { length } of chunks.list) {
      starts.push(total);
      total += length;
    }
    this.#chunks = chunks;
    this.#starts = starts;
    this.length = total;
    this.pieces = scan.pieces;
    this.isOnePiece = scan.isOnePiece;
  }

  /** A copy of the bytes from `start` to before `end`. */
  bytes(start = 0, end = this.length): Uint8Array {
    const copy = new Uint8Array(Math.max(0, Math.min(end, this.length) - start));
    this.copy(copy, start);
    return copy;
  }

  /** Fills `target` with the bytes from `start` on. */
  copy(target: Uint8Array, start: number): void {
    const chunks = this.#chunks.list;
    const end = start + target.byteLength;
    for (let index = this.#chunkAt(start); index < chunks.length; index += 1) {
      const from = this.#starts[index] ?? 0;
      if (from >= end) break;
      const part = chunks[index]?.bytes?.subarray(Math.max(0, start - from), end - from);
      if (part !== undefined) target.set(part, Math.max(0, from - start));
    }
  }

  /** Gives back the memory of the bytes before `offset`, which are not asked for again. */
  release(offset: number): void {
    this.#chunks.release(this.#chunkAt(offset));
  }

  /** Gives back the memory of all bytes: nothing is asked for again. */
  end(): void {
    this.#chunks.releaseAll();
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
  /** Waits, with no more read meanwhile, until a large body may be read on. */
  readonly enterLarge?: (() => Promise<void>) | undefined;
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
  const { encoding, bounds, piece, enterLarge } = options;
  const decoded = decode(body, encoding);
  const scan = new JsonScan(bounds, piece);
  const chunks = new Chunks(decoded !== body);
  let size = 0;
  let isLarge = false;
  let mayBeJson: boolean | null = null;
  const check = (excess: Excess | null): void => {
    if (excess !== null) throw new BodyError('too-large', excess);
  };
  try {
    for await (const chunk of decoded as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      mayBeJson ??= beginsLikeJson(chunk);
      const wasSkipping = scan.isSkipping;
      if (mayBeJson !== false) check(scan.take(chunk));
      chunks.add(chunk, !(wasSkipping && scan.isSkipping));
      if (mayBeJson === false && size > errorEnvelope.bytes) return new Body(chunks, scan);
      if (isLarge || (size <= largeBytes && scan.values <= largeValues)) continue;
      isLarge = true;
      await enterLarge?.();
    }
    chunks.hasEnded = true;
    check(scan.end());
    return new Body(chunks, scan);
  } catch (error) {
    chunks.releaseAll();
    // A cut connection ends the decoder with the connection's own error, which is passed on.
    throw isZlib(error) ? new BodyError('corrupt') : error;
  } finally {
    body.destroy();
  }
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
      return pipeline(body, createGunzip({ chunkSize: decodedPartBytes }), ignored);
    case 'br':
      return pipeline(body, createBrotliDecompress({ chunkSize: decodedPartBytes }), ignored);
    default:
      body.on('error', ignored);
      throw new BodyError('unknown-encoding');
  }
}

const isZlib = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(?:Z_|ERR__?BROTLI|ERR_BROTLI|ERR_PADDING)/.test(String(error.code));
