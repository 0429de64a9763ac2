import type { OutboxState } from '../../../../src-preload/contract/index.ts';
import { Timer } from '../../base/timer.ts';
import type { LocalAccount } from '../context.ts';

type Moving = OutboxState['moving'][number];

interface Mover {
  readonly id: string;
  readonly direction: Moving['direction'];
  readonly total: number;
  done: number;
  /** The progress of the last few seconds, oldest first. */
  samples: { readonly at: number; readonly done: number }[];
}

const tickMs = 250;
const windowMs = 5_000;
/** A rate over a shorter time changes too fast to read. */
const leastMs = 750;
/** As many as the slice can have. */
const mostShown = 64;

/** Progress, rate and remaining time of the moving files, in the slice `outbox` at most four times a second. */
export class Progress {
  readonly #account: LocalAccount;
  readonly #movers = new Map<string, Mover>();
  readonly #tick: Timer;

  constructor(account: LocalAccount) {
    this.#account = account;
    this.#tick = new Timer(account.clock, () => {
      this.#tell();
      if (this.#movers.size > 0) this.#plan();
    });
  }

  begin(id: string, direction: Moving['direction'], total: number): void {
    const at = this.#account.clock.elapsed();
    this.#movers.set(id, { id, direction, total, done: 0, samples: [{ at, done: 0 }] });
    this.#plan();
  }

  /** `done` may fall: a body that is sent a second time begins at 0. */
  note(id: string, done: number): void {
    const mover = this.#movers.get(id);
    if (!mover) return;
    if (done < mover.done) mover.samples = [{ at: this.#account.clock.elapsed(), done }];
    mover.done = Math.min(Math.max(0, done), mover.total);
  }

  end(id: string): void {
    if (this.#movers.delete(id)) this.#plan();
  }

  stop(): void {
    this.#tick.stop();
    this.#movers.clear();
  }

  #plan(): void {
    this.#tick.setOnce(tickMs);
  }

  #tell(): void {
    const now = this.#account.clock.elapsed();
    const moving: Moving[] = [];
    for (const mover of this.#movers.values()) {
      if (moving.length === mostShown) break;
      moving.push(this.#shown(mover, now));
    }
    this.#account.store.patch('outbox', { moving });
  }

  #shown(mover: Mover, now: number): Moving {
    const { id, direction, done, total, samples } = mover;
    samples.push({ at: now, done });
    while (samples.length > 2 && now - (samples[0]?.at ?? now) > windowMs) samples.shift();
    const [oldest] = samples;
    const span = oldest === undefined ? 0 : now - oldest.at;
    const bytesPerSecond =
      oldest === undefined || span < leastMs ? null : Math.max(0, ((done - oldest.done) / span) * 1_000);
    const secondsLeft =
      bytesPerSecond === null || bytesPerSecond === 0 ? null : (total - done) / bytesPerSecond;
    return { id, direction, done, total, bytesPerSecond, secondsLeft };
  }
}
