import type { IncidentsMeta, SyncState, UncertainWindow } from '../../src-preload/contract/index.ts';
import { clockTime, count, counted, dateTime, moment, shortMoment, type Zone } from './format.ts';

/** What the reading of all incidents is doing, as a sentence. */
export const phaseWords: Readonly<Record<SyncState['phase'], string>> = {
  idle: 'Nothing is being read: no session with the service.',
  detecting: 'Finding out in which unit the service reads times.',
  first: 'Reading all incidents for the first time.',
  rolling: 'Windows are read again in turn, the recent and the open ones first.',
  unfiltered: 'The service does not follow time windows, so only its plain list is read.',
};

export const unitWords: Readonly<Record<SyncState['unit'], string>> = {
  seconds: 'Seconds',
  milliseconds: 'Milliseconds',
  undecided: 'Undecided, so no window is trusted',
  ignored: 'Ignored by the service, so no window is trusted',
};

const whyWords: Readonly<Record<UncertainWindow['why'], string>> = {
  unread: 'not read yet',
  saturated: 'more may exist',
  failed: 'the last read failed',
};

const smallest = 1_000;

/** The window's times: `18 Nov, 12:04:31 UTC`, an open end in words. Unix milliseconds, `to` inclusive. */
export function windowTimes({ from, to }: Pick<UncertainWindow, 'from' | 'to'>, zone: Zone): string {
  if (from === null) return to === null ? 'All times' : `Before ${dateTime(to, zone)}`;
  if (to === null) return `Since ${dateTime(from, zone)}`;
  if (to - from <= smallest) return moment(from, zone);
  const sameDay = moment(from, zone).split(',')[0] === moment(to, zone).split(',')[0];
  return `${moment(from, zone)} to ${sameDay ? clockTime(to, zone) : moment(to, zone)}`;
}

/** `200 known, more may exist`. */
export const windowWorth = ({ known, why }: UncertainWindow): string =>
  `${count(known)} known, ${whyWords[why]}`;

/** `12 of 40 windows complete`. */
export const windowProgress = ({ windows }: SyncState): string =>
  `${count(windows.complete)} of ${counted(windows.planned, 'window', 'windows')} complete`;

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
      return at === null ? 'complete' : `complete as of ${shortMoment(at, now, zone)}`;
    }
    case 'at-least':
      return [`at least ${count(incidents.count)}`, doubt(sync)].filter(Boolean).join(', ');
  }
}

/** Why it is not complete: `3 windows uncertain`; empty when nothing more is known about it. */
export function doubt(sync: SyncState | undefined): string {
  if (sync === undefined) return '';
  if (underWay(sync)) return `${count(sync.windows.complete)} of ${count(sync.windows.planned)} windows read`;
  if (sync.phase === 'unfiltered') return 'the service may hold more';
  if (sync.uncertain.count === 0) return '';
  return `${counted(sync.uncertain.count, 'window', 'windows')} uncertain`;
}
