import { openRule } from '../../../../../src-preload/contract/index.ts';
import type { IncidentRecord } from '../../../state/incident.ts';
import { tickMs, type LedgerWindow, type Span, type TickUnit } from './window.ts';

/** Open incidents are read more often. The deployment's extra words for closed do not matter here. */
const isOpen = openRule();

/** Creation times in ticks, with their fractions, in the order of the rows; of those that have one. */
export function timesIn(rows: readonly IncidentRecord[], unit: TickUnit): number[] {
  const tick = tickMs(unit);
  return rows.flatMap(({ createdAt }) => (Number.isNaN(createdAt) ? [] : [createdAt / tick]));
}

/** What a window remembers of its rows. */
export const factsOf = (
  rows: readonly IncidentRecord[],
  unit: TickUnit,
): Pick<LedgerWindow, 'rows' | 'open' | 'times'> => ({
  rows: rows.length,
  open: rows.filter(({ status }) => isOpen(status)).length,
  times: timesIn(rows, unit).sort((a, b) => a - b),
});

/** What a part of an answer's window remembers of those rows that are its own. */
export function factsWithin(rows: readonly IncidentRecord[], { from, to }: Span, unit: TickUnit) {
  const tick = tickMs(unit);
  const isInside = ({ createdAt: at }: IncidentRecord): boolean =>
    at >= from * tick && at <= (to ?? Infinity) * tick;
  return factsOf(rows.filter(isInside), unit);
}
