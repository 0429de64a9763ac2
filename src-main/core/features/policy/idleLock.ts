import type { Scope } from '../../base/scope.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';

/** A sleep stops timers but not the count: how long the lock may come late after one, milliseconds. */
const longestLookMs = 10_000;
const minute = 60_000;

export interface IdleLockOptions {
  readonly scope: Scope;
  /** Milliseconds; null for never, undefined where the operator's preference says. */
  readonly idleLockMs: number | null | undefined;
  readonly store: ConsoleStore;
  readonly lock: () => void;
}

/**
 * Locks the console when nobody has been there for a while. Counts only while somebody is signed in
 * and nothing is locked, by `Clock.elapsed()`, which goes on while the computer sleeps.
 */
export class IdleLock {
  readonly #options: IdleLockOptions;
  #counting = false;
  #lastElapsed = 0;
  #cancel: (() => void) | null = null;

  constructor(options: IdleLockOptions) {
    this.#options = options;
  }

  start(): void {
    const { scope, store } = this.#options;
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

  /** Somebody is there. Too late when the time was over already: whoever comes then is asked who it is. */
  noteActivity(): void {
    if (!this.#counting || this.#lockIfOver()) return;
    this.#lastElapsed = this.#options.scope.clock.elapsed();
    this.#look();
  }

  /** After a sleep the time may be over at once. */
  wake(): void {
    if (this.#counting) this.#look();
  }

  get #limitMs(): number | null {
    const { idleLockMs, store } = this.#options;
    if (idleLockMs !== undefined) return idleLockMs;
    const { idleLockMinutes } = store.slice('preferences');
    return idleLockMinutes === null ? null : idleLockMinutes * minute;
  }

  #review(): void {
    const { store, scope } = this.#options;
    const counts = store.slice('session').vault === 'open' && !store.slice('lock').locked;
    if (counts === this.#counting) return;
    this.#counting = counts;
    if (!counts) {
      this.#rest();
      return;
    }
    this.#lastElapsed = scope.clock.elapsed();
    this.#look();
  }

  #look(): void {
    this.#rest();
    const limit = this.#limitMs;
    if (limit === null || (this.#lockIfOver() && !this.#counting)) return;
    const left = limit - (this.#options.scope.clock.elapsed() - this.#lastElapsed);
    const waitMs = left > 0 ? Math.min(left, longestLookMs) : longestLookMs;
    this.#cancel = this.#options.scope.clock.schedule(waitMs, () => {
      this.#look();
    });
  }

  #lockIfOver(): boolean {
    const { scope, lock } = this.#options;
    const limit = this.#limitMs;
    if (limit === null || scope.clock.elapsed() - this.#lastElapsed < limit) return false;
    lock();
    return true;
  }

  #rest(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
