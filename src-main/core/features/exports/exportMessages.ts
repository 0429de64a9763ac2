/* eslint-disable words/literal-text -- English in every language: the name of the program in a file. */
import { message, type PhraseId } from '../../base/messages/message.ts';
import type { Values } from '../../base/messages/messageFormat.ts';
import type { ExportFacts } from './exportFacts.ts';

/** Formats the texts that a file holds about itself, and the times in them. */
export interface TextFormatter {
  format(id: PhraseId, values?: Values): string;
  readonly instant: (at: number) => string;
}

export const trainingText = message('sheet.training').text;

const counts = new Intl.NumberFormat('en-US');

/** `1,707`. */
export const countText = (value: number): string => counts.format(value);

/**
 * An instant as RFC 3339 in UTC, to the millisecond; null outside the years 1 to 9999, which the formats that
 * ask for one cannot say.
 */
export function instantText(at: number): string | null {
  const [first, last] = [-62_135_596_800_000, 253_402_300_799_999];
  return at >= first && at <= last ? new Date(at).toISOString() : null;
}

/** Files for programs: in English, with times that sort, `2026-11-22 14:02:31 UTC`. */
const inFiles: TextFormatter = {
  format: (id, values) => message(id, values).text,
  instant: (at) => `${instantText(at)?.slice(0, 19).replace('T', ' ') ?? 'unknown time'} UTC`,
};

/** How old the data were when the file was made. */
export function ageText(
  { dataAsOf, madeAt }: Pick<ExportFacts, 'dataAsOf' | 'madeAt'>,
  formatter: TextFormatter = inFiles,
): string {
  if (dataAsOf === null) return formatter.format('sheet.ageUnknown');
  const time = formatter.instant(dataAsOf);
  const minutes = Math.floor(Math.max(0, madeAt - dataAsOf) / 60_000);
  if (minutes < 1) return formatter.format('sheet.ageMoment', { time });
  return minutes < 120
    ? formatter.format('sheet.ageMinutes', { time, n: minutes })
    : formatter.format('sheet.ageHours', { time, n: Math.floor(minutes / 60) });
}

/** How much of what exists the console knew. It speaks of all incidents, not only of those that were filtered. */
export function completenessText(
  facts: Pick<ExportFacts, 'completeness' | 'completeAsOf' | 'held' | 'uncertainWindows'>,
  formatter: TextFormatter = inFiles,
): string {
  const { completeness, completeAsOf, held, uncertainWindows } = facts;
  switch (completeness) {
    case 'complete':
      return completeAsOf === null
        ? formatter.format('sheet.complete')
        : formatter.format('sheet.completeAsOf', { time: formatter.instant(completeAsOf) });
    case 'at-least': {
      const least = formatter.format('sheet.atLeast', { n: held });
      return uncertainWindows > 0
        ? `${least} ${formatter.format('sheet.windows', { n: uncertainWindows })}`
        : least;
    }
    case 'unknown':
      return formatter.format('sheet.unknown');
  }
}

/** What was counted, for a file's head: `12 incidents, 2 without location, 1 no longer returned by the service.` */
export const countsText = (
  {
    incidents,
    withoutLocation,
    notReturned,
  }: Pick<ExportFacts, 'incidents' | 'withoutLocation' | 'notReturned'>,
  formatter: TextFormatter = inFiles,
): string =>
  formatter.format('sheet.counts', { n: incidents, unlocated: withoutLocation, gone: notReturned });

/** A file's head as names and values, in the order in which every format says them. */
export function factLines(facts: ExportFacts): readonly (readonly [name: string, value: string])[] {
  return [
    ...(facts.training ? [['training', trainingText] as const] : []),
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
