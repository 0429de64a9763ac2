import type { ConsoleState, MessageValues } from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { messageOfPlaceInAll } from '../../base/places/placeMessages.ts';
import { towns } from '../../base/places/towns.ts';
import type { ApiName } from '../../service/transport/request.ts';
import type { IncidentLocation } from '../../state/incident.ts';
import type { DroneSilence } from '../drones/index.ts';
import type { IncidentNews, NewsTally } from './newsTally.ts';

const counted = (what: 'firstRead' | 'away' | 'batch', n: number, { worst }: NewsTally): Message =>
  worst === null
    ? message(`alarm.${what}.all`, { n })
    : message(`alarm.${what}.worst`, {
        n,
        worst: worst.count,
        severity: worst.severity.name || message('alarm.unknown.among'),
      });

const together = (what: 'merged' | 'folded', n: number, severity: string | null): Message =>
  severity === null || severity === ''
    ? message(`alarm.${what}.unknown`, { n })
    : message(`alarm.${what}.worst`, { n, severity });

type NamedIntegration = Pick<ConsoleState['health']['integrations'][number], 'label'>;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** An alarm is read in the language of each page, also long after it was raised. */
const placeMessage = (location: IncidentLocation | null): Message =>
  location === null ? message('alarm.noPlace') : messageOfPlaceInAll(towns.nearest(location));

const typeOf = (type: string): string | Message => type || message('alarm.unknown.type');

/** The severity, type and place of one incident. */
const described = ({
  record,
  severity,
}: IncidentNews): Record<'heading' | 'type', string | Message> & { place: Message } => ({
  heading: (severity.known ? capital(severity.name) : severity.name) || message('alarm.unknown.heading'),
  type: typeOf(record.incidentType),
  place: placeMessage(record.location),
});

const valuesOf = (said: Message): MessageValues => ('values' in said ? said.values : {});

/** `batch` of `alarm.batch.worst`. */
const familyOf = (said: Message): string | undefined => ('id' in said ? said.id.split('.')[1] : undefined);

export const isFirstReading = (sentence: Message): boolean => familyOf(sentence) === 'firstRead';

/**
 * What incidents that become one alarm have in common: severity, type and place. Null for an incident without a
 * location, which nothing proves to be where another one is, and for another alarm.
 */
export function likenessOf(sentence: Message): string | null {
  const { heading, type, place } = valuesOf(sentence);
  if (place === undefined || !['new', 'rose', 'alike'].includes(familyOf(sentence) ?? '')) return null;
  const isPlace = typeof place === 'object' && 'id' in place && place.id !== 'alarm.noPlace';
  return isPlace ? JSON.stringify([heading, type, place]) : null;
}

/** The sentences of alarms. They stay in the slice `alarms`, which a locked console withholds. */
export const sentences = {
  incident: (news: IncidentNews): Message =>
    news.before === null
      ? message('alarm.new', described(news))
      : message('alarm.rose', { ...described(news), before: news.before }),
  /** Several incidents of which one has the sentence `one`. */
  alike: (one: Message, n: number): Message => message('alarm.alike', { ...valuesOf(one), n }),
  /** An alarm's sentence with the incidents of `tally` in place of those that it counts; null if it counts none. */
  recounted: (sentence: Message, tally: NewsTally): Message | null => {
    const severity = tally.worst?.severity.name ?? null;
    switch (familyOf(sentence)) {
      case 'firstRead':
        return sentences.firstReading(tally);
      case 'away':
        return sentences.away(tally);
      case 'batch':
        return sentences.batch(tally);
      case 'merged':
        return sentences.merged(tally.count, severity);
      case 'folded':
        return sentences.folded(tally.count, severity);
      case 'alike':
        return sentences.alike(sentence, tally.count);
      case undefined:
      default:
        return null;
    }
  },
  /** All incidents of an alarm are closed. `type` is that of its only one. */
  closed: (n: number, type: string, overAt: number): Message =>
    n === 1
      ? message('alarm.closed.one', { type: typeOf(type), overAt })
      : message('alarm.closed.all', { n, overAt }),
  firstReading: (tally: NewsTally): Message => {
    const [worst] = tally.samples;
    // With several incidents, their number is more useful than one place.
    return worst && tally.worst?.count === 1
      ? message('alarm.firstRead.one', { ...described(worst), n: tally.count })
      : counted('firstRead', tally.count, tally);
  },
  away: (tally: NewsTally): Message => counted('away', tally.count, tally),
  batch: (tally: NewsTally): Message => counted('batch', tally.count, tally),
  merged: (count: number, worst: string | null): Message => together('merged', count, worst),
  folded: (count: number, worst: string | null): Message => together('folded', count, worst),
  integrationDown: (named: NamedIntegration): Message =>
    message('alarm.integrationDown', { label: named.label }),
  integrationRecovered: (named: NamedIntegration, wentDownAt: number, at: number): Message =>
    message('alarm.integrationRecovered', { label: named.label, downAt: wentDownAt, backAt: at }),
  sessionEnded: (): Message => message('alarm.sessionEnded'),
  sessionBack: (at: number): Message => message('alarm.sessionBack', { backAt: at }),
  /** Times are server time, Unix milliseconds. */
  serviceLost: (api: ApiName, lostAt: number): Message => message(`alarm.serviceLost.${api}`, { lostAt }),
  serviceBack: (api: ApiName, lostAt: number, backAt: number): Message =>
    message(`alarm.serviceBack.${api}`, { lostAt, backAt }),
  dronesSilent: ({ count: n, id: drone, since: sinceAt }: DroneSilence): Message =>
    n === 1
      ? message('alarm.droneSilent.one', { drone, sinceAt })
      : message('alarm.droneSilent.all', { n, sinceAt }),
  /** The last of the silent drones reports again, or is forgotten. */
  dronesOver: (why: 'reports' | 'forgotten', backAt: number): Message =>
    why === 'reports' ? message('alarm.dronesBack', { backAt }) : message('alarm.dronesGone'),
  uploadsWait: (count: number): Message => message('alarm.uploadsWait', { n: count }),
  recordsSetAside: (count: number): Message => message('alarm.recordsSetAside', { n: count }),
  recordsRead: (): Message => message('alarm.recordsRead'),
  uploadsSettled: (): Message => message('alarm.uploadsSettled'),
} as const;
