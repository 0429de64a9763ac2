import type { Alarm } from '../../../../src-preload/contract/index.ts';
import type { Message } from '../../base/messages/message.ts';
import type { LocalAccount } from '../context.ts';
import { levelOf, worstOf } from '../incidents/index.ts';
import { countOf, type ListedAlarm, type RaisedAlarm } from './alarmList.ts';
import { mostUrgent } from './alarmOrder.ts';
import type { IncidentNews, NewsTally } from './newsTally.ts';
import { isFirstReading, sentences } from './sentences.ts';

type AlarmParts = Pick<Alarm, 'kind' | 'level' | 'sentence'> &
  Partial<Pick<Alarm, 'severity' | 'incidentIds' | 'count'>>;

const namedLimit = 20;
/** The most urgent level of a first reading: at level 3 it would sound at every sign-in. */
const firstReadingLevel = 2;
/** The subject of summaries of new incidents: the next summary takes in the one before while that is active. */
export const summarySubject = 'summary';

/** Makes alarms: their level, sentence and subject. */
export class AlarmMaker {
  readonly #account: LocalAccount;

  constructor(account: LocalAccount) {
    this.#account = account;
  }

  make(parts: AlarmParts): Alarm {
    const { random, serverNow } = this.#account;
    return {
      id: Buffer.from(random.bytes(8)).toString('hex'),
      severity: null,
      incidentIds: [],
      count: 1,
      at: serverNow(),
      listed: 0,
      acknowledgedAt: null,
      note: null,
      snoozedUntil: null,
      escalatedAt: null,
      recoveredAt: null,
      ...parts,
    };
  }

  /** An alarm about one incident. A later one about the same incident replaces it. */
  single(news: IncidentNews): RaisedAlarm {
    const { kind, record, severity } = news;
    const { id } = record;
    const level = levelOf(severity);
    const sentence = sentences.incident(news);
    return {
      alarm: this.make({ kind, level, severity: severity.name, incidentIds: [id], sentence }),
      subject: `incident ${id}`,
      members: [id],
    };
  }

  /**
   * One alarm about incidents that are alike (`likenessOf`). `waiting` is the active alarm about others like them, if
   * there is one: both become one alarm with a new id, so that acknowledging the old one does not acknowledge this one.
   */
  alike(news: readonly [IncidentNews, ...IncidentNews[]], waiting: ListedAlarm | null): RaisedAlarm {
    const [first] = news;
    const members = [...new Set([...news.map(({ record }) => record.id), ...(waiting?.members ?? [])])];
    const single = this.single(first);
    if (members.length === 1) return single;
    const alarm = {
      ...single.alarm,
      count: members.length,
      incidentIds: members.slice(0, namedLimit),
      sentence: sentences.alike(single.alarm.sentence, members.length),
    };
    return { alarm, subject: null, members, replaces: waiting?.alarm.id ?? null };
  }

  /** What the first reading found; no later alarm replaces it. */
  firstReading(tally: NewsTally): RaisedAlarm {
    const alarm = this.#summary(tally, sentences.firstReading(tally));
    const level = Math.min(alarm.level, firstReadingLevel);
    return { alarm: { ...alarm, level }, subject: null, members: tally.ids };
  }

  /** What an alarm about several incidents says while those of `tally` are active; null if it counts none. */
  recounted(
    { sentence, escalatedAt, level, severity }: Alarm,
    tally: NewsTally,
  ): Pick<Alarm, 'sentence' | 'severity' | 'level'> | null {
    const recounted = sentences.recounted(sentence, tally);
    if (recounted === null) return null;
    const worst = tally.worst?.severity;
    if (worst === undefined) return { sentence: recounted, severity, level };
    const most = isFirstReading(sentence) ? firstReadingLevel : mostUrgent;
    return {
      sentence: recounted,
      severity: worst.name,
      level: escalatedAt === null ? Math.min(most, levelOf(worst)) : level,
    };
  }

  /**
   * An alarm about many incidents. `waiting` is the active summary, if there is one. Both become one alarm with a new
   * id, so that an operator who acknowledges the old one does not acknowledge this one.
   */
  summary(tally: NewsTally, sentence: Message, waiting: ListedAlarm | null): RaisedAlarm {
    const alarm = this.#summary(tally, sentence);
    if (!waiting) return { alarm, subject: summarySubject, members: tally.ids };
    const members = [...new Set([...tally.ids, ...waiting.members])];
    const count = countOf(members, { alarm, members: tally.ids }, waiting);
    return { alarm: this.#merged(alarm, waiting.alarm, count), subject: summarySubject, members };
  }

  #merged(alarm: Alarm, waiting: Alarm, count: number): Alarm {
    const severity = worstOf([waiting.severity, alarm.severity], this.#account.store.scale);
    return {
      ...alarm,
      severity,
      count,
      level: Math.max(waiting.level, alarm.level),
      incidentIds: [...new Set([...alarm.incidentIds, ...waiting.incidentIds])].slice(0, namedLimit),
      sentence: sentences.merged(count, severity),
    };
  }

  #summary(tally: NewsTally, sentence: Message): Alarm {
    const severity = tally.worst?.severity ?? null;
    const incidentIds = tally.samples.map(({ record }) => record.id);
    const level = severity === null ? 1 : levelOf(severity);
    return this.make({
      kind: 'summary',
      level,
      severity: severity?.name ?? null,
      incidentIds,
      count: tally.count,
      sentence,
    });
  }
}
