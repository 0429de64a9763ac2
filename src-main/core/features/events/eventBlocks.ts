const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;

/** The largest event in bytes, its field names included. */
export const eventLimit = 256 * 1024;
const firstBuffer = 4096;
/** How much is looked through before the caller is asked whether others wait. */
const pieceBytes = 64 * 1024;

/**
 * Cuts a stream of server-sent events into the blocks between blank lines, whatever pieces it comes
 * in. It works on bytes, since a line break is never part of a longer UTF-8 sequence: so a character
 * that was split between two pieces is whole again in its block.
 *
 * It stands before the parser because that one keeps a line until its end comes, however long that
 * takes: a block over the limit is skipped to its end and counted, and comments, which services send
 * to keep the line open and seldom follow by a blank line, are not kept at all.
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
   * Yields the blocks that end in `bytes`, each line ended by a line feed, without the blank line; the
   * bytes of a block are good until the next step. Now and then it yields null, for the caller to give
   * others their turn.
   */
  *take(bytes: Uint8Array): Generator<Uint8Array | null> {
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      if (from > 0) yield null;
      yield* this.#takePiece(bytes.subarray(from, from + pieceBytes));
    }
  }

  /** The whole lines of a block that was not ended: what they say beside the event still counts. */
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
