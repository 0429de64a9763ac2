import { largestPage } from '../../../service/api/pageLimits.ts';
import type { LedgerWindow } from './window.ts';

/** How full a window should be: below 1, so that it can grow before its answer is cut. */
const fill = 0.75;
/** A page of fewer rows says nothing about the size of others, until an answer of so few was cut. */
export const leastPage = 10;
/** Replicas that differ show no page smaller than such a part of the largest. */
const smallestShare = 8;

/** What the answers of a service show about the size of its pages, rows. */
export class PageSize {
  /** The largest page that the service has shown, or the fewest rows of an answer that was cut; null before the first. */
  page: number | null;
  /** The largest page that the service has shown. */
  largest = leastPage;
  /** Whether an answer was cut although it looked whole: windows count as whole only once finer ones confirm them. */
  strict: boolean;

  /** How many rows the line brings in some seconds. */
  fits = Infinity;

  constructor({ page, strict }: Pick<PageSize, 'page' | 'strict'>) {
    this.page = page;
    this.strict = strict;
  }

  /** How many rows a window should have. */
  get target(): number {
    const least = this.strict ? 0 : leastPage;
    const page = Math.min(Math.max(least, this.page ?? largestPage), largestPage, this.fits);
    return Math.max(1, Math.floor(page * fill));
  }

  /** An answer without a row was cut: however small windows are, their answers prove nothing. */
  get provesNothing(): boolean {
    return this.strict && this.page === 0;
  }

  /** Whether a page of so many rows for a window may have been cut. */
  isFull({ from, to }: LedgerWindow, rows: number, limit: number | undefined): boolean {
    // No finer window shows that the answer for an incident's own tick was cut.
    const isCrowd = this.strict && to !== null && to - from <= 2 && rows > 1 && rows >= (this.page ?? 0);
    return isCrowd || (rows > 0 && rows >= Math.min(limit ?? Infinity, Math.max(leastPage, this.page ?? 0)));
  }

  showed(page: number): void {
    this.largest = Math.max(this.largest, page);
    if (!this.strict) this.page = Math.max(this.page ?? 0, page) || null;
  }

  /** An answer of so many rows was cut. */
  wasCut(rows: number): void {
    this.page = Math.min(this.page ?? rows, rows);
  }

  /** What was learned is of a service that may have changed since. */
  forget(): void {
    this.page = null;
    this.strict = false;
  }

  /** What answers lacked may have been of replicas that differ, and no sign of a cut. */
  relearn(): void {
    this.page = Math.max(this.page ?? 0, Math.ceil(this.largest / smallestShare));
  }
}
