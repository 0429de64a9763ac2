import { everything, type Span } from './window.ts';

/** The largest page that a service has shown, its window, and the last read for which that is proven. */
export interface PageSizeState {
  readonly size: number | null;
  readonly witness: Span | null;
}

/**
 * The page size that a service has shown for the requested limit.
 *
 * An answer is complete only if it is smaller than a page that the service can still return. A service may begin to
 * return smaller pages while the console runs. So the window that showed the size is the witness, and is read again
 * from time to time: while it still fills such a page, the earlier reads were not cut at a smaller size.
 */
export class PageSize {
  #size: number | null;
  #witness: Span | null;
  /** Reads up to this number are proven. */
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

  /** Server time of the last proof; null before the first. */
  get provenAt(): number | null {
    return this.#provenAt;
  }

  /**
   * Takes a page of `rows` that the service returned for `span`, as read number `read`.
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

  /** The service returned only `rows` although there are or were more: its pages may be that small. */
  contradicted(rows: number, span: Span, now: number): void {
    this.#size = Math.max(1, rows);
    this.#witness = span;
    this.#provenAt = now;
  }
}
