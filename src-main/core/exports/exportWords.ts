import type { ExportFacts } from './exportFacts.ts';

export const trainingWords = 'TRAINING, NOT REAL INCIDENTS';

const counts = new Intl.NumberFormat('en-US');

/** `1,707`. */
export const countText = (value: number): string => counts.format(value);

/** `1 incident`, `1,707 incidents`. */
export const countedText = (value: number, one: string, many: string): string =>
  `${countText(value)} ${value === 1 ? one : many}`;

/**
 * An instant as RFC 3339 in UTC, to the millisecond; null outside the years 1 to 9999, which the formats that
 * ask for one cannot say.
 */
export function instantText(at: number): string | null {
  const [first, last] = [-62_135_596_800_000, 253_402_300_799_999];
  return at >= first && at <= last ? new Date(at).toISOString() : null;
}

/** The same to the second, for people: `2026-11-22 14:02:31 UTC`. */
export const readableInstant = (at: number): string =>
  `${instantText(at)?.slice(0, 19).replace('T', ' ') ?? 'unknown time'} UTC`;

/** How old the data were when the file was made. */
export function ageText({ dataAsOf, madeAt }: Pick<ExportFacts, 'dataAsOf' | 'madeAt'>): string {
  if (dataAsOf === null) return 'The service was not read in this session: the age of the data is unknown.';
  const minutes = Math.floor(Math.max(0, madeAt - dataAsOf) / 60_000);
  const age =
    minutes < 1
      ? 'less than a minute'
      : minutes < 120
        ? countedText(minutes, 'minute', 'minutes')
        : countedText(Math.floor(minutes / 60), 'hour', 'hours');
  return `Data as of ${readableInstant(dataAsOf)}, ${age} old when this was made.`;
}

/** How much of what exists the console knew. It speaks of all incidents, not only of those that were filtered. */
export function completenessText(
  facts: Pick<ExportFacts, 'completeness' | 'completeAsOf' | 'held' | 'uncertainWindows'>,
): string {
  const { completeness, completeAsOf, held, uncertainWindows } = facts;
  switch (completeness) {
    case 'complete':
      return completeAsOf === null ? 'Complete.' : `Complete as of ${readableInstant(completeAsOf)}.`;
    case 'at-least': {
      const windows = countedText(uncertainWindows, 'window of time', 'windows of time');
      const why = uncertainWindows > 0 ? `: ${windows} could not be shown to be whole` : '';
      return `Not complete: at least ${countedText(held, 'incident exists', 'incidents exist')}${why}.`;
    }
    case 'unknown':
      return 'Whether anything is missing is not known.';
  }
}

/** What was counted, for a file's head: `12 incidents, 2 without location, 1 no longer returned by the service.` */
export function countsText(
  facts: Pick<ExportFacts, 'incidents' | 'withoutLocation' | 'notReturned'>,
): string {
  const { incidents, withoutLocation, notReturned } = facts;
  return `${[
    countedText(incidents, 'incident', 'incidents'),
    `${countText(withoutLocation)} without location`,
    `${countText(notReturned)} no longer returned by the service`,
  ].join(', ')}.`;
}

/** A file's head as names and values, in the order in which every format says them. */
export function factLines(facts: ExportFacts): readonly (readonly [name: string, value: string])[] {
  return [
    ...(facts.training ? [['training', trainingWords] as const] : []),
    ['deployment', facts.deployment],
    ['account', facts.account],
    ['made_at', instantText(facts.madeAt) ?? ''],
    ['data_as_of', facts.dataAsOf === null ? '' : (instantText(facts.dataAsOf) ?? '')],
    ['age', ageText(facts)],
    ['completeness', completenessText(facts)],
    ['filters', facts.filters],
    ['incidents', String(facts.incidents)],
    ['without_location', String(facts.withoutLocation)],
    ['no_longer_returned', String(facts.notReturned)],
    ['program', `Field Console ${facts.version}`],
  ];
}
