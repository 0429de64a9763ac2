import type { Alarm, SeverityScale } from '../../../../src-preload/contract/index.ts';
import type { Message } from '../../base/messages/message.ts';
import { worstOf } from '../incidents/index.ts';
import { byUrgency, calls, isPresent, lowestLevel, mostUrgent } from './alarmOrder.ts';
import { sentences } from './sentences.ts';

/** An alarm with what keeps it from being raised twice. */
export interface ListedAlarm {
  readonly alarm: Alarm;
  /**
   * What the alarm is about, such as an incident or an integration: a later alarm about the same takes
   * its place while it is not acknowledged. Null for one that stands by itself.
   */
  readonly subject: string | null;
  /** The ids of the incidents that it is about, at most 10,000 of them. */
  readonly members: readonly string[];
  /** What it said, and how urgent it was, before what it tells of had passed; null while that has not. */
  readonly told: Pick<Alarm, 'level' | 'sentence'> | null;
}

/** An alarm as it is raised. */
export type RaisedAlarm = Omit<ListedAlarm, 'told' | 'members'> & Partial<Pick<ListedAlarm, 'members'>>;

const activeLimit = 100;
const pastLimit = 200;
const namedLimit = 20;
const identityLimit = 10_000;
/** Ids of incidents in one alarm, and in all that wait or are past: those further down name none. */
const memberLimit = 10_000;
const membersInAll = 50_000;

/** What of the list is stored on this computer. */
export interface AlarmListContents {
  readonly active: readonly ListedAlarm[];
  readonly past: readonly ListedAlarm[];
  readonly identities: readonly string[];
}

/**
 * The alarms: those that wait for somebody, those that were acknowledged, and what has alarmed once.
 * Bounded: beyond 100 that wait, the least urgent become one that counts them,
 * and that is as old as the oldest of them.
 */
export class AlarmList {
  #active: ListedAlarm[];
  #past: ListedAlarm[];
  /** The oldest first; what is noted again is young again. */
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

  /** In the order in which they need somebody (alarmOrder.ts). */
  get active(): readonly Alarm[] {
    return this.#active.map(({ alarm }) => alarm);
  }

  /** The latest acknowledged, or cleared because its state has passed, first. */
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

  /** How many wait for somebody: those whose cause has passed do not, nor those that are snoozed. */
  get unacknowledged(): number {
    return this.active.filter(calls).length;
  }

  /** The incidents of an alarm that waits or is past; null for none of its id. */
  membersOf(id: string): readonly string[] | null {
    return [...this.#active, ...this.#past].find(({ alarm }) => alarm.id === id)?.members ?? null;
  }

  activeAbout(subject: string): ListedAlarm | null {
    return this.#active.find((booked) => booked.subject === subject) ?? null;
  }

  /** When an alarm about it was acknowledged last, server time; null when the list knows of none. */
  acknowledgedAt(subject: string): number | null {
    return this.#past.find((booked) => booked.subject === subject)?.alarm.acknowledgedAt ?? null;
  }

  /** Whether this has alarmed before, acknowledged or not. */
  hasAlarmed(identity: string): boolean {
    return this.#identities.has(identity);
  }

  /** From now on this is known; the longest unheard of is forgotten beyond 10,000. */
  noteIdentity(identity: string): void {
    this.#identities.delete(identity);
    this.#identities.add(identity);
    if (this.#identities.size <= identityLimit) return;
    for (const oldest of this.#identities) {
      this.#identities.delete(oldest);
      return;
    }
  }

  /** What has alarmed is news once more. */
  forgetIdentity(identity: string): void {
    this.#identities.delete(identity);
  }

  /** Adds an alarm, in the place of one about the same that still waits. */
  raise({ alarm, subject, members = [] }: RaisedAlarm): void {
    const others =
      subject === null ? this.#active : this.#active.filter((booked) => booked.subject !== subject);
    const booked = { alarm, subject, members: members.slice(0, memberLimit), told: null };
    this.#active = this.#ordered([...others, booked]);
    this.#fold();
  }

  /** Says something else about what still waits and is so at this level; false when nothing about it waits. */
  restate(subject: string, sentence: Message, level: number): boolean {
    const now = { level, recoveredAt: null, sentence };
    return this.#change(
      (booked) => booked.subject === subject,
      (booked) => ({ ...booked, told: null, alarm: { ...booked.alarm, ...now } }),
    );
  }

  /** What an alarm that waits tells of has passed at server time `at`: it drops to the lowest level at once. */
  recover(id: string, sentence: Message, at: number): boolean {
    return this.#change(
      ({ alarm }) => alarm.id === id,
      ({ alarm, told, ...rest }) => ({
        ...rest,
        told: told ?? { level: alarm.level, sentence: alarm.sentence },
        alarm: { ...alarm, sentence, level: lowestLevel, recoveredAt: at },
      }),
    );
  }

