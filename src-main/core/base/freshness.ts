import type { ApiConnection, Freshness } from '../../../src-preload/contract/index.ts';

export interface FreshnessFacts {
  /** Server time of the last good answer, Unix milliseconds; null when there was none. */
  readonly lastAt: number | null;
  readonly now: number;
  /** The usual time between two reads, milliseconds. */
  readonly intervalMs: number;
  readonly connection: ApiConnection['state'];
  /** Whether the last read of this dataset failed. */
  readonly failed: boolean;
  /** Whether anything is there to be shown. */
  readonly hasData: boolean;
}

/**
 * How old a dataset is, decided here and nowhere else, so that two panels never disagree on it.
 *
 * `fresh` allows two intervals (one read with its jitter, and one that is late), `ageing` four. Once a read
 * has failed, or the service is in trouble, as when it throttles, `fresh` ends with the interval.
 * `offline` says that the service cannot be reached, whatever the age. A lastAt in the future
 * (the server time was corrected backwards) counts as just read.
 */
export function freshnessOf({
  lastAt,
  now,
  intervalMs,
  connection,
  failed,
  hasData,
}: FreshnessFacts): Freshness {
  if (lastAt === null || !hasData) return 'none';
  if (connection === 'offline') return 'offline';
  const age = Math.max(0, now - lastAt);
  const isTroubled = failed || connection === 'degraded';
  if (age <= (isTroubled ? 1 : 2) * intervalMs) return 'fresh';
  return age <= 4 * intervalMs ? 'ageing' : 'stale';
}
