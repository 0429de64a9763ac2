import type { Yielding } from '../base/yielding.ts';

export interface AnchorsFound {
  /** Keys of the incidents, at most `anchorLimit`. */
  readonly keys: number[];
  /** Whether there are more. */
  readonly more: boolean;
}

export const anchorLimit = 10_000;
/** Slots between two looks at the clock. */
const stride = 256;

/** The part of the incident table that is searched. */
interface SearchedTable {
  readonly slots: number;
  /** The key of the incident in a slot if one of its records contains the text. */
  keyWithAnchor(slot: number, wanted: WantedText): number | null;
}

/**
 * The incidents with a blockchain record that contains a text, in any case. Looks at every incident, in pieces:
 * changes of the table meanwhile are included.
 */
export async function searchAnchors(
  table: SearchedTable,
  text: string,
  yielding: Pick<Yielding, 'over' | 'next'>,
): Promise<AnchorsFound> {
  const wanted = new WantedText(text);
  const keys: number[] = [];
  for (let slot = 0; slot < table.slots; slot += 1) {
    if (slot % stride === 0 && yielding.over) await yielding.next();
    const key = table.keyWithAnchor(slot, wanted);
    if (key === null) continue;
    if (keys.length === anchorLimit) return { keys, more: true };
    keys.push(key);
  }
  return { keys, more: false };
}

/** A text to look for in others, in any case. */
export class WantedText {
  readonly #lower: string;
  /** Its digits if it has nothing else: all of them, and those after a leading `0x` or `x`. */
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
   * The same in a text whose digits are stored two in a byte, so that a million hashes are searched without unpacking.
   *
   * @param prefixed whether `0x` comes before the digits.
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

/** Null for a text with other characters. */
function digitsOf(lower: string): Uint8Array | null {
  return /^[0-9a-f]*$/.test(lower) ? Uint8Array.from(lower, (digit) => parseInt(digit, 16)) : null;
}

/** Whether these digits are at one place; places count half bytes. */
function standsAt(digits: Uint8Array, bytes: Uint8Array, place: number, end: number): boolean {
  if (place + digits.length > end) return false;
  for (let at = 0; at < digits.length; at += 1) {
    const byte = bytes[(place + at) >>> 1] as number;
    if (((place + at) & 1 ? byte & 15 : byte >>> 4) !== digits[at]) return false;
  }
  return true;
}