  /** What an alarm tells of is so again: it says what it said. */
  relapse(id: string): boolean {
    return this.#change(
      ({ alarm, told }) => alarm.id === id && told !== null,
      ({ alarm, told, ...rest }) => ({
        ...rest,
        told: null,
        alarm: { ...alarm, ...told, recoveredAt: null },
      }),
    );
  }

  /** Puts what still waits about it among the past ones, acknowledged by no operator; false when nothing does. */
  clear(subject: string): boolean {
    const over = this.#active.filter((booked) => booked.subject === subject);
    if (over.length > 0) this.#putAway(over, null);
    return over.length > 0;
  }

  /** Does so with these alarms; returns those that did wait. */
  clearAll(ids: readonly string[]): readonly ListedAlarm[] {
    const over = this.#active.filter(({ alarm }) => ids.includes(alarm.id));
    this.#putAway(over, null);
    return over;
  }

  /** False when no such alarm waits. */
  acknowledge(id: string, at: number, note: string | null = null): boolean {
    const booked = this.#active.find(({ alarm }) => alarm.id === id);
    if (booked) this.#putAway([booked], at, note);
    return booked !== undefined;
  }

  /** Several together, in the order in which they stand. */
  acknowledgeEach(ids: ReadonlySet<string>, at: number): void {
    this.#putAway(
      this.#active.filter(({ alarm }) => ids.has(alarm.id)),
      at,
    );
  }

  /** Puts off an alarm until a server time; null: it calls again. False when no such alarm waits. */
  snooze(id: string, until: number | null): boolean {
    return this.#change(
      ({ alarm }) => alarm.id === id,
      (booked) => ({ ...booked, alarm: { ...booked.alarm, snoozedUntil: until } }),
    );
  }

  /** An alarm that nobody acknowledged becomes one of the most urgent at server time `at`. */
  escalate(id: string, at: number): boolean {
    return this.#change(
      ({ alarm }) => alarm.id === id,
      (booked) => ({ ...booked, alarm: { ...booked.alarm, level: mostUrgent, escalatedAt: at } }),
    );
  }

  /** Lets past alarms wait again, but for those that another about the same has taken the place of. */
  restore(ids: readonly string[]): readonly Alarm[] {
    const back = this.#past.filter(
      ({ alarm, subject }) => ids.includes(alarm.id) && (subject === null || !this.activeAbout(subject)),
    );
    this.#past = this.#past.filter((booked) => !back.includes(booked));
    const restored = back.map((one) => ({
      ...one,
      alarm: { ...one.alarm, acknowledgedAt: null, note: null },
    }));
    this.#active = this.#ordered([...this.#active, ...restored]);
    this.#fold();
    return restored.map(({ alarm }) => alarm);
  }

  #putAway(gone: readonly ListedAlarm[], at: number | null, note: string | null = null): void {
    const now = { acknowledgedAt: at, note, snoozedUntil: null };
    const past = gone.map((booked) => ({ ...booked, alarm: { ...booked.alarm, ...now } }));
    this.#active = this.#active.filter((booked) => !gone.includes(booked));
    this.#past = bounded([...past, ...this.#past].slice(0, pastLimit));
  }

  #change(concerns: (booked: ListedAlarm) => boolean, change: (booked: ListedAlarm) => ListedAlarm): boolean {
    const found = this.#active.some(concerns);
    if (found) this.#active = this.#ordered(this.#active.map((one) => (concerns(one) ? change(one) : one)));
    return found;
  }

  #ordered(booked: readonly ListedAlarm[]): ListedAlarm[] {
    const compare = byUrgency(this.#scale());
    return bounded(booked.toSorted((a, b) => compare(a.alarm, b.alarm)));
  }

  /**
   * While more wait than the limit: puts away what has passed, or else makes one alarm of the two least urgent about
   * incidents, which waits since the earlier one did.
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
    const rest = this.#active.filter((booked) => booked !== first && booked !== second);
    const union = [...new Set([...first.members, ...second.members])];
    const alarm = together(first.alarm, second.alarm, countOf(union, first, second), this.#scale());
    const members = union.slice(0, memberLimit);
    this.#active = this.#ordered([...rest, { alarm, subject: null, members, told: null }]);
    this.#fold();
  }
}

/** How many incidents two alarms are about: one that both name is one, as far as they name theirs. */
export function countOf(
  union: readonly string[],
  ...two: readonly Pick<ListedAlarm, 'alarm' | 'members'>[]
): number {
  const isWhole = two.every(({ alarm, members }) => members.length === alarm.count);
  return isWhole ? union.length : two.reduce((sum, { alarm }) => sum + alarm.count, 0);
}

/** One alarm that stands for two: the more urgent one's id and level, the incidents of both. */
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

/** What is listed first keeps its incidents; what has no room left says that it lists none. */
function bounded(booked: readonly ListedAlarm[]): ListedAlarm[] {
  let left = membersInAll;
  return booked.map((one) => {
    const members = one.members.length <= left ? one.members : [];
    left -= members.length;
    const listed = members.length;
    return listed === one.alarm.listed ? one : { ...one, members, alarm: { ...one.alarm, listed } };
  });
}
