import { ok, type Result } from '../../../../src-preload/contract/index.ts';
import type { BasePorts } from '../../base/ports.ts';
import type { Scope } from '../../base/scope.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import { IdleLock } from './idleLock.ts';
import { KioskExit } from './kioskExit.ts';
import type { Policy } from './policy.ts';

export interface PolicyEnforcerOptions {
  readonly scope: Scope;
  readonly policy: Policy;
  readonly ports: Pick<BasePorts, 'clock' | 'hasher' | 'documents' | 'logger'> & {
    readonly control: { leave(): void };
  };
  readonly store: ConsoleStore;
  /** Server time, Unix milliseconds. */
  readonly now: () => number;
  readonly lock: () => void;
}

/** Applies the policy while the console runs: the idle lock, and the way out of a kiosk. */
export class PolicyEnforcer {
  readonly #idle: IdleLock;
  readonly #exit: KioskExit;

  constructor({ scope, policy, ports, store, now, lock }: PolicyEnforcerOptions) {
    const { idleLockMs } = policy;
    this.#idle = new IdleLock({ scope, idleLockMs, store, lock });
    this.#exit = new KioskExit({
      policy,
      ports,
      now,
      onThrottle: (throttledUntil) => {
        const { leave } = store.slice('policy');
        store.patch('policy', { leave: { ...leave, throttledUntil } });
      },
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
