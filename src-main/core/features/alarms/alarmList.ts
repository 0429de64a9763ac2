import type { Alarm, SeverityScale } from '../../../../src-preload/contract/index.ts';
import type { Message } from '../../base/messages/message.ts';
import { worstOf } from '../incidents/index.ts';
import { byUrgency, calls, isPresent, lowestLevel, mostUrgent } from './alarmOrder.ts';
import { sentences } from './sentences.ts';

/** An alarm, with the facts that prevent a second one about the same. */
export interface ListedAlarm {
  readonly alarm: Alarm;
  /**
   * What the alarm is about, such as an incident or an integration. A later alarm with the same subject replaces it
   * while it is not acknowledged. Null: nothing replaces it.
   */
  readonly subject: string | null;
  /** The ids of its incidents, at most 10,000. */
  readonly members: readonly string[];
  /** Its sentence and level before its cause ended; null while the cause lasts. */
  readonly beforeRecovery: Pick<Alarm, 'level' | 'sentence'> | null;
}

/** An alarm as it is raised. `replaces`: the id of the active one that it takes in; null for none. */
export type RaisedAlarm = Omit<ListedAlarm, 'beforeRecovery' | 'members'> &
  Partial<Pick<ListedAlarm, 'members'>> & { readonly replaces?: string | null };

const activeLimit = 100;
const pastLimit = 200;
const namedLimit = 20;
const identityLimit = 10_000;
/**
 * The most ids of incidents in one alarm, and in all active and past alarms together: alarms further down name none.
 */
const memberLimit = 10_000;
const membersInAll = 50_000;

/** The part of the list that is stored on this computer. */
export interface AlarmListContents {
  readonly active: readonly ListedAlarm[];
  readonly past: readonly ListedAlarm[];
  readonly identities: readonly string[];
}

/**
 * The active alarms, the past alarms, and what has alarmed once. Bounded: beyond 100 active alarms, the least urgent
 * become one that counts them. That one is as old as the oldest of them.
 */
export class AlarmList {
  #active: ListedAlarm[];
  #past: ListedAlarm[];
  /** The oldest first. A repeated identity moves to the end. */
  readonly #identities: Set<string>;

  readonly #scale: () => SeverityScale;

  constructor(
    scale: () => SeverityScale,
    { active, past, identities }: AlarmListContents = { active: [], past: [], identities: [] },
  ) {
    this.#scale = scale;
    this.#active = this.#ordered(active).slice(0, activeLimit);
    this.#past = past.slice(0, pastLimit);
    this.#identities = new Set(identities.slice(-identityLimit));
  }

  /** The most urgent first (alarmOrder.ts). */
  get active(): readonly Alarm[] {
    return this.#active.map(({ alarm }) => alarm);
  }

  /** Acknowledged alarms, and those that cleared because their cause ended; the latest first. */
  get past(): readonly Alarm[] {
    return this.#past.map(({ alarm }) => alarm);
  }

