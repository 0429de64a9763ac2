import type { WantedText } from './anchorSearch.ts';

const firstRoom = 1024;
/** A larger buffer is freed after its record: such records are rare, and one must not hold the memory for good. */
const largestRoom = 1024 * 1024;

/** The forms of a text in bytes. */
const utf8 = 0;
/** For texts with a lone surrogate, which UTF-8 cannot express. */
const utf16 = 1;
/** Digits of a hash, two in a byte; the last form has `0x` before them. */
const hex = 2;
const prefixedHex = 3;
/** A shorter text is not checked for digits. */
const shortestHex = 16;

/** Writes texts and numbers one after another into bytes that the next record reuses. */
export class PackWriter {
  #bytes = Buffer.alloc(firstRoom);
  #at = 0;

  /** The written bytes are the first `length` of these. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get length(): number {
    return this.#at;
  }

  begin(): void {
    this.#at = 0;
    if (this.#bytes.length > largestRoom) this.#bytes = Buffer.alloc(firstRoom);
  }

  /** Drops all that was written. */
  clear(): void {
    this.#at = 0;
  }

  byte(value: number): void {
    this.#fit(1);
    this.#bytes[this.#at++] = value;
  }

  setByte(at: number, value: number): void {
    this.#bytes[at] = value;
  }

  double(value: number): void {
    this.#fit(8);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  /** A whole number from 0 to 2^32. */
  count(value: number): void {
    this.#fit(5);
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.#bytes[this.#at++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#at++] = rest;
  }

  text(text: string): void {
    const { length } = text;
    this.#fit(length * 3 + 5);
    if (length >= shortestHex && this.#hex(text)) return;
    const begun = this.#at;
    // Most are short and ASCII: the header then takes one byte, and no call is needed.
    const at = begun + 1;
    let index = 0;
    for (; length < 32 && index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) break;
      this.#bytes[at + index] = code;
    }
    if (index === length) {
      this.#bytes[begun] = length * 4 + utf8;
      this.#at = at + length;
      return;
    }
    const [encoding, kind] = text.isWellFormed() ? (['utf8', utf8] as const) : (['utf16le', utf16] as const);
    this.count(Buffer.byteLength(text, encoding) * 4 + kind);
    this.#at += this.#bytes.write(text, this.#at, encoding);
  }

  /** Writes two digits as one byte; false for a text that has other characters. */
  #hex(text: string): boolean {
    const begin = text.charCodeAt(0) === 0x30 && text.charCodeAt(1) === 0x78 ? 2 : 0;
    const length = (text.length - begin) / 2;
    if (!Number.isInteger(length)) return false;
    const begun = this.#at;
    this.count(length * 4 + (begin === 0 ? hex : prefixedHex));
    const bytes = this.#bytes;
    for (let at = begin; at < text.length; at += 2) {
      const [high, low] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
      const value =
        high < 128 && low < 128 ? ((digits[high] as number) << 4) | (digits[low] as number) : none;
      if (value >= none) {
        this.#at = begun;
        return false;
      }
      bytes[this.#at++] = value;
    }
    return true;
  }

  #fit(more: number): void {
    const wanted = this.#at + more;
    if (wanted <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(wanted, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}

/** Above the value of any two digits. */
const none = 256;
/** The value of a character as a digit. Capital letters have none, since they would come back as small letters. */
const digits = Uint16Array.from({ length: 128 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code));
  return digit < 0 ? none : digit;
});

/** Reads what a `PackWriter` wrote, in the same order. */
export class PackReader {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  begin(bytes: Buffer, start: number): void {
    this.#bytes = bytes;
    this.#at = start;
  }

  byte(): number {
    return this.#bytes[this.#at++] as number;
  }

  double(): number {
    const value = this.#bytes.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  count(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    const header = this.count();
    const start = this.#at;
    const end = start + Math.floor(header / 4);
    this.#at = end;
    switch (header % 4) {
      case utf16:
        return this.#bytes.toString('utf16le', start, end);
      case hex:
        return this.#bytes.toString('hex', start, end);
      case prefixedHex:
        return `0x${this.#bytes.toString('hex', start, end)}`;
      default:
        return this.#bytes.toString('utf8', start, end);
    }
  }

  /** Whether a text contains another one, reading only as much as that needs. */
  textHolds(wanted: WantedText): boolean {
    const begun = this.#at;
    const header = this.count();
    const kind = header % 4;
    if (kind !== hex && kind !== prefixedHex) {
      this.#at = begun;
      return wanted.isIn(this.text());
    }
    const start = this.#at;
    this.#at = start + Math.floor(header / 4);
    return wanted.isInDigits(this.#bytes, start, this.#at, kind === prefixedHex);
  }
}
