import { deepestNesting, longestNumber, type AnswerBounds } from './answerBounds.ts';

/** The limit that an answer exceeds. */
export type Excess = 'bytes' | 'values' | 'records' | 'beside' | 'depth';

/** Adjacent entries of one list, by their offsets in the body. */
export interface Piece {
  readonly start: number;
  end: number;
  records: number;
  /** Values in it, including names of members. */
  values: number;
  /** It is one entry beyond the limits of an entry, and is not parsed. */
  readonly excessive: boolean;
}

/** How much is parsed at a time: some milliseconds of work. */
export interface PieceSize {
  readonly bytes: number;
  readonly values: number;
}
const usualPiece: PieceSize = { bytes: 256 * 1024, values: 20_000 };

const other = 0;
const space = 1;
const quote = 2;
const open = 3;
const close = 4;
const comma = 5;
const colon = 6;
const kinds = new Uint8Array(256);
for (const byte of [0x20, 0x09, 0x0a, 0x0d]) kinds[byte] = space;
for (const byte of [0x5b, 0x7b]) kinds[byte] = open;
for (const byte of [0x5d, 0x7d]) kinds[byte] = close;
kinds[0x22] = quote;
kinds[0x2c] = comma;
kinds[0x3a] = colon;
const backslash = 0x5c;
const bracket = 0x5b;
const byteOrderMark = [0xef, 0xbb, 0xbf];

/**
 * Counts the contents of a JSON text as its bytes come in, in pieces of any size, without creating values, and notes
 * where lists can be cut so that they can be parsed in parts.
 *
 * It checks limits and not grammar: invalid JSON is counted too, and the parser refuses it.
 */
export class JsonScan {
  readonly #bounds: AnswerBounds;
  readonly #piece: PieceSize;
  readonly #pieces: Piece[] = [];
  #offset = 0;
  #values = 0;
  #containers = 0;
  #records = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Where the current number or literal began; -1 outside of one. */
  #token = -1;
  /** The end of the last value, without the white space after it. */
  #lastEnd = 0;
  /** The depth of the current list's entries; 0 outside of a list. */
  #listDepth = 0;
  /** The lists are in an object. */
  #isInner = false;
  #inRecord = false;
  #recordStart = 0;
  /** `#values` at the start of the current entry. */
  #valuesBefore = 0;
  #tooDeep = false;
  #tooLong = false;
  #recordBytes = 0;
  #recordValues = 0;
  #current: Piece | null = null;

  constructor(bounds: AnswerBounds, piece: PieceSize = usualPiece) {
    this.#bounds = bounds;
    this.#piece = piece;
  }

  /** Bytes so far. */
  get length(): number {
    return this.#offset;
  }

  /** Values and names of members so far. */
  get values(): number {
    return this.#values;
  }

  /** Whether the next bytes still belong to an entry that is too large: they are not needed. */
  get isSkipping(): boolean {
    return this.#inRecord && this.#offset - this.#recordStart > this.#bounds.record.bytes;
  }

  /** Whether the text is small enough, and within all limits, to be parsed at once. */
  get isOnePiece(): boolean {
    const { bytes, values } = this.#piece;
    const isSmall = this.#offset <= bytes && this.#values <= values;
    return isSmall && !this.#pieces.some(({ excessive }) => excessive);
  }

