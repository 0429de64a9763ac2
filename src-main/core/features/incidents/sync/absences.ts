import { settledMs } from './window.ts';

/** An incident that a whole answer lacked. */
interface Missing {
  readonly id: string;
  /** Its creation time, Unix milliseconds. */
  readonly at: number;
  /** The lower, the sooner it is asked for. */
  readonly order: number;
  /** How often its own window did not have it, and since when, server time. */
  asked: number;
  since: number;
  /** Its own window did not have it, in whatever answer, when it was old enough for every replica. */
  lackedByOwn: boolean;
  /** Server time before which it is not asked for. */
  dueAt: number;
}

export interface Absence {
  readonly id: string;
  /** Server time of the first answer without it. */
  readonly since: number;
}

/** Answers of an incident's own window without it that prove it gone. */
const leastAnswers = 2;
/** The most that are needed of a service that returned what it had lacked before. */
const mostAnswers = 12;
/** Answers after that: what comes back is seen soon. */
const answersAfter = 4;
/** How long a service is remembered to have returned what it had lacked, milliseconds. */
const fickleMs = 3_600_000;
/** Neighbours that one window asks for together: few rows in a short time, so that no service cuts the answer. */
const mostTogether = 8;
const togetherMs = 1_800_000;

/**
 * Decides which incidents the service no longer returns. That a window lacks one proves nothing (the answer may be cut, a
 * replica may lag), so it is asked for by the window of its second, twice, `apartMs` apart. Each incident that comes back
 * after that raises the number of answers that are needed for all.
 */
export class Absences {
  readonly #apartMs: number;
  readonly #missing = new Map<string, Missing>();
  #returns = 0;
  #returnedAt = -Infinity;
  #fickleAt = -Infinity;

  constructor({ apartMs }: { readonly apartMs: number }) {
    this.#apartMs = apartMs;
  }

  has(id: string): boolean {
    return this.#missing.has(id);
  }

  /** Whether its window's answer lacked it. */
  wasAsked(id: string): boolean {
    return (this.#missing.get(id)?.asked ?? 0) > 0;
  }

  /** Takes an incident that an answer lacked: it is asked for from `dueAt` on. */
  add(incident: Pick<Missing, 'id' | 'at' | 'order'>, dueAt: number): void {
    if (!this.has(incident.id))
      this.#missing.set(incident.id, { ...incident, asked: 0, since: 0, lackedByOwn: false, dueAt });
  }

  /**
   * Takes the ids of any answer: their incidents are not missing.
   *
   * @returns whether one is among them that its own window did not have.
   */
  returned(ids: Iterable<string>, now: number): boolean {
    let contradicts = false;
    if (this.#missing.size === 0) return false;
    for (const id of ids) {
      const one = this.#missing.get(id);
      if (!one) continue;
      this.#missing.delete(id);
      this.#returns = (this.isDoubted(now) ? this.#returns : 0) + 1;
      this.#returnedAt = now;
      if (!one.lackedByOwn) continue;
      contradicts = true;
      this.#fickleAt = now;
    }
    return contradicts;
  }

  /** Whether the service returned within the last hour what an answer had lacked, which may have been cut. */
  isDoubted(now: number): boolean {
    return now - this.#returnedAt <= fickleMs;
  }

  /** Whether it returned what its own window had lacked. */
  isFickle(now: number): boolean {
    return now - this.#fickleAt <= fickleMs;
  }

  /** Server time at which the next one is due; null when none is missing. */
  get dueAt(): number | null {
    let earliest = Infinity;
    for (const { dueAt } of this.#missing.values()) earliest = Math.min(earliest, dueAt);
    return earliest === Infinity ? null : earliest;
  }

  /**
   * Those that one window asks for now, together only where `together`; empty when none is due. They are due again an
   * interval later, so that two reads at once do not count as two answers apart.
   */
  next(now: number, together: boolean): Pick<Missing, 'id' | 'at'>[] {
    const due = [...this.#missing.values()].filter(({ dueAt }) => dueAt <= now);
    const [first] = due.toSorted((a, b) => a.order - b.order);
    if (first === undefined) return [];
    const near = due
      .filter((one) => one === first || (together && Math.abs(one.at - first.at) <= togetherMs / 2))
      .sort((a, b) => Math.abs(a.at - first.at) - Math.abs(b.at - first.at))
      .slice(0, mostTogether);
    for (const one of near) one.dueAt = now + this.#apartMs;
    return near;
  }

  /** Takes an answer without a list to their window: it proves no absence, but their return contradicts it. */
  lackedByOwn(ids: readonly string[], now: number): void {
    for (const id of ids) {
      const one = this.#missing.get(id);
      if (one) one.lackedByOwn ||= now - one.at >= settledMs;
    }
  }

  /**
   * Takes the answer to their window: those of `ids` that are still missing were not in it.
   *
   * @returns the incidents that are no longer returned.
   */
  answered(ids: readonly string[], proves: boolean, now: number): Absence[] {
    const needed = this.#needed(now);
    const gone: Absence[] = [];
    if (proves) this.lackedByOwn(ids, now);
    for (const id of ids) {
      const one = this.#missing.get(id);
      if (!one) continue;
      one.dueAt = now + this.#apartMs;
      if (!proves) {
        one.dueAt = now + 40 * this.#apartMs;
        continue;
      }
      if (one.asked === 0) one.since = now;
      one.asked += 1;
      const over = one.asked - needed;
      if (over >= 0) one.dueAt = now + this.#apartMs * 2 ** over;
      if (over === 0) gone.push({ id, since: one.since });
      if (over >= answersAfter) this.#missing.delete(id);
    }
    return gone;
  }

  #needed(now: number): number {
    return Math.min(mostAnswers, leastAnswers + (this.isDoubted(now) ? this.#returns : 0));
  }
}
