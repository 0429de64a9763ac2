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
  /** Whether there is anything to show. */
  readonly hasData: boolean;
}

/**
 * How old a dataset is. All panels use this function, so that two of them never disagree.
 *
 * `fresh` lasts two intervals (one read with its jitter, and one that is late), `ageing` four. After a failed read, or
 * while the service is in trouble (as when it limits requests), `fresh` lasts one interval. `offline`: the service
 * cannot be reached, whatever the age. A `lastAt` in the future (the server time was corrected backwards) counts as
 * just read.
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
