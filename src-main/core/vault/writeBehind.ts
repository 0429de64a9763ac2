import type { Failure } from '../../../src-preload/contract/index.ts';
import type { Clock } from '../base/ports.ts';
import { Timer } from '../base/timer.ts';

export interface WriteBehindOptions<Change, Problem> {
  readonly clock: Pick<Clock, 'schedule'>;
  /** What these keys stand for in this moment. `isLast`: no other key waits. */
  readonly take: (keys: readonly string[], isLast: boolean) => Change;
  /** Writes all of a change or nothing. Never rejects. */
  readonly put: (change: Change) => Promise<Problem | null>;
  /** How long changes are gathered before a write, milliseconds. */
  readonly gatherMs?: number;
  /** The shortest time between two writes, milliseconds. */
  readonly pauseMs?: number;
  /** The most keys of one write. */
  readonly most?: number;
  /** Called after each write with its problem, or null. */
  readonly onWritten?: (problem: Problem | null) => void;
}

/** The wait after a failed write, milliseconds. */
const retryMs = 30_000;

/**
 * Writes what changed, behind the change, and repeats a failed write until it succeeds. It notes keys and not contents,
 * so that a disk that is full for a day takes no more memory than what changed, and nothing is missing when it works
 * again.
 */
export class WriteBehind<Change, Problem = Failure> {
  readonly #options: WriteBehindOptions<Change, Problem>;
  readonly #noted = new Set<string>();
  #running: { readonly change: Change; readonly ended: Promise<Problem | null> } | null = null;
  #problem: Problem | null = null;
  #ending: Promise<Problem | null> | null = null;
  readonly #next: Timer;

  constructor(options: WriteBehindOptions<Change, Problem>) {
    this.#options = options;
    this.#next = new Timer(options.clock, () => {
      // After a failure also without a key: the disk may work again.
      if (this.#noted.size > 0 || this.#problem !== null) void this.#write();
    });
  }

  /** What these keys stand for has changed. */
  note(keys: Iterable<string>): void {
    if (this.#ending !== null) return;
    for (const key of keys) this.#noted.add(key);
    this.#plan();
  }

  /** Writes these keys and all noted ones now. Null when that is on the disk; a failed write is repeated later. */
  async flush(keys: Iterable<string>): Promise<Problem | null> {
    for (const key of keys) this.#noted.add(key);
    for (;;) {
      while (this.#running !== null) await this.#running.ended;
      if (this.#ending !== null) return this.#ending;
      if (this.#noted.size === 0) return null;
      const problem = await this.#write();
      if (problem !== null) return problem;
    }
  }

  /**
   * Takes what is noted in this moment, and writes it; a running write that fails is repeated once. What the keys stand
   * for may be gone right after the call.
   */
  async finish(): Promise<void> {
    this.#ending ??= this.#finish();
    await this.#ending;
  }

  async #finish(): Promise<Problem | null> {
    this.#next.stop();
    const rest: Change[] = [];
    while (this.#noted.size > 0) rest.push(this.#take().change);
    const running = this.#running;
    if (running !== null && (await running.ended) !== null) rest.unshift(running.change);
    for (const change of rest) {
      const problem = await this.#options.put(change);
      if (problem !== null) return problem;
    }
    return null;
  }

  #take(): { readonly keys: readonly string[]; readonly change: Change } {
    const keys = [...this.#noted].slice(0, this.#options.most);
    for (const key of keys) this.#noted.delete(key);
    return { keys, change: this.#options.take(keys, this.#noted.size === 0) };
  }

  #plan(): void {
    if (this.#running !== null || this.#next.isSet) return;
    const { gatherMs = 0 } = this.#options;
    if (gatherMs === 0) void this.#write();
    else this.#next.set(gatherMs);
  }

  async #write(): Promise<Problem | null> {
    const { put, pauseMs = 0, onWritten } = this.#options;
    this.#next.stop();
    const { keys, change } = this.#take();
    const ended = put(change);
    this.#running = { change, ended };
    const problem = await ended;
    this.#running = null;
    if (problem !== null) for (const key of keys) this.#noted.add(key);
    this.#problem = problem;
    onWritten?.(problem);
    if (this.#ending !== null) return problem;
    if (problem !== null) this.#next.set(retryMs);
    else if (pauseMs > 0) this.#next.set(pauseMs);
    else if (this.#noted.size > 0) this.#next.set(0);
    return problem;
  }
}
