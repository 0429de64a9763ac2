import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { errorEnvelope, type AnswerBounds } from './answerBounds.ts';
import { JsonScan, type Excess, type Piece, type PieceSize } from './jsonScan.ts';
import { largeBytes, largeValues } from './largeAnswers.ts';

/**
 * The encodings that the console accepts: they reduce incidents as JSON to about a tenth, which matters on a field
 * link. `deflate` is missing, since servers disagree on its meaning.
 */
export const acceptedEncodings = 'gzip, br';

export type BodyProblem = 'too-large' | 'unknown-encoding' | 'corrupt';

export class BodyError extends Error {
  readonly problem: BodyProblem;
  /** The limit that the body exceeds. */
  readonly excess: Excess | null;
  constructor(problem: BodyProblem, excess: Excess | null = null) {
    super(problem);
    this.name = 'BodyError';
    this.problem = problem;
    this.excess = excess;
  }
}

/**
 * The size of the decoder's output buffer, in bytes: larger than a stream's own buffer, so that the reader gets each
 * buffer itself and not a copy of several.
 */
const decodedPartBytes = 256 * 1024;

/** Bytes as they came; null for bytes of an excessive entry, which are not needed. */
interface Chunk {
  readonly bytes: Uint8Array | null;
  readonly length: number;
}

/**
 * The chunks of a body in their order. The memory of a decoder's chunks is freed when they have been read: the garbage
 * collector counts memory outside of its heap inexactly and late, and would hold that of several answers at a time.
 */
class Chunks {
  readonly #chunks: Chunk[] = [];
  /** Whether a decoder made them. Other chunks are the connection's memory, which may have more data in it. */
  readonly #isDecoded: boolean;
  #released = 0;
  /** The last chunk, if nothing in its buffer is needed: the decoder may still write after it. */
  #unasked: Uint8Array | null = null;
  /** The decoder has ended, and writes no more after its last chunk. */
  hasEnded = false;

  constructor(isDecoded: boolean) {
    this.#isDecoded = isDecoded;
  }

  get list(): readonly Chunk[] {
    return this.#chunks;
  }

  /** `isAsked`: whether any of it is needed. */
  add(bytes: Uint8Array, isAsked: boolean): void {
    const before = this.#unasked;
    if (before !== null && before.buffer !== bytes.buffer) this.#free(before);
    // Needed bytes may come before it in the same buffer.
    const shares = this.#chunks.at(-1)?.bytes?.buffer === bytes.buffer;
    this.#unasked = isAsked || shares ? null : bytes;
    this.#chunks.push({ bytes: isAsked || shares ? bytes : null, length: bytes.byteLength });
  }

  /** Frees the memory of the chunks before the one at `index`, which are not needed again. */
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
  /** The offset of each chunk. */
  readonly #starts: readonly number[];
  readonly length: number;
  /** The entries of its lists. */
  readonly pieces: readonly Piece[];
  readonly isOnePiece: boolean;
  /** The error that cut it: it ends after its last whole record. */
  readonly cutBy: unknown;

  constructor(chunks: Chunks, scan: Pick<JsonScan, 'pieces' | 'isOnePiece'>, cutBy: unknown = null) {
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
    this.cutBy = cutBy;
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

  /** Frees the memory of the bytes before `offset`, which are not needed again. */
  release(offset: number): void {
    this.#chunks.release(this.#chunkAt(offset));
  }

  /** Frees the memory of all bytes, which are not needed again. */
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
  /** After the connection's error the whole records that came are the body. */
  readonly keepsCut?: boolean | undefined;
  /** Called with the number of bytes that came, before they are decoded. */
  readonly onReceived?: ((bytes: number) => void) | undefined;
  /** Waits, without reading, until a large body may be read further. */
  readonly enterLarge?: (() => Promise<void>) | undefined;
  /** For tests that need many small pieces. */
  readonly piece?: PieceSize | undefined;
}

/**
 * Reads a body to its end and decodes it. Its bytes are counted and scanned while they stream, so that a small body
 * that unpacks to gigabytes, or to millions of values, is cut when it exceeds a limit. Of a body that cannot be JSON,
 * such as an HTML page, only as much is read as an error's envelope may have.
 *
 * @throws BodyError, or the stream's own error.
 */
export async function readBody(body: Readable, options: ReadBodyOptions): Promise<Body> {
  const { encoding, bounds, keepsCut = false, onReceived, piece, enterLarge } = options;
  const decoded = decode(body, encoding);
  const isPlain = decoded === body;
  if (!isPlain) body.on('data', (bytes: Uint8Array) => onReceived?.(bytes.byteLength));
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
      if (isPlain) onReceived?.(chunk.byteLength);
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
    // A decoder without any input ends well.
    if (body.errored !== null) throw body.errored;
    check(scan.end());
    return new Body(chunks, scan);
  } catch (caught) {
    // A decoder ends with its own error after the connection's.
    const error: unknown = caught instanceof BodyError ? caught : (body.errored ?? caught);
    const isBroken = error instanceof BodyError || isZlib(error);
    const rest = keepsCut && !isBroken ? cutBody(chunks, scan, error) : null;
    chunks.releaseAll();
    if (rest !== null) return rest;
    throw isZlib(error) ? new BodyError('corrupt') : error;
  } finally {
    body.destroy();
  }
}

/** What came whole of a body that `error` cut; null when no record did. */
function cutBody(chunks: Chunks, scan: JsonScan, error: unknown): Body | null {
  const cut = scan.cut();
  if (cut === null) return null;
  const whole = new Chunks(false);
  whole.add(Buffer.concat([new Body(chunks, scan).bytes(0, cut.end), Buffer.from(cut.closing)]), true);
  return new Body(whole, scan, error);
}

/** Whether the first character that is not white space may begin JSON; null when there is none. */
function beginsLikeJson(chunk: Uint8Array): boolean | null {
  for (const byte of chunk) {
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
    // 0xEF starts a byte order mark.
    return byte === 0xef || /[[{"\-0-9tfn]/.test(String.fromCharCode(byte));
  }
  return null;
}

function decode(body: Readable, encoding: string | undefined): Readable {
  switch ((encoding ?? 'identity').trim().toLowerCase()) {
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip':
      return unpacked(body, createGunzip({ chunkSize: decodedPartBytes }));
    case 'br':
      return unpacked(body, createBrotliDecompress({ chunkSize: decodedPartBytes }));
    default:
      body.on('error', () => undefined);
      throw new BodyError('unknown-encoding');
  }
}

/** Decodes what came before the connection broke too, unlike a pipeline, which would throw it away. */
function unpacked(body: Readable, decoder: Transform): Readable {
  body.on('error', () => undefined);
  decoder.on('error', () => undefined);
  body.once('close', () => decoder.end());
  return body.pipe(decoder);
}

const isZlib = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(?:Z_|ERR__?BROTLI|ERR_BROTLI|ERR_PADDING)/.test(String(error.code));
