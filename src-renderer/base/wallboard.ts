import {
  severityNames,
  type Alarm,
  type ConsoleState,
  type IncidentsMeta,
  type LastHour,
  type SavedView,
  type SeverityName,
} from '../../src-preload/contract/index.ts';
import type { LinkState } from './bridge/bridge.ts';
import { severityRanks } from '../table/severity.ts';
import { sortRows } from '../table/sort.ts';
import { openRows } from '../table/worstOpen.ts';
import { t } from '../i18n/index.ts';
import type { IncidentTable } from '../table/table.ts';
import { ago, shortMoment, type Zone } from './format.ts';
import { livenessOf } from './liveness.ts';
import { unfiltered } from './query.ts';
import { countsAsCritical } from './severities.ts';

/** How long a most urgent alarm holds a wallboard and sounds again and again, in milliseconds. */
export const urgentForMs = 5 * 60_000;
/** How long a wallboard shows an alarm that is not critical, in milliseconds: its page acknowledges none. */
export const shownForMs = 30 * 60_000;

const youngerThan =
  (ms: number, now: number) =>
  ({ at }: Alarm): boolean =>
    now - at < ms;

/** Those that wait: what has passed or was put off needs no look from across the room, and stands above nothing. */
const waiting = (active: readonly Alarm[]): readonly Alarm[] =>
  active.filter(({ recoveredAt, snoozedUntil }) => recoveredAt === null && snoozedUntil === null);

/** The alarms that hold the rotation and repeat their sound. `now` is server time. */
export const urgentOnWall = (active: readonly Alarm[], now: number): readonly Alarm[] =>
  waiting(active).filter((alarm) => alarm.level === 3 && youngerThan(urgentForMs, now)(alarm));

/**
 * The alarms that are on the board, in the order of the console: critical ones until they are acknowledged,
 * others for half an hour. `now` is server time.
 */
export const shownOnWall = (active: readonly Alarm[], now: number): readonly Alarm[] =>
  waiting(active).filter(
    (alarm) =>
      (alarm.severity !== null && countsAsCritical(alarm.severity)) || youngerThan(shownForMs, now)(alarm),
  );

/** The alarm that waits longest, however old it is; null when none waits. */
export const oldestOnWall = (active: readonly Alarm[]): Alarm | null =>
  waiting(active).reduce<Alarm | null>(
    (oldest, alarm) => (oldest === null || alarm.at < oldest.at ? alarm : oldest),
    null,
  );

/** What a saved view narrows a board to. A board shows open incidents only, whatever the view says; null for no view. */
export const narrowedOnWall = (
  view: SavedView | null,
): Pick<SavedView, 'range' | 'severities' | 'statuses' | 'types' | 'openOnly'> => {
  const { range, severities, statuses, types } = view ?? unfiltered;
  return { range, severities, statuses, types, openOnly: true };
};

/** Where a rotation stands: which view, and for how long it was shown, milliseconds. */
export interface Rotation {
  readonly at: number;
  readonly shownMs: number;
}

export const rotationAtStart: Rotation = { at: 0, shownMs: 0 };

/** The rotation `passedMs` later, through `count` views of `periodMs` each; one that is held stands still. */
export function rotated(
  rotation: Rotation,
  {
    passedMs,
    count,
    periodMs,
    held,
  }: {
    readonly passedMs: number;
    readonly count: number;
    readonly periodMs: number;
    readonly held: boolean;
  },
): Rotation {
  // A view may have been removed elsewhere.
  const at = rotation.at < count ? rotation.at : 0;
  if (held) return at === rotation.at ? rotation : { at, shownMs: 0 };
  const shownMs = rotation.shownMs + passedMs;
  return shownMs < periodMs ? { at, shownMs } : { at: count === 0 ? 0 : (at + 1) % count, shownMs: 0 };
}

