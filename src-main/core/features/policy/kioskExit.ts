import { failed, ok, type FailureCode, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure, type FailureParts } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { BasePorts } from '../../base/ports.ts';
import { SerialQueue } from '../../base/queues.ts';
import { Timer } from '../../base/timer.ts';
import { GuessLimit } from '../../service/session/guessLimit.ts';
import type { Policy } from './policy.ts';
import { isRightCode, type CodeVerifier } from './verifier.ts';

/** How long before the console ends the page learns that it may close, milliseconds. */
const farewellMs = 100;

export interface KioskExitOptions {
  readonly policy: Policy;
  readonly ports: Pick<BasePorts, 'clock' | 'hasher' | 'documents' | 'logger'> & {
    readonly control: { leave(): void };
  };
  /** Server time, Unix milliseconds. */
  readonly now: () => number;
  /** Called with the server time until which no code is checked; null when one may be tried. */
  readonly onThrottle: (until: number | null) => void;
}

/**
 * The way out of a kiosk. It does not depend on the session, the service or the lock, so that an administrator can
 * always leave a kiosk. Codes are checked one after another.
 */
export class KioskExit {
  readonly #options: KioskExitOptions;
  readonly #guesses: GuessLimit;
  readonly #queue = new SerialQueue();
  readonly #telling: Timer;

  constructor(options: KioskExitOptions) {
    this.#options = options;
    this.#telling = new Timer(options.ports.clock, () => this.#tellThrottle());
    this.#guesses = new GuessLimit({ ...options.ports, document: 'kiosk-leave' });
  }

  async start(): Promise<void> {
    if (this.#options.policy.leave.kind !== 'code') return;
    await this.#guesses.load();
    this.#tellThrottle();
  }

  leave(code: string): Promise<Result<null>> {
    const { policy } = this.#options;
    if (policy.kiosk === 'off') {
      return Promise.resolve(this.#failure('conflict', { sentence: message('kiosk.none'), remedy: null }));
    }
    switch (policy.leave.kind) {
      case 'anybody':
        return Promise.resolve(this.#goOut());
      case 'system': {
        const sentence = message('kiosk.codeUnreadable');
        const remedy = message('kiosk.codeUnreadableRemedy');
        return Promise.resolve(this.#failure('policy-invalid', { sentence, remedy }));
      }
      case 'code': {
        const { verifier } = policy.leave;
        return this.#queue.run(() => this.#check(verifier, code));
      }
    }
  }

  close(): void {
    this.#telling.stop();
  }

  async #check(verifier: CodeVerifier, code: string): Promise<Result<null>> {
    const { hasher, logger } = this.#options.ports;
    if (code === '') {
      return this.#failure('wrong-password', { sentence: message('kiosk.codeMissing') });
    }
    if (this.#guesses.waitMs > 0) return this.#throttled();
    await this.#guesses.count();
    let right: boolean;
    try {
      right = await isRightCode(hasher, verifier, code);
    } catch {
      await this.#guesses.unchecked();
      const sentence = message('kiosk.noMemory');
      return this.#failure('internal', { sentence, remedy: message('kiosk.noMemoryRemedy') });
    }
    if (right) {
      // Before any use of the disk: a faulty disk must not block the way out.
      const left = this.#goOut();
      await this.#guesses.right();
      return left;
    }
    this.#guesses.wrong();
    logger.warn('kiosk-code-wrong');
    this.#tellThrottle();
    const { waitMs } = this.#guesses;
    return this.#failure('wrong-password', {
      sentence: message('kiosk.wrongCode'),
      retryAt: waitMs > 0 ? this.#options.now() + waitMs : null,
    });
  }

  #goOut(): Result<null> {
    const { clock, logger, control } = this.#options.ports;
    logger.info('kiosk-left');
    clock.schedule(farewellMs, () => {
      control.leave();
    });
    return ok(null);
  }

  #throttled(): Result<never> {
    return this.#failure('throttled', {
      sentence: message('kiosk.throttled'),
      retryAt: this.#options.now() + this.#guesses.waitMs,
    });
  }

  #tellThrottle(): void {
    const { now, onThrottle } = this.#options;
    const { waitMs } = this.#guesses;
    this.#telling.stop();
    onThrottle(waitMs > 0 ? now() + waitMs : null);
    if (waitMs > 0) this.#telling.set(waitMs);
  }

  #failure(code: FailureCode, words: Omit<FailureParts, 'code' | 'at'>): Result<never> {
    return failed(makeFailure({ code, at: this.#options.now(), ...words }));
  }
}
