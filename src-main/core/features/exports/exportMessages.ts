/* eslint-disable words/literal-text -- English in every language: the name of the program in a file. */
import type { MessageValues } from '../../../../src-preload/contract/index.ts';
import { english, message, type MessageId } from '../../base/messages/message.ts';
import type { ExportFacts } from './exportFacts.ts';

/** The texts in a file, in English: files are for programs. */
const text = (id: Extract<MessageId, `sheet.${string}`>, values?: MessageValues): string =>
  english(message(id, values));

export const trainingText = text('sheet.training');

const counts = new Intl.NumberFormat('en-US');

/** `1,707`. */
export const countText = (value: number): string => counts.format(value);

/**
 * An instant as RFC 3339 in UTC, to the millisecond. Null outside the years 1 to 9999, which the formats cannot
 * express.
 */
export function instantText(at: number): string | null {
  const [first, last] = [-62_135_596_800_000, 253_402_300_799_999];
  return at >= first && at <= last ? new Date(at).toISOString() : null;
}

/** A sortable time: `2026-11-22 14:02:31 UTC`. */
const timeText = (at: number): string =>
  `${instantText(at)?.slice(0, 19).replace('T', ' ') ?? 'unknown time'} UTC`;

/** The age of the data when the file was made. */
export function ageText({ dataAsOf, madeAt }: Pick<ExportFacts, 'dataAsOf' | 'madeAt'>): string {
  if (dataAsOf === null) return text('sheet.ageUnknown');
  const time = timeText(dataAsOf);
  const minutes = Math.floor(Math.max(0, madeAt - dataAsOf) / 60_000);
  if (minutes < 1) return text('sheet.ageMoment', { time });
  return minutes < 120
    ? text('sheet.ageMinutes', { time, n: minutes })
    : text('sheet.ageHours', { time, n: Math.floor(minutes / 60) });
}

/** How complete the console's data were: for all incidents, not only the filtered ones. */
export function completenessText(
  facts: Pick<ExportFacts, 'completeness' | 'completeAsOf' | 'held' | 'uncertainWindows'>,
): string {
  const { completeness, completeAsOf, held, uncertainWindows } = facts;
  switch (completeness) {
    case 'complete':
      return completeAsOf === null
        ? text('sheet.complete')
        : text('sheet.completeAsOf', { time: timeText(completeAsOf) });
    case 'at-least': {
      const least = text('sheet.atLeast', { n: held });
      return uncertainWindows > 0 ? `${least} ${text('sheet.windows', { n: uncertainWindows })}` : least;
    }
    case 'unknown':
      return text('sheet.unknown');
  }
}

/** The counts for a file's head: `12 incidents, 2 without location, 1 no longer returned by the service.` */
export const countsText = ({
  incidents,
  withoutLocation,
  notReturned,
}: Pick<ExportFacts, 'incidents' | 'withoutLocation' | 'notReturned'>): string =>
  text('sheet.counts', { n: incidents, unlocated: withoutLocation, gone: notReturned });

/** A file's head as names and values, in the order that every format uses. */
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
