import type { Clock } from '../../src-main/core/base/ports.ts';
import { patience } from './patience.ts';
import { flush } from './quiet.ts';

export { flush };

/**
 * A clock that moves when a test says so, and stands still while sockets, files and threads of the test have work:
 * however slow the machine is, they are in time.
 */
export interface VirtualClock extends Clock {
  /**
   * Moves both clocks by `ms`, running what falls due in order, and waits until all is quiet before and after every
   * timer.
   */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock alone, as an operator or a time service would; Unix milliseconds. */
  setWall(wall: number): void;
  /** Moves both clocks without running a timer, as a sleeping laptop does. */
  sleep(ms: number): void;
  /**
   * Moves both clocks as a sleep does where timers stand still meanwhile: what was due in 5 s is due
   * 5 s after the wake.
   */
  suspend(ms: number): void;
  /** Runs the first timer that is due by `limit` (of `elapsed()`), at its time; false if there is none. */
  runNext(limit: number): boolean;
  /** Timers that wait. */
  pending(): number;
  /** Moves the clock in small steps until `work` is settled. */
  drive<T>(work: Promise<T>, options?: { stepMs?: number; mostMs?: number }): Promise<T>;
}

interface Timer {
  at: number;
  readonly run: () => void;
}

/** Lets so many turns of the event loop pass, for a cut at some moment of a work. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** A moment for what `flush` does not see: unpacking, key derivation, other processes. */
async function unseen(): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, 2));
  await flush();
}

/** Waits in real time until `condition` holds. */
export async function until(
  condition: () => boolean,
  what = 'the condition',
  mostMs = patience.step,
): Promise<void> {
  const end = performance.now() + mostMs;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}`);
    await new Promise<void>((resolve) => setTimeout(resolve, 1));
  }
}

export const testStart = Date.UTC(2026, 10, 20, 12, 0, 0);

export function createVirtualClock(options: { wall?: number; elapsed?: number } = {}): VirtualClock {
  let elapsed = options.elapsed ?? 1_000_000;
  let wall = options.wall ?? testStart;
  let timers: Timer[] = [];

  function move(ms: number): void {
    elapsed += ms;
    wall += ms;
  }

  function takeDue(limit: number): Timer | undefined {
    let first: Timer | undefined;
    // They lie in their order, so of two that are due at the same time the one before is the first.
    for (const timer of timers)
      if (timer.at <= limit && (first === undefined || timer.at < first.at)) first = timer;
    if (first !== undefined) timers = timers.filter((timer) => timer !== first);
    return first;
  }

  function runNext(limit: number): boolean {
    const due = takeDue(limit);
    if (due === undefined) return false;
    if (due.at > elapsed) move(due.at - elapsed);
    due.run();
    return true;
  }

  async function advance(ms: number): Promise<void> {
    const target = elapsed + ms;
    await flush();
    while (runNext(target)) await flush();
    if (target > elapsed) move(target - elapsed);
    await flush();
  }

  return {
    wallNow: () => wall,
    elapsed: () => elapsed,
    schedule(ms, run) {
      const timer: Timer = { at: elapsed + Math.max(0, ms), run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance,
    setWall(to) {
      wall = to;
    },
    sleep: move,
    suspend(ms) {
      move(ms);
      for (const timer of timers) timer.at += ms;
    },
    runNext,
    pending: () => timers.length,
    async drive(work, { stepMs = 50, mostMs = 600_000 } = {}) {
      let settled = false;
      const done = (): void => {
        settled = true;
      };
      work.then(done, done);
      for (let moved = 0; !settled; moved += stepMs) {
        if (moved > mostMs) throw new Error('The clock was driven in vain');
        await unseen();
        if (!settled) await advance(stepMs);
      }
      return work;
    },
  };
}

/** Lets virtual time pass, and what `flush` does not see. */
export async function step(clock: VirtualClock, ms: number): Promise<void> {
  await clock.advance(ms);
  await unseen();
}

/** Lets virtual time pass in steps until `condition` holds. */
export async function stepUntil(
  clock: VirtualClock,
  condition: () => boolean,
  { what, stepMs }: { what: string; stepMs: number },
): Promise<void> {
  const end = performance.now() + patience.step;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}`);
    await step(clock, stepMs);
  }
}

/** A clock that stands still until it is told to go on, at once and without turns for promises between its timers. */
export class StillClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  wallNow(): number {
    return testStart + this.#now;
  }

  elapsed(): number {
    return this.#now;
  }

  schedule(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.run();
    }
    this.#now = end;
  }
}
