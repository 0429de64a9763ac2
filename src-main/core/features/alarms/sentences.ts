import type { ConsoleState } from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { ApiName } from '../../service/transport/request.ts';
import type { IncidentNews, NewsTally } from './newsTally.ts';
import { placeMessage } from './placeMessages.ts';

const counted = (what: 'firstRead' | 'away' | 'batch', n: number, { worst }: NewsTally): Message =>
  worst === null
    ? message(`alarm.${what}.all`, { n })
    : message(`alarm.${what}.worst`, { n, worst: worst.count, severity: worst.severity.name });

const together = (what: 'merged' | 'folded', n: number, severity: string | null): Message =>
  severity === null
    ? message(`alarm.${what}.unknown`, { n })
    : message(`alarm.${what}.worst`, { n, severity });

type NamedIntegration = Pick<ConsoleState['health']['integrations'][number], 'label'>;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** What and where one incident is, the severity first. */
const described = ({
  record,
  severity,
}: IncidentNews): Record<'heading' | 'type', string> & { place: Message } => ({
  heading: severity.known ? capital(severity.name) : severity.name,
  type: record.incidentType,
  place: placeMessage(record.location),
});

/** What alarms say. None of it leaves the slice `alarms`, which a locked console withholds. */
export const sentences = {
  incident: (news: IncidentNews): Message =>
    news.before === null
      ? message('alarm.new', described(news))
      : message('alarm.rose', { ...described(news), before: news.before }),
  /** No incident of an alarm is open any more; the type is that of its only one. */
  closed: (n: number, type: string, overAt: number): Message =>
    n === 1 ? message('alarm.closed.one', { type, overAt }) : message('alarm.closed.all', { n, overAt }),
  firstReading: (tally: NewsTally): Message => {
    const [worst] = tally.samples;
    // Of several the number says more than one place.
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
  uploadsWait: (count: number): Message => message('alarm.uploadsWait', { n: count }),
  uploadsSettled: (): Message => message('alarm.uploadsSettled'),
} as const;
