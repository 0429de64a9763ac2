import { createHmac } from 'node:crypto';

/** What a database said last of itself, sealed with what it says it of. */
export interface Tally {
  /** Of writes; it only grows. */
  readonly counter: number;
  /** Of all sealed rows, 64 hexadecimal digits. */
  readonly sum: string;
}

const sumBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * One number for a set of sealed rows: it is another one once a row is added, removed or exchanged for an older one,
 * whose seal holds as well. Nonce and tag stand for a row: no other bytes open with them. Without the key one cannot
 * make two sets with one sum, as each row counts with an HMAC under it.
 */
export class SealedSum {
  readonly #key: Uint8Array;
  readonly #sum: Buffer;

  constructor(key: Uint8Array, sum = Buffer.alloc(sumBytes)) {
    this.#key = key;
    this.#sum = sum;
  }

  /** Adds a row, or takes away one that is in it. What is no sealed row changes nothing. */
  toggle(sealed: unknown): void {
    if (!(sealed instanceof Uint8Array) || sealed.byteLength < nonceBytes + tagBytes) return;
    const mark = createHmac('sha256', this.#key)
      .update('sealed row ')
      .update(sealed.subarray(0, nonceBytes))
      .update(sealed.subarray(-tagBytes))
      .digest();
    for (let at = 0; at < sumBytes; at += 1) this.#sum[at] = (this.#sum[at] ?? 0) ^ (mark[at] ?? 0);
  }

  copy(): SealedSum {
    return new SealedSum(this.#key, Buffer.from(this.#sum));
  }

  get text(): string {
    return this.#sum.toString('hex');
  }
}

/**
 * Null for a text that is no tally. Checked by hand: a thread that loads the schema library for these two fields takes
 * twice as long to start, and each sign-in waits for two such threads.
 */
export function readTally(text: string): Tally | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { counter, sum, ...others } = value as Partial<Record<string, unknown>>;
  if (typeof counter !== 'number' || !Number.isSafeInteger(counter) || counter < 0) return null;
  if (typeof sum !== 'string' || !/^[0-9a-f]{64}$/.test(sum)) return null;
  return Object.keys(others).length === 0 ? { counter, sum } : null;
}
