import { ok, type Result } from '../../../../../src-preload/contract/index.ts';
import type { ListIncidentsParams } from '../../../service/api/infrastructure.ts';
import type { IncidentRecord } from '../../../state/incident.ts';
import { isRefusal, type ListPages } from './listReader.ts';
import { mayHold, tickMs, type Span, type TickUnit } from './window.ts';

/** How a service follows the bounds of a window. */
export interface Bounds {
  readonly unit: TickUnit;
  /** So many ticks later than the creation time is what it compares: its filter may be in local time. */
  readonly shift: number;
  /** So many ticks wider a window is asked for, since bounds may be exclusive. */
  readonly margin: number;
  /** Nothing says which window an incident is in, so that no window proves anything. */
  readonly isOdd: boolean;
}

/** What the service takes for a time from tick `from` to `to`. */
export const boundsOf = ({ shift, margin }: Bounds, from: number, to: number) => ({
  startTime: Math.max(0, from + shift - margin),
  endTime: to + shift + margin,
});

/** Whether all rows may be in the answer for a span. */
export const areInside = (
  rows: readonly IncidentRecord[],
  { from, to }: Span,
  { unit, margin }: Bounds,
): boolean =>
  rows.every(({ createdAt }) =>
    mayHold({ from: from - margin, to: to === null ? null : to + margin }, createdAt, unit),
  );

export type UnitFinding = Bounds | { readonly unit: 'ignored' | 'undecided' };

const units = ['seconds', 'milliseconds'] as const;
/** How many incidents are tried: one may have vanished meanwhile. */
const mostSamples = 3;
/** How much wider a window is where the incident's own does not have it: bounds may be exclusive, or hours off. */
const margins: readonly ((unit: TickUnit) => number)[] = [() => 2, (unit) => 86_400_000 / tickMs(unit)];
/** By how much the times of zones differ from UTC, milliseconds, the smallest first. */
const zones = Array.from({ length: 29 }, (_, halves) => halves * 1_800_000).flatMap((ms) => [ms, -ms]);

type ReadSpan = (
  params: Pick<ListIncidentsParams, 'startTime' | 'endTime'>,
) => Promise<Result<Pick<ListPages, 'rows'>>>;

/** What an answer says of the window that it was asked for. */
type Probe = 'returned' | 'absent' | 'outside';

/**
 * Finds out the unit of `start_time` and `end_time`: asks for [t, t+1] around a known incident in both units. If only
 * one answer has the incident, that is the unit. If both have it, the service ignores the filter. If neither has it, a
 * wider window may: by two ticks, then bounds are exclusive, or by a day, then they may be of another zone. If none has it,
 * the unit stays undecided.
 *
 * @param known incidents just read; those alone in their second work best.
 *
 * @returns a failure only when the service could not be asked.
 */
export async function probeUnit(
  known: readonly IncidentRecord[],
  read: ReadSpan,
): Promise<Result<UnitFinding>> {
  const samples = loneliest(known.filter(hasTime));
  const tries: readonly { readonly sample: IncidentRecord; readonly marginOf: (unit: TickUnit) => number }[] =
    [
      ...samples.map((sample) => ({ sample, marginOf: () => 0 })),
      ...margins.flatMap((marginOf) => samples.slice(0, 1).map((sample) => ({ sample, marginOf }))),
    ];
  for (const [at, { sample, marginOf }] of tries.entries()) {
    // Both at once: until they are answered nothing else is read.
    const asked = await Promise.all(
      units.map(async (unit): Promise<Result<Probe>> => {
        const tick = Math.floor(sample.createdAt / tickMs(unit));
        const margin = marginOf(unit);
        const span = { from: tick - margin, to: tick + 1 + margin };
        const answer = await read({ startTime: Math.max(0, span.from), endTime: span.to });
        if (!answer.ok && !isRefusal(answer.failure)) return answer;
        return ok(probeOf(answer.ok ? answer.value.rows : [], (at) => mayHold(span, at, unit)));
      }),
    );
    const answers: Probe[] = [];
    for (const answer of asked) {
      if (!answer.ok) return answer;
      answers.push(answer.value);
    }
    const [inSeconds, inMilliseconds] = answers;
    if (inSeconds === 'absent' && inMilliseconds === 'absent') continue;
    if (inSeconds !== 'absent' && inMilliseconds !== 'absent') return ok({ unit: 'ignored' });
    const unit = inSeconds === 'absent' ? 'milliseconds' : 'seconds';
    const isPlain = at <= samples.length && !answers.includes('outside');
    if (isPlain) return ok({ unit, shift: 0, margin: at < samples.length ? 0 : 1, isOdd: false });
    return shiftedBounds(samples, unit, read);
  }
  return ok({ unit: 'undecided' });
}

/** The bounds of a service that has all samples by as many ticks later than they were created; odd ones of another. */
async function shiftedBounds(
  samples: readonly IncidentRecord[],
  unit: TickUnit,
  read: ReadSpan,
): Promise<Result<Bounds>> {
  const haveAll = async (
    wanted: readonly IncidentRecord[],
    shift: number,
    margin: number,
  ): Promise<Result<boolean>> => {
    for (const { id, createdAt } of wanted) {
      const from = Math.floor(createdAt / tickMs(unit)) + shift;
      const answer = await read({ startTime: Math.max(0, from - margin), endTime: from + 1 + margin });
      if (!answer.ok && !isRefusal(answer.failure)) return answer;
      if (!answer.ok || !answer.value.rows.some((row) => row.id === id)) return ok(false);
    }
    return ok(true);
  };
  for (const shift of zones.map((ms) => ms / tickMs(unit))) {
    const found = await haveAll(samples.slice(0, 1), shift, 1);
    if (!found.ok) return found;
    if (!found.value) continue;
    for (const margin of [0, 1]) {
      const same = await haveAll(samples, shift, margin);
      if (!same.ok) return same;
      if (same.value) return ok({ unit, shift, margin, isOdd: false });
    }
  }
  return ok({ unit, shift: 0, margin: 1, isOdd: true });
}

/** An answer for a second with many incidents may be cut before the one that is looked for: any of that time will do. */
function probeOf(rows: readonly IncidentRecord[], isInside: (at: number) => boolean): Probe {
  const timed = rows.filter(hasTime);
  if (timed.length === 0) return 'absent';
  return timed.every(({ createdAt }) => isInside(createdAt)) ? 'returned' : 'outside';
}

const hasTime = ({ createdAt }: IncidentRecord): boolean => !Number.isNaN(createdAt);

function loneliest(known: readonly IncidentRecord[]): IncidentRecord[] {
  const second = ({ createdAt }: IncidentRecord): number => Math.floor(createdAt / 1000);
  const crowds = new Map<number, number>();
  for (const row of known) crowds.set(second(row), (crowds.get(second(row)) ?? 0) + 1);
  return [...known]
    .sort((a, b) => (crowds.get(second(a)) ?? 0) - (crowds.get(second(b)) ?? 0))
    .slice(0, mostSamples);
}
