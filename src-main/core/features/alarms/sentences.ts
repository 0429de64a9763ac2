import type { Alarm, ConsoleState } from '../../../../src-preload/contract/index.ts';
import type { ApiName } from '../../service/transport/request.ts';
import { phraseOf, say, type Said } from '../../base/messages/message.ts';
import type { IncidentNews, NewsTally } from './newsTally.ts';
import { placeMessage } from './placeMessages.ts';

const counted = (what: 'known' | 'away' | 'batch', n: number, { worst }: NewsTally): Said =>
  worst === null
    ? say(`alarm.${what}.all`, { n })
    : say(`alarm.${what}.worst`, { n, worst: worst.count, severity: worst.severity.name });

const together = (what: 'merged' | 'folded', n: number, severity: string | null): Said =>
  severity === null ? say(`alarm.${what}.unknown`, { n }) : say(`alarm.${what}.worst`, { n, severity });

type NamedIntegration = Pick<ConsoleState['health']['integrations'][number], 'label' | 'phrase'>;

const labelOf = ({ label, phrase }: NamedIntegration): string | Said =>
  phrase === null ? label : { text: label, ...phrase };

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** What and where one incident is, the severity first. */
const described = ({
  record,
  severity,
}: IncidentNews): Record<'heading' | 'type', string> & { place: Said } => ({
  heading: severity.known ? capital(severity.name) : severity.name,
  type: record.incidentType,
  place: placeMessage(record.location),
});

/** What alarms say. None of it leaves the slice `alarms`, which a locked console withholds. */
export const sentences = {
  incident: (news: IncidentNews): Said =>
    news.before === null
      ? say('alarm.new', described(news))
      : say('alarm.rose', { ...described(news), before: news.before }),
  /** No incident of an alarm is open any more; the type is that of its only one. */
  closed: (n: number, type: string, overAt: number): Said =>
    n === 1 ? say('alarm.closed.one', { type, overAt }) : say('alarm.closed.all', { n, overAt }),
  /** `known` counts all incidents, also those that alarm nobody. */
  firstReading: (n: number, tally: NewsTally): Said => {
    const [worst] = tally.samples;
    // Of several the number says more than one place.
    return worst && tally.worst?.count === 1
      ? say('alarm.known.one', { ...described(worst), n })
      : counted('known', n, tally);
  },
  away: (tally: NewsTally): Said => counted('away', tally.count, tally),
  batch: (tally: NewsTally): Said => counted('batch', tally.count, tally),
  merged: (count: number, worst: string | null): Said => together('merged', count, worst),
  folded: (count: number, worst: string | null): Said => together('folded', count, worst),
  integrationDown: (named: NamedIntegration): Said => say('alarm.integrationDown', { label: labelOf(named) }),
  integrationRecovered: (named: NamedIntegration, wentDownAt: number, at: number): Said =>
    say('alarm.integrationRecovered', { label: labelOf(named), downAt: wentDownAt, backAt: at }),
  sessionEnded: (): Said => say('alarm.sessionEnded'),
  sessionBack: (at: number): Said => say('alarm.sessionBack', { backAt: at }),
  /** Times are server time, Unix milliseconds. */
  serviceLost: (api: ApiName, lostAt: number): Said => say(`alarm.serviceLost.${api}`, { lostAt }),
  serviceBack: (api: ApiName, lostAt: number, backAt: number): Said =>
    say(`alarm.serviceBack.${api}`, { lostAt, backAt }),
  uploadsWait: (count: number): Said => say('alarm.uploadsWait', { n: count }),
  uploadsSettled: (): Said => say('alarm.uploadsSettled'),
} as const;

/** As an alarm carries it. */
export const spoken = (said: Said): Pick<Alarm, 'sentence' | 'phrase'> => ({
  sentence: said.text,
  phrase: phraseOf(said),
});