  get contents(): AlarmListContents {
    return { active: this.#active, past: this.#past, identities: [...this.#identities] };
  }

  get worstSeverity(): string | null {
    const severities = this.active.filter(calls).map(({ severity }) => severity);
    return worstOf(severities, this.#scale());
  }

  /** How many alarms need an acknowledgement: not those whose cause has ended, nor those that are snoozed. */
  get unacknowledged(): number {
    return this.active.filter(calls).length;
  }

  /** The incidents of an active or past alarm; null for an unknown id. */
  membersOf(id: string): readonly string[] | null {
    return [...this.#active, ...this.#past].find(({ alarm }) => alarm.id === id)?.members ?? null;
  }

  activeAbout(subject: string): ListedAlarm | null {
    return this.#active.find((entry) => entry.subject === subject) ?? null;
  }

  /** When an alarm with this subject was last acknowledged, server time; null when there is none in the list. */
  acknowledgedAt(subject: string): number | null {
    return this.#past.find((entry) => entry.subject === subject)?.alarm.acknowledgedAt ?? null;
  }

  /** Whether this identity has alarmed before, acknowledged or not. */
  hasAlarmed(identity: string): boolean {
    return this.#identities.has(identity);
  }

  /** Remembers this identity. Beyond 10,000 the oldest is forgotten. */
  noteIdentity(identity: string): void {
    this.#identities.delete(identity);
    this.#identities.add(identity);
    if (this.#identities.size <= identityLimit) return;
    for (const oldest of this.#identities) {
      this.#identities.delete(oldest);
      return;
    }
  }

  /** Forgets this identity, so that it alarms again. */
  forgetIdentity(identity: string): void {
    this.#identities.delete(identity);
  }

  /** Adds an alarm. It replaces an active one with the same subject, and the one that it names. */
  raise({ alarm, subject, members = [], replaces = null }: RaisedAlarm): void {
    const others = this.#active.filter(
      (entry) => (subject === null || entry.subject !== subject) && entry.alarm.id !== replaces,
    );
    const entry = { alarm, subject, members: members.slice(0, memberLimit), beforeRecovery: null };
    this.#active = this.#ordered([...others, entry]);
    this.#fold();
  }

  /** Changes the sentence and level of the active alarm with this subject; false when there is none. */
  restate(subject: string, sentence: Message, level: number): boolean {
    const now = { level, recoveredAt: null, sentence };
    return this.#change(
      (entry) => entry.subject === subject,
      (entry) => ({ ...entry, beforeRecovery: null, alarm: { ...entry.alarm, ...now } }),
    );
  }

  /** Changes what an active alarm says of its incidents. */
  update(id: string, change: Pick<Alarm, 'sentence' | 'severity' | 'level'>): void {
    this.#change(
      ({ alarm }) => alarm.id === id,
      (entry) => ({ ...entry, alarm: { ...entry.alarm, ...change } }),
    );
  }

  /** The cause of an active alarm ended at server time `at`: it drops to the lowest level at once. */
  recover(id: string, sentence: Message, at: number): boolean {
    return this.#change(
      ({ alarm }) => alarm.id === id,
      ({ alarm, beforeRecovery, ...rest }) => ({
        ...rest,
        beforeRecovery: beforeRecovery ?? { level: alarm.level, sentence: alarm.sentence },
        alarm: { ...alarm, sentence, level: lowestLevel, recoveredAt: at },
      }),
    );
  }

