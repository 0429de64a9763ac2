import type { Range } from '../../../../src-preload/contract/index.ts';

const hour = 3_600_000;

/** The length of a preset in milliseconds; null for "all". */
export function rangeSpan(range: Range): number | null {
  switch (range) {
    case '1h':
      return hour;
    case '6h':
      return 6 * hour;
    case '24h':
      return 24 * hour;
    case '7d':
      return 7 * 24 * hour;
    case 'all':
      return null;
  }
}

/** The inclusive lower bound of a preset on creation time, in Unix milliseconds; null for none. */
export function rangeStart(range: Range, serverNow: number): number | null {
  const span = rangeSpan(range);
  return span === null ? null : Math.floor((serverNow - span) / 1000) * 1000;
}
