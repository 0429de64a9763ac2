/** A text that is looked for within others, whatever its case. */
export class WantedText {
  readonly #lower: string;
  /** Its digits where it has only such: those of it all, and those behind a `0x` that it begins with, or its `x`. */
  readonly #digits: Uint8Array | null;
  readonly #behindPrefix: Uint8Array | null;

  constructor(text: string) {
    this.#lower = text.toLowerCase();
    this.#digits = digitsOf(this.#lower);
    const behind = /^0?x(.*)$/s.exec(this.#lower)?.[1];
    this.#behindPrefix = behind === undefined ? null : digitsOf(behind);
  }

  isIn(text: string): boolean {
    return text.toLowerCase().includes(this.#lower);
  }

  /**
   * The same in a text of digits that lies as two of them in a byte: a million hashes are looked through as they are.
   *
   * @param prefixed whether `0x` stands before the digits.
   */
  isInDigits(bytes: Uint8Array, start: number, end: number, prefixed: boolean): boolean {
    if (prefixed) {
      if (this.#lower === '0') return true;
      if (this.#behindPrefix !== null && standsAt(this.#behindPrefix, bytes, start * 2, end * 2)) return true;
    }
    const digits = this.#digits;
    if (digits === null) return false;
    const first = digits[0];
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte >>> 4 === first && standsAt(digits, bytes, at * 2, end * 2)) return true;
      if ((byte & 15) === first && standsAt(digits, bytes, at * 2 + 1, end * 2)) return true;
    }
    return false;
  }
}

/** Null for a text with anything else. */
function digitsOf(lower: string): Uint8Array | null {
  return /^[0-9a-f]*$/.test(lower) ? Uint8Array.from(lower, (digit) => parseInt(digit, 16)) : null;
}

/** Whether the digits from one place on are these; places count half bytes. */
function standsAt(digits: Uint8Array, bytes: Uint8Array, place: number, end: number): boolean {
  if (place + digits.length > end) return false;
  for (let at = 0; at < digits.length; at += 1) {
    const byte = bytes[(place + at) >>> 1] as number;
    if (((place + at) & 1 ? byte & 15 : byte >>> 4) !== digits[at]) return false;
  }
  return true;
}
