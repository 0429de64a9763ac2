import type { Freshness } from '../../src-preload/contract/index.ts';
import { span } from './format.ts';

/** The core's own words for how old a dataset is, as an operator reads them. */
export const freshnessWords: Readonly<Record<Freshness, string>> = {
  none: 'No data yet',
  fresh: 'Fresh',
  ageing: 'Ageing',
  stale: 'Stale',
  offline: 'Offline',
};

/**
 * A dataset's freshness with its age: `Fresh, 12 s old`. The word comes from the core; only the age
 * is counted here.
 *
 * @param at station time of the last good answer, null when there was none.
 */
export function freshnessText(freshness: Freshness, at: number | null, now: number): string {
  if (at === null) return freshness === 'offline' ? 'Offline, nothing known' : freshnessWords.none;
  // Read, and there was nothing in it: the age is all there is to say.
  if (freshness === 'none') return `Read ${span(now - at)} ago`;
  return `${freshnessWords[freshness]}, ${span(now - at)} old`;
}
