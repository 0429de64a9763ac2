import type { IncidentsMeta, SyncState, UncertainWindow } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { clockTime, count, dateTime, moment, sameDay, shortMoment, type Zone } from '../../base/format.ts';

/** What the reading of all incidents is doing, as a sentence. */
export const phaseWords = (phase: SyncState['phase']): string => t(`sync.phase.${phase}`);

export const unitWords = (unit: SyncState['unit']): string => t(`sync.units.${unit}`);

const smallest = 1_000;

/** The window's times: `18 Nov, 12:04:31 UTC`, an open end in words. Unix milliseconds, `to` inclusive. */
export function windowTimes({ from, to }: Pick<UncertainWindow, 'from' | 'to'>, zone: Zone): string {
  if (from === null) return to === null ? t('sync.allTimes') : t('sync.before', { time: dateTime(to, zone) });
  if (to === null) return t('sync.since', { time: dateTime(from, zone) });
  if (to - from <= smallest) return moment(from, zone);
  const end = sameDay(from, to, zone) ? clockTime(to, zone) : moment(to, zone);
  return t('time.fromTo', { from: moment(from, zone), to: end });
}

/** `200 known, more may exist`. Of what was not read no number is known, not even none. */
export const windowWorth = ({ known, why }: UncertainWindow): string =>
  why === 'unread' && known === 0 ? t('sync.notRead') : t(`sync.why.${why}`, {}, known);

/** `12 of 40 windows complete`. */
export const windowProgress = ({ windows }: SyncState): string =>
  t('sync.windowsComplete', { complete: count(windows.complete) }, windows.planned);

const underWay = ({ phase, windows }: SyncState): boolean =>
  (phase === 'first' || phase === 'detecting') && windows.complete < windows.planned;

/**
 * How complete what is known is, as a clause: `complete as of 14:02 UTC`; `at least 1,707, 3 windows
 * uncertain`; `at least 1,707, 12 of 40 windows read` while the first reading runs. Empty while
 * nothing was read.
 */
export function completenessClause(
  sync: SyncState | undefined,
  incidents: Pick<IncidentsMeta, 'completeness' | 'count'>,
  now: number,
  zone: Zone,
): string {
  switch (incidents.completeness) {
    case 'unknown':
      return sync !== undefined && underWay(sync) ? windowProgress(sync) : '';
    case 'complete': {
      const at = sync?.completeAsOf ?? null;
      return at === null
        ? t('sync.clauseComplete')
        : t('sync.clauseCompleteAsOf', { time: shortMoment(at, now, zone) });
    }
    case 'at-least': {
      const why = doubt(sync);
      return why === ''
        ? t('sync.clauseAtLeast', {}, incidents.count)
        : t('sync.clauseAtLeastWhy', { why }, incidents.count);
    }
  }
}

/** Why it is not complete: `3 windows uncertain`; empty when nothing more is known about it. */
export function doubt(sync: SyncState | undefined): string {
  if (sync === undefined) return '';
  if (underWay(sync)) {
    const { complete, planned } = sync.windows;
    return t('sync.windowsRead', { complete: count(complete) }, planned);
  }
  if (sync.phase === 'unfiltered') return t('sync.mayHoldMore');
  if (sync.uncertain.count === 0) return '';
  return t('sync.uncertain', {}, sync.uncertain.count);
}