  /** The cause is back: the alarm has its earlier sentence and level again. */
  relapse(id: string): boolean {
    return this.#change(
      ({ alarm, beforeRecovery }) => alarm.id === id && beforeRecovery !== null,
      ({ alarm, beforeRecovery, ...rest }) => ({
        ...rest,
        beforeRecovery: null,
        alarm: { ...alarm, ...beforeRecovery, recoveredAt: null },
      }),
    );
  }

  /**
   * Moves the active alarm with this subject to the past ones, without an acknowledgement; false when there is none.
   */
  clear(subject: string): boolean {
    const over = this.#active.filter((entry) => entry.subject === subject);
    if (over.length > 0) this.#putAway(over, null);
    return over.length > 0;
  }

  /** Does the same with these alarms. Returns those that were active. */
  clearAll(ids: readonly string[]): readonly ListedAlarm[] {
    const over = this.#active.filter(({ alarm }) => ids.includes(alarm.id));
    this.#putAway(over, null);
    return over;
  }

  /** False when there is no such active alarm. */
  acknowledge(id: string, at: number, note: string | null = null): boolean {
    return this.acknowledgeEach(new Set([id]), at, note).length > 0;
  }

  /** Acknowledges several alarms together, in their order in the list. Returns those that were active. */
  acknowledgeEach(ids: ReadonlySet<string>, at: number, note: string | null = null): readonly Alarm[] {
    const gone = this.#active.filter(({ alarm }) => ids.has(alarm.id));
    return this.#putAway(gone, at, note).map(({ alarm }) => alarm);
  }

  /** Snoozes an alarm until a server time; null ends the snooze. False when there is no such active alarm. */
  snooze(id: string, until: number | null): boolean {
    return this.#change(
      ({ alarm }) => alarm.id === id,
      (entry) => ({ ...entry, alarm: { ...entry.alarm, snoozedUntil: until } }),
    );
  }

  /** Raises an alarm that was not acknowledged to the most urgent level, at server time `at`. */
  escalate(id: string, at: number): boolean {
    return this.#change(
      ({ alarm }) => alarm.id === id,
      (entry) => ({ ...entry, alarm: { ...entry.alarm, level: mostUrgent, escalatedAt: at } }),
    );
  }

  /** Makes past alarms active again, except those that another alarm with the same subject has replaced. */
  restore(ids: readonly string[]): readonly Alarm[] {
    const back = this.#past.filter(
      ({ alarm, subject }) => ids.includes(alarm.id) && (subject === null || !this.activeAbout(subject)),
    );
    this.#past = this.#past.filter((entry) => !back.includes(entry));
    const restored = back.map((one) => ({
      ...one,
      alarm: { ...one.alarm, acknowledgedAt: null, note: null },
    }));
    this.#active = this.#ordered([...this.#active, ...restored]);
    this.#fold();
    return restored.map(({ alarm }) => alarm);
  }

  #putAway(gone: readonly ListedAlarm[], at: number | null, note: string | null = null): ListedAlarm[] {
    const now = { acknowledgedAt: at, note, snoozedUntil: null };
    const past = gone.map((entry) => ({ ...entry, alarm: { ...entry.alarm, ...now } }));
    this.#active = this.#active.filter((entry) => !gone.includes(entry));
    this.#past = bounded([...past, ...this.#past].slice(0, pastLimit));
    return past;
  }

  #change(concerns: (entry: ListedAlarm) => boolean, change: (entry: ListedAlarm) => ListedAlarm): boolean {
    const found = this.#active.some(concerns);
    if (found) this.#active = this.#ordered(this.#active.map((one) => (concerns(one) ? change(one) : one)));
    return found;
  }

  #ordered(entries: readonly ListedAlarm[]): ListedAlarm[] {
    const compare = byUrgency(this.#scale());
    return bounded(entries.toSorted((a, b) => compare(a.alarm, b.alarm)));
  }

  /**
   * While there are more active alarms than the limit: moves one whose cause ended to the past ones; else merges the
   * two least urgent about incidents into one, which is as old as the older of them.
   */
  #fold(): void {
    if (this.#active.length <= activeLimit) return;
    const recovered = this.#active.filter(({ alarm }) => !isPresent(alarm));
    if (recovered.length > 0) {
      this.#putAway(recovered, null);
      return this.#fold();
    }
    const [first, second] = this.#active.filter(({ alarm }) => alarm.severity !== null).slice(-2);
    if (!first || !second) {
      this.#active = this.#active.slice(0, activeLimit);
      return;
    }
    const rest = this.#active.filter((entry) => entry !== first && entry !== second);
    const union = [...new Set([...first.members, ...second.members])];
    const alarm = together(first.alarm, second.alarm, countOf(union, first, second), this.#scale());
    const members = union.slice(0, memberLimit);
    this.#active = this.#ordered([...rest, { alarm, subject: null, members, beforeRecovery: null }]);
    this.#fold();
  }
}

/** How many incidents two alarms are about. One that both name counts once, as far as they name theirs. */
export function countOf(
  union: readonly string[],
  ...two: readonly Pick<ListedAlarm, 'alarm' | 'members'>[]
): number {
  const isWhole = two.every(({ alarm, members }) => members.length === alarm.count);
  return isWhole ? union.length : two.reduce((sum, { alarm }) => sum + alarm.count, 0);
}

/** One alarm that stands for two: it has the id and level of the more urgent one, and the incidents of both. */
function together(more: Alarm, less: Alarm, count: number, scale: SeverityScale): Alarm {
  const severity = worstOf([more.severity, less.severity], scale);
  return {
    ...more,
    kind: 'summary',
    level: Math.max(more.level, less.level),
    severity,
    at: Math.min(more.at, less.at),
    count,
    incidentIds: [...new Set([...more.incidentIds, ...less.incidentIds])].slice(0, namedLimit),
    sentence: sentences.folded(count, severity),
  };
}

/** The first alarms keep the ids of their incidents. Those beyond the limit lose them, and say so. */
function bounded(entries: readonly ListedAlarm[]): ListedAlarm[] {
  let left = membersInAll;
  return entries.map((one) => {
    const members = one.members.length <= left ? one.members : [];
    left -= members.length;
    const listed = members.length;
    return listed === one.alarm.listed ? one : { ...one, members, alarm: { ...one.alarm, listed } };
  });
}
