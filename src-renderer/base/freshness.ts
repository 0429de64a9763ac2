import { t } from '../i18n/index.ts';
import { clockTime, shortMoment, span, type Zone } from './format.ts';
import type { ShownFreshness } from './liveState.ts';

export interface DatasetAge {
  readonly shown: ShownFreshness;
  /** Server time of the last good answer; null when there was none. */
  readonly at: number | null;
  /** Server time of the next read; null where it is not known. */
  readonly next?: number | null;
}

/**
 * A dataset's freshness: `Fresh, 12 s old`, and `Offline, as of 14:02 UTC` for what is not live. What is not
 * live has a time and no age: a running age looks alive.
 *
 * @param now server time.
 */
export function freshnessText({ shown, at, next = null }: DatasetAge, now: number, zone: Zone): string {
  if (at === null) return t(shown === 'offline' ? 'freshness.nothingKnown' : 'freshness.none');
  const age = { span: span(now - at) };
  const asOf = { time: shortMoment(at, now, zone) };
  switch (shown) {
    // Read, and there was nothing in it: the age is all there is to say.
    case 'none':
      return t('freshness.read', age);
    case 'fresh':
    case 'ageing':
    case 'stale':
      return t(`freshness.${shown}`, age);
    case 'throttled':
      return next === null || next <= now
        ? t('freshness.throttled', age)
        : t('freshness.throttledUntil', { ...age, time: clockTime(next, zone) });
    case 'offline':
    case 'as-of':
    case 'frozen':
      return t(`freshness.${shown}`, asOf);
  }
}