/** How many of `rows` there are with each severity's mark. */
export function countsBySeverity(table: IncidentTable, rows: Uint32Array): Record<SeverityName, number> {
  const { columns } = table;
  const ranks = severityRanks(table);
  const counts = new Uint32Array(severityNames.length);
  for (const row of rows) {
    const rank = ranks[columns.severity[row] ?? 0] ?? 0;
    counts[rank] = (counts[rank] ?? 0) + 1;
  }
  return Object.fromEntries(severityNames.map((name, rank) => [name, counts[rank] ?? 0])) as Record<
    SeverityName,
    number
  >;
}

/** The `most` worst rows that are not resolved. What the service no longer returns is left out. */
export function worstListed(table: IncidentTable, rows: Uint32Array, most: number): readonly number[] {
  const present = rows.filter((row) => table.columns.notReturned[row] !== 1);
  return [...sortRows(table, openRows(table, present), 'severity', 'descending').subarray(0, most)];
}

/** What changed in the last hour, in words. */
export interface HourWords {
  /** Of which time, and of which incidents where the board shows fewer. */
  readonly title: string;
  /** Only what happened. */
  readonly changes: readonly { readonly kind: 'came' | 'rose' | 'resolved'; readonly text: string }[];
  /** Why the counts do not tell all of that time; null where they do. */
  readonly gap: string | null;
}

const hourMs = 3_600_000;

/**
 * The change in the last hour, of all incidents; null while nothing is counted. `lastReadAt` and `now` are station
 * time; `doubted`: what the board shows can't be taken for the present; `narrowed`: it shows fewer incidents.
 */
export function hourWords(
  lastHour: LastHour,
  {
    lastReadAt,
    doubted,
    narrowed,
    now,
    zone,
  }: {
    readonly lastReadAt: number | null;
    readonly doubted: boolean;
    readonly narrowed: boolean;
    readonly now: number;
    readonly zone: Zone;
  },
): HourWords | null {
  const { since, unreadMinutes } = lastHour;
  if (since === null || lastReadAt === null) return null;
  const ofAll = narrowed ? 'OfAll' : '';
  const title =
    now - since < hourMs
      ? t(`wallboard.countedSince${ofAll}`, { time: shortMoment(since, now, zone) })
      : t(`wallboard.lastHour${ofAll}`);
  const kinds = (['came', 'rose', 'resolved'] as const).filter((kind) => lastHour[kind] > 0);
  const changes = kinds.map((kind) => ({ kind, text: t(`wallboard.${kind}`, {}, lastHour[kind]) }));
  if (doubted)
    return { title, changes, gap: t('wallboard.unreadSince', { time: shortMoment(lastReadAt, now, zone) }) };
  return { title, changes, gap: unreadMinutes === 0 ? null : t('wallboard.unread', {}, unreadMinutes) };
}

/** What must be read from the other side of the room before anything else: what the board is worth. */
export interface WallTrouble {
  readonly headline: string;
  readonly detail: string;
}

/** Why the board can't be taken for the present; null while it can. `now` is server time. */
export function wallTrouble(
  state: {
    readonly link: LinkState;
    readonly session: ConsoleState['session'] | undefined;
    readonly incidents: Pick<IncidentsMeta, 'freshness' | 'lastReadAt'> | undefined;
  },
  now: number,
  zone: Zone,
): WallTrouble | null {
  const at = state.incidents?.lastReadAt ?? null;
  const data =
    at === null
      ? t('wallboard.nothingKnown')
      : t('wallboard.dataAsOf', { time: shortMoment(at, now, zone), age: ago(at, now) });
  if (state.link.state !== 'up')
    return { headline: t('wallboard.cutOff'), detail: t('wallboard.noChange', { data }) };
  const liveness = livenessOf(state.session, now);
  if (liveness.kind === 'rejected')
    return { headline: t('wallboard.sessionEnded'), detail: t('wallboard.signInAgain', { data }) };
  if (liveness.kind === 'tokens-refused') return { headline: t('wallboard.tokensRefused'), detail: data };
  const freshness = state.incidents?.freshness ?? 'none';
  if (liveness.kind === 'offline' || freshness === 'offline')
    return { headline: t('wallboard.offline'), detail: data };
  return freshness === 'stale' ? { headline: t('wallboard.stale'), detail: data } : null;
}