  /** All entries of all lists, in their order; valid after `end`. */
  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  /** Takes the next bytes. Returns the limit that is exceeded, or null. After that it takes no more. */
  take(bytes: Uint8Array): Excess | null {
    const { length } = bytes;
    const base = this.#offset;
    let at = base === 0 && byteOrderMark.every((byte, index) => bytes[index] === byte) ? 3 : 0;
    let values = this.#values;
    let depth = this.#depth;
    let token = this.#token;
    let inString = this.#inString;
    if (this.#escaped && length > 0) {
      this.#escaped = false;
      at = 1;
    }
    while (at < length) {
      if (inString) {
        while (at < length && bytes[at] !== 0x22 && bytes[at] !== backslash) at += 1;
        if (at >= length) break;
        if (bytes[at] === backslash) {
          at += 2;
          if (at > length) this.#escaped = true;
          continue;
        }
        at += 1;
        inString = false;
        this.#lastEnd = base + at;
        continue;
      }
      const byte = bytes[at] ?? 0;
      const kind = kinds[byte] ?? space;
      if (kind === other) {
        if (token < 0) {
          token = base + at;
          if (depth === this.#listDepth && depth > 0) this.#beginRecord(token, values);
          values += 1;
        }
        at += 1;
        continue;
      }
      if (token >= 0) {
        this.#lastEnd = base + at;
        if (this.#lastEnd - token > longestNumber) this.#tooLong = true;
        token = -1;
      }
      switch (kind) {
        case quote:
          if (depth === this.#listDepth && depth > 0) this.#beginRecord(base + at, values);
          values += 1;
          inString = true;
          break;
        case open:
          if (depth === this.#listDepth && depth > 0) this.#beginRecord(base + at, values);
          values += 1;
          depth += 1;
          this.#containers += 1;
          if (depth <= 2 && byte === bracket && this.#listDepth === 0) {
            this.#listDepth = depth;
            this.#isInner = depth === 2;
          } else if (depth > this.#listDepth + deepestNesting) this.#tooDeep = true;
          break;
        case close:
          if (depth === this.#listDepth) {
            this.#endRecord(values);
            this.#closePiece();
            this.#listDepth = 0;
          }
          depth -= 1;
          this.#lastEnd = base + at + 1;
          break;
        case comma:
          if (depth === this.#listDepth) this.#endRecord(values);
          break;
        default:
      }
      at += 1;
    }
    this.#values = values;
    this.#depth = depth;
    this.#token = token;
    this.#inString = inString;
    this.#offset = base + length;
    return this.#excess();
  }

  /**
   * The body was cut: where its last whole entry ends, and what closes the lists around it. Null where no entry is whole.
   */
  cut(): { readonly end: number; readonly closing: string } | null {
    this.#inRecord = false;
    this.#closePiece();
    const end = this.#pieces.at(-1)?.end;
    return end === undefined ? null : { end, closing: this.#isInner ? ']}' : ']' };
  }

  /** The body ended: closes what a broken text left open. */
  end(): Excess | null {
    if (this.#token >= 0) {
      this.#lastEnd = this.#offset;
      if (this.#lastEnd - this.#token > longestNumber) this.#tooLong = true;
    }
    // A text that ends within an entry is not JSON. The piece must still include the rest of the text.
    if (this.#inRecord) this.#lastEnd = this.#offset;
    this.#endRecord(this.#values);
    this.#closePiece();
    return this.#excess();
  }

  #excess(): Excess | null {
    const { bytes, values, containers, records, beside } = this.#bounds;
    if (this.#offset > bytes) return 'bytes';
    if (this.#values > values || this.#containers > containers) return 'values';
    if (this.#records > records) return 'records';
    if (this.#inRecord) return null;
    if (this.#tooDeep) return 'depth';
    const piece = this.#current;
    const inPieces = this.#recordBytes + (piece === null ? 0 : piece.end - piece.start);
    const isMuch =
      this.#tooLong ||
      this.#offset - inPieces > beside.bytes ||
      this.#values - this.#recordValues > beside.values;
    return isMuch ? 'beside' : null;
  }

  #beginRecord(start: number, values: number): void {
    if (this.#inRecord) return;
    const piece = this.#current;
    // White space between two entries belongs to no piece.
    if (piece !== null && start - piece.start > this.#piece.bytes) this.#closePiece();
    this.#inRecord = true;
    this.#recordStart = start;
    this.#valuesBefore = values;
    this.#records += 1;
  }

  #endRecord(values: number): void {
    if (!this.#inRecord) return;
    this.#inRecord = false;
    const start = this.#recordStart;
    const end = this.#lastEnd;
    const held = values - this.#valuesBefore;
    const { record } = this.#bounds;
    const excessive = this.#tooDeep || this.#tooLong || end - start > record.bytes || held > record.values;
    this.#tooDeep = false;
    this.#tooLong = false;
    this.#recordValues += held;
    if (excessive) this.#closePiece();
    const piece = (this.#current ??= { start, end, records: 0, values: 0, excessive });
    piece.end = end;
    piece.records += 1;
    piece.values += held;
    if (excessive || end - piece.start >= this.#piece.bytes || piece.values >= this.#piece.values) {
      this.#closePiece();
    }
  }

  #closePiece(): void {
    if (this.#current === null) return;
    this.#recordBytes += this.#current.end - this.#current.start;
    this.#pieces.push(this.#current);
    this.#current = null;
  }
}
