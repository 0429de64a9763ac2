import { ok, type Result } from '../../../../src-preload/contract/index.ts';
import type { AppContext } from '../context.ts';
import { IdleLock } from './idleLock.ts';
import { KioskExit } from './kioskExit.ts';

/** Applies the policy while the console runs: the idle lock, and the way out of a kiosk. */
export class PolicyEnforcer {
  readonly #idle: IdleLock;
  readonly #exit: KioskExit;

  constructor(app: AppContext, lock: () => void) {
    const { scope, store } = app;
    this.#idle = new IdleLock(app, lock);
    this.#exit = new KioskExit(app, (throttledUntil) => {
      const { leave } = store.slice('policy');
      store.patch('policy', { leave: { ...leave, throttledUntil } });
    });
    scope.onEnd(() => {
      this.#exit.close();
    });
  }

  /** Reads the stored throttle, and begins to watch for idleness. */
  async start(): Promise<void> {
    this.#idle.start();
    await this.#exit.start();
  }

  noteActivity(): Result<null> {
    this.#idle.noteActivity();
    return ok(null);
  }

  leaveKiosk(code: string): Promise<Result<null>> {
    return this.#exit.leave(code);
  }

  /** The computer woke up. */
  wake(): void {
    this.#idle.wake();
  }
}
