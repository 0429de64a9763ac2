const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;

/** The largest event in bytes, its field names included. */
export const eventLimit = 256 * 1024;
const firstBuffer = 4096;
/** How many bytes are read before the caller may give others a turn. */
const pieceBytes = 64 * 1024;

/**
 * Cuts a stream of server-sent events into the blocks between blank lines, whatever its pieces are. It works on bytes,
 * since a line break is never part of a longer UTF-8 sequence: a character that was split between two pieces is whole
 * again in its block.
 *
 * It stands before the parser because the parser holds a line until its end, however long that is. A block over the
 * limit is skipped and counted. Comments are dropped: services send them to hold the line open, and rarely end them
 * with a blank line.
 */
export class EventBlocks {
  #buffer = new Uint8Array(firstBuffer);
  #length = 0;
  #tooLarge = 0;
  #lineIsEmpty = true;
  #inComment = false;
  #skipping = false;
  #afterReturn = false;

  /** Blocks that were larger than the limit. */
  get tooLarge(): number {
    return this.#tooLarge;
  }

  /**
   * Yields the blocks that end in `bytes`, without the blank line; each line ends with a line feed. The bytes of a
   * block are valid until the next step. Sometimes yields null, so that the caller can give others a turn.
   */
  *take(bytes: Uint8Array): Generator<Uint8Array | null> {
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      if (from > 0) yield null;
      yield* this.#takePiece(bytes.subarray(from, from + pieceBytes));
    }
  }

  /** The complete lines of a block that was not ended: its `id` and `retry` still count. */
  unfinished(): Uint8Array {
    const lines = this.#buffer.subarray(0, this.#length);
    return lines.subarray(0, lines.lastIndexOf(lineFeed) + 1);
  }

  *#takePiece(bytes: Uint8Array): Generator<Uint8Array> {
    const end = bytes.length;
    for (let at = 0; at < end;) {
      let stop = at;
      while (stop < end && bytes[stop] !== lineFeed && bytes[stop] !== carriageReturn) stop += 1;
      if (stop > at) {
        this.#takeText(bytes.subarray(at, stop));
        this.#afterReturn = false;
      }
      if (stop === end) return;
      const isSecondHalf = bytes[stop] === lineFeed && this.#afterReturn;
      this.#afterReturn = bytes[stop] === carriageReturn;
      at = stop + 1;
      if (!isSecondHalf && this.#endLine()) {
        yield this.#buffer.subarray(0, this.#length);
        this.#length = 0;
      }
    }
  }

  #takeText(text: Uint8Array): void {
    if (this.#lineIsEmpty) {
      this.#lineIsEmpty = false;
      this.#inComment = text[0] === colon;
    }
    if (!this.#inComment) this.#keep(text);
  }

  /** Ends the present line; true when that ends a block worth reading. */
  #endLine(): boolean {
    if (!this.#lineIsEmpty) {
      this.#lineIsEmpty = true;
      if (!this.#inComment) this.#keep(lineEnd);
      this.#inComment = false;
      return false;
    }
    this.#skipping = false;
    return this.#length > 0;
  }

  #keep(text: Uint8Array): void {
    if (this.#skipping) return;
    const length = this.#length + text.length;
    if (length > eventLimit) {
      this.#skipping = true;
      this.#tooLarge += 1;
      this.#length = 0;
      return;
    }
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.min(eventLimit, Math.max(length, this.#buffer.length * 2)));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(text, this.#length);
    this.#length = length;
  }
}

const lineEnd = Uint8Array.of(lineFeed);
