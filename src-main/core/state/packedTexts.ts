import type { WantedText } from './wantedText.ts';

const firstRoom = 1024;
/** A larger room is given back once its record is packed: few are so large, and one must not cost for ever. */
const largestRoom = 1024 * 1024;

/** How the bytes of a text are to be read. */
const utf8 = 0;
/** With a lone surrogate, which UTF-8 cannot say. */
const utf16 = 1;
/** Digits of a hash, two in a byte; with `0x` before them in the last one. */
const hex = 2;
const prefixedHex = 3;
/** A shorter text is not worth a look at its digits. */
const shortestHex = 16;

/** Texts and numbers, one after the other, in bytes that the next record uses again. */
export class PackWriter {
  #bytes = Buffer.alloc(firstRoom);
  #at = 0;

  /** The bytes so far are the first `length` of these. */
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
    // Most are short and ASCII: then the header takes one byte, and no call is needed.
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

  /** Writes digits as half of their bytes; false for a text that is none. */
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

/** Above any two digits. */
const none = 256;
/** What a sign is as a digit; capitals are none, as they would come back as small letters. */
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

  /** Reads a text only as far as is needed to say whether another one is in it. */
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
