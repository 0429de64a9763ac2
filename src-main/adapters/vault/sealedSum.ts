import { createHmac } from 'node:crypto';

/** A database's last facts about itself, sealed in it. */
export interface Tally {
  /** The number of writes, which only grows. */
  readonly counter: number;
  /** The sum of all sealed rows, 64 hexadecimal digits. */
  readonly sum: string;
}

const sumBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * One number for a set of sealed rows. It changes when a row is added, removed or replaced by an older one, whose seal
 * is valid too. A row counts by its nonce and tag: no other bytes open with them. Each row counts with a keyed HMAC, so
 * that without the key no one can make another set with the same sum.
 */
export class SealedSum {
  readonly #key: Uint8Array;
  readonly #sum: Buffer;

  constructor(key: Uint8Array, sum = Buffer.alloc(sumBytes)) {
    this.#key = key;
    this.#sum = sum;
  }

  /** Adds a row, or removes one that is in it. Ignores anything that is not a sealed row. */
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
 * Null for a text that is not a tally. Checked without a schema: a thread that loads the schema library for these two
 * fields takes twice as long to start, and each sign-in waits for two such threads.
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
