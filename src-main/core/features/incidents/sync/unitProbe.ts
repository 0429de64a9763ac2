import { failed, ok, type Result } from '../../../../../src-preload/contract/index.ts';
import type { ListIncidentsParams } from '../../../service/api/infrastructure.ts';
import { largestPage } from '../../../service/api/pageLimits.ts';
import type { IncidentRecord } from '../../../state/incident.ts';
import type { ListPages } from './listReader.ts';
import { mayHold, tickMs, type TickUnit } from './window.ts';

export type UnitFinding = TickUnit | 'ignored' | 'undecided';

const units = ['seconds', 'milliseconds'] as const;
/** How many incidents are tried: one may have vanished meanwhile. */
const mostSamples = 3;

/**
 * Finds out the unit of `start_time` and `end_time`: asks for [t, t+1] around a known incident in both units. If only
 * one answer has the incident, that is the unit. If both have it, the service ignores the filter. If neither has it, or
 * the service refuses, the unit stays undecided.
 *
 * @param known incidents just read; those alone in their second work best.
 *
 * @returns a failure only when the service could not be asked.
 */
export async function probeUnit(
  known: readonly IncidentRecord[],
  read: (params: ListIncidentsParams) => Promise<Result<ListPages>>,
): Promise<Result<UnitFinding>> {
  for (const sample of loneliest(known.filter(({ createdAt }) => !Number.isNaN(createdAt)))) {
    const answers = new Map<TickUnit, 'returned' | 'absent' | 'ignored'>();
    for (const unit of units) {
      const from = Math.floor(sample.createdAt / tickMs(unit));
      const span = { from, to: from + 1 };
      const answer = await read({ startTime: span.from, endTime: span.to, limit: largestPage });
      if (!answer.ok && answer.failure.code !== 'bad-request') return failed(answer.failure);
      const rows = answer.ok ? answer.value.rows : [];
      const outside = rows.some(({ createdAt }) => !mayHold(span, createdAt, unit));
      const returned = rows.some(({ id }) => id === sample.id) || (rows.length > 0 && !outside);
      answers.set(unit, outside ? 'ignored' : returned ? 'returned' : 'absent');
    }
    const [inSeconds, inMilliseconds] = units.map((unit) => answers.get(unit));
    if (inSeconds === 'ignored' || inMilliseconds === 'ignored') return ok('ignored');
    if (inSeconds === 'returned' && inMilliseconds === 'returned') return ok('ignored');
    if (inSeconds === 'returned') return ok('seconds');
    if (inMilliseconds === 'returned') return ok('milliseconds');
  }
  return ok('undecided');
}

/** An answer for a second with many incidents may be cut before the one that is looked for. */
function loneliest(known: readonly IncidentRecord[]): IncidentRecord[] {
  const second = ({ createdAt }: IncidentRecord): number => Math.floor(createdAt / 1000);
  const crowds = new Map<number, number>();
  for (const row of known) crowds.set(second(row), (crowds.get(second(row)) ?? 0) + 1);
  return [...known]
    .sort((a, b) => (crowds.get(second(a)) ?? 0) - (crowds.get(second(b)) ?? 0))
    .slice(0, mostSamples);
}
