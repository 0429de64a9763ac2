import { Timer } from '../../base/timer.ts';
import type { AppContext } from '../context.ts';

/** Timers stop during sleep but the idle time does not: the lock may come this late after a sleep, milliseconds. */
const longestLookMs = 10_000;
const minute = 60_000;

/**
 * Locks the console after a time without input. The time runs only while an operator is signed in and the console is
 * not locked. It is measured with `Clock.elapsed()`, which counts sleep.
 */
export class IdleLock {
  readonly #app: AppContext;
  readonly #lock: () => void;
  #counting = false;
  #lastElapsed = 0;
  readonly #timer: Timer;

  constructor(app: AppContext, lock: () => void) {
    this.#app = app;
    this.#lock = lock;
    this.#timer = new Timer(app.scope.clock, () => this.#look());
  }

  start(): void {
    const { scope, store } = this.#app;
    const review = (): void => {
      this.#review();
    };
    const stops = [
      store.watch('session', review),
      store.watch('lock', review),
      store.watch('preferences', () => {
        if (this.#counting) this.#look();
      }),
    ];
    for (const stop of stops) scope.onEnd(stop);
  }

  /** There was input. If the time was already over, the console locks all the same. */
  noteActivity(): void {
    if (!this.#counting || this.#lockIfOver()) return;
    this.#lastElapsed = this.#app.scope.clock.elapsed();
    this.#look();
  }

  /** After sleep the time may be over already. */
  wake(): void {
    if (this.#counting) this.#look();
  }

  get #limitMs(): number | null {
    const { policy, store } = this.#app;
    const { idleLockMs } = policy;
    if (idleLockMs !== undefined) return idleLockMs;
    const { idleLockMinutes } = store.slice('preferences');
    return idleLockMinutes === null ? null : idleLockMinutes * minute;
  }

  #review(): void {
    const { store, scope } = this.#app;
    const counts = store.slice('session').vault === 'open' && !store.slice('lock').locked;
    if (counts === this.#counting) return;
    this.#counting = counts;
    if (!counts) {
      this.#timer.stop();
      return;
    }
    this.#lastElapsed = scope.clock.elapsed();
    this.#look();
  }

  #look(): void {
    this.#timer.stop();
    const limit = this.#limitMs;
    if (limit === null || (this.#lockIfOver() && !this.#counting)) return;
    const left = limit - (this.#app.scope.clock.elapsed() - this.#lastElapsed);
    this.#timer.set(left > 0 ? Math.min(left, longestLookMs) : longestLookMs);
  }

  #lockIfOver(): boolean {
    const { scope } = this.#app;
    const limit = this.#limitMs;
    if (limit === null || scope.clock.elapsed() - this.#lastElapsed < limit) return false;
    this.#lock();
    return true;
  }
}
