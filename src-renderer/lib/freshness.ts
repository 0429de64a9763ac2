import type { Freshness } from '../../src-preload/contract/index.ts';
import { t } from '../i18n/index.ts';
import { span } from './format.ts';

/**
 * A dataset's freshness with its age: `Fresh, 12 s old`. The word comes from the core; only the age
 * is counted here.
 *
 * @param at station time of the last good answer, null when there was none.
 */
export function freshnessText(freshness: Freshness, at: number | null, now: number): string {
  if (at === null) return t(freshness === 'offline' ? 'freshness.nothingKnown' : 'freshness.none');
  // Read, and there was nothing in it: the age is all there is to say.
  if (freshness === 'none') return t('freshness.read', { span: span(now - at) });
  return t(`freshness.${freshness}`, { span: span(now - at) });
}
