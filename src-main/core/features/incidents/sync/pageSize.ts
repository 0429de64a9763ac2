import { everything, type Span } from './window.ts';

/** The largest page that a service has shown, where it did, and until which read that is known to hold. */
export interface PageSizeState {
  readonly size: number | null;
  readonly witness: Span | null;
}

/**
 * The page size that a service has shown for the limit that is asked for (design rule 7).
 *
 * An answer is whole only if it is smaller than a page that the service can still return. A service
 * may begin to return less while the console runs; so the window that showed the size is its
 * witness, read again from time to time: as long as it fills such a page, all that was read before
 * it was not cut at less.
 */
export class PageSize {
  #size: number | null;
  #witness: Span | null;
  /** The reads up to this number are proven. */
  #provenRead = 0;
  #provenAt: number | null = null;

  constructor({ size, witness }: PageSizeState = { size: null, witness: null }) {
    this.#size = size;
    this.#witness = size === null ? null : (witness ?? everything);
  }

  get size(): number | null {
    return this.#size;
  }

  get witness(): Span | null {
    return this.#witness;
  }

  get provenRead(): number {
    return this.#provenRead;
  }

  /** Server time of the last proof; null before one. */
  get provenAt(): number | null {
    return this.#provenAt;
  }

  /**
   * Takes a page of `rows` that the service returned for `span`, as its read number `read`.
   *
   * @returns whether it proves the size: it is as large as any before.
   */
  shown(rows: number, span: Span, read: number, now: number): boolean {
    if (rows === 0 || rows < (this.#size ?? 0)) return false;
    this.#size = rows;
    this.#witness = span;
    this.#provenRead = read;
    this.#provenAt = now;
    return true;
  }

  /** The service returned only `rows` where there are more, or once were: its pages may be that small. */
  contradicted(rows: number, span: Span, now: number): void {
    this.#size = Math.max(1, rows);
    this.#witness = span;
    this.#provenAt = now;
  }
}
