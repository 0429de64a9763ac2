import type { Alarm, SeverityScale } from '../../../src-preload/contract/index.ts';
import type { Said } from '../words/say.ts';
import { sentences, spoken } from './sentences.ts';
import { worstOf } from './severityOrder.ts';

/** An alarm with what keeps it from being raised twice. */
export interface BookedAlarm {
  readonly alarm: Alarm;
  /**
   * What the alarm is about, such as an incident or an integration: a later alarm about the same takes
   * its place while it is not acknowledged. Null for one that stands by itself.
   */
  readonly subject: string | null;
}

const activeLimit = 100;
const pastLimit = 200;
const namedLimit = 20;
const identityLimit = 10_000;

/** What of the book is kept on this computer. */
export interface BookContents {
  readonly active: readonly BookedAlarm[];
  readonly past: readonly BookedAlarm[];
  readonly identities: readonly string[];
}

/**
 * The alarms: those that wait for somebody, those that were acknowledged, and what has alarmed once.
 * Bounded: beyond 100 that wait, the least urgent are told as one that counts them.
 */
export class AlarmBook {
  #active: BookedAlarm[];
  #past: BookedAlarm[];
  /** The oldest first; what is noted again is young again. */
  readonly #identities: Set<string>;

  readonly #scale: () => SeverityScale;

  constructor(
    scale: () => SeverityScale,
    { active, past, identities }: BookContents = { active: [], past: [], identities: [] },
  ) {
    this.#scale = scale;
    this.#active = [...active].sort(byUrgency).slice(0, activeLimit);
    this.#past = past.slice(0, pastLimit);
    this.#identities = new Set(identities.slice(-identityLimit));
  }

  /** The most urgent first, of those the latest. */
  get active(): readonly Alarm[] {
    return this.#active.map(({ alarm }) => alarm);
  }

  /** The latest acknowledged, or cleared because its state has passed, first. */
  get past(): readonly Alarm[] {
    return this.#past.map(({ alarm }) => alarm);
  }

  get contents(): BookContents {
    return { active: this.#active, past: this.#past, identities: [...this.#identities] };
  }

  get worstSeverity(): string | null {
    const severities = this.#active.map(({ alarm }) => alarm.severity);
    return worstOf(severities, this.#scale());
  }

  activeAbout(subject: string): Alarm | null {
    return this.#active.find((booked) => booked.subject === subject)?.alarm ?? null;
  }

  /** When an alarm about it was acknowledged last, station time; null when the book knows of none. */
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

  /** Adds an alarm, in the place of one about the same that still waits. */
  raise(booked: BookedAlarm): void {
    const others =
      booked.subject === null
        ? this.#active
        : this.#active.filter(({ subject }) => subject !== booked.subject);
    this.#active = [...others, booked].sort(byUrgency);
    if (this.#active.length > activeLimit) this.#fold();
  }

  /** Says something else about what still waits; false when nothing about it does. */
  restate(subject: string, said: Said): boolean {
    let found = false;
    this.#active = this.#active.map((booked) => {
      if (booked.subject !== subject) return booked;
      found = true;
      return { ...booked, alarm: { ...booked.alarm, ...spoken(said) } };
    });
    return found;
  }

  /** Puts what still waits about it among the past ones, acknowledged by no operator; false when nothing does. */
  clear(subject: string): boolean {
    const over = this.#active.filter((booked) => booked.subject === subject);
    if (over.length > 0) this.#putAway(over, null);
    return over.length > 0;
  }

  /** False when no such alarm waits. */
  acknowledge(id: string, at: number): boolean {
    const booked = this.#active.find(({ alarm }) => alarm.id === id);
    if (booked) this.#putAway([booked], at);
    return booked !== undefined;
  }

  acknowledgeAll(at: number): void {
    this.#putAway(this.#active, at);
  }

  #putAway(gone: readonly BookedAlarm[], at: number | null): void {
    const past = gone.map(({ alarm, subject }) => ({
      alarm: { ...alarm, acknowledgedAt: at },
      subject,
    }));
    this.#active = this.#active.filter((booked) => !gone.includes(booked));
    this.#past = [...past, ...this.#past].slice(0, pastLimit);
  }

  /** Makes one alarm of the two least urgent about incidents. */
  #fold(): void {
    const [first, second] = this.#active.filter(({ alarm }) => alarm.severity !== null).slice(-2);
    if (!first || !second) {
      this.#active = this.#active.slice(0, activeLimit);
      return;
    }
    const rest = this.#active.filter((booked) => booked !== first && booked !== second);
    const alarm = together(first.alarm, second.alarm, this.#scale());
    this.#active = [...rest, { alarm, subject: null }].sort(byUrgency);
  }
}

/** One alarm that stands for two: the more urgent one's id and level, both counts. */
function together(more: Alarm, less: Alarm, scale: SeverityScale): Alarm {
  const count = more.count + less.count;
  const severity = worstOf([more.severity, less.severity], scale);
  return {
    ...more,
    kind: 'summary',
    level: Math.max(more.level, less.level),
    severity,
    at: Math.max(more.at, less.at),
    count,
    incidentIds: [...new Set([...more.incidentIds, ...less.incidentIds])].slice(0, namedLimit),
    ...spoken(sentences.folded(count, severity)),
  };
}

const byUrgency = ({ alarm: a }: BookedAlarm, { alarm: b }: BookedAlarm): number =>
  b.level - a.level || b.at - a.at;
