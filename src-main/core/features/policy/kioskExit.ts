import { ok, type Result } from '../../../../src-preload/contract/index.ts';
import { message } from '../../base/messages/message.ts';
import { SerialQueue } from '../../base/queues.ts';
import { Timer } from '../../base/timer.ts';
import { GuessLimit } from '../../service/session/guessLimit.ts';
import type { AppContext } from '../context.ts';
import { isRightCode, type CodeVerifier } from './verifier.ts';

/** How long before the console ends the page learns that it may close, milliseconds. */
const farewellMs = 100;

/**
 * The way out of a kiosk. It does not depend on the session, the service or the lock, so that an administrator can
 * always leave a kiosk. Codes are checked one after another.
 */
export class KioskExit {
  readonly #app: AppContext;
  readonly #onThrottle: (until: number | null) => void;
  readonly #guesses: GuessLimit;
  readonly #queue = new SerialQueue();
  readonly #telling: Timer;

  /** `onThrottle` is called with the server time until which no code is checked; null when one may be tried. */
  constructor(app: AppContext, onThrottle: (until: number | null) => void) {
    this.#app = app;
    this.#onThrottle = onThrottle;
    this.#telling = new Timer(app.ports.clock, () => this.#tellThrottle());
    this.#guesses = new GuessLimit(app.ports, 'kiosk-leave');
  }

  async start(): Promise<void> {
    if (this.#app.policy.leave.kind !== 'code') return;
    await this.#guesses.load();
    this.#tellThrottle();
  }

  leave(code: string): Promise<Result<null>> {
    const { policy } = this.#app;
    if (policy.kiosk === 'off') {
      return Promise.resolve(
        this.#app.refuse({ code: 'conflict', sentence: message('kiosk.none'), remedy: null }),
      );
    }
    switch (policy.leave.kind) {
      case 'anybody':
        return Promise.resolve(this.#goOut());
      case 'system': {
        const sentence = message('kiosk.codeUnreadable');
        const remedy = message('kiosk.codeUnreadableRemedy');
        return Promise.resolve(this.#app.refuse({ code: 'policy-invalid', sentence, remedy }));
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
    const { hasher, logger } = this.#app.ports;
    if (code === '') {
      return this.#app.refuse({ code: 'wrong-password', sentence: message('kiosk.codeMissing') });
    }
    if (this.#guesses.waitMs > 0) return this.#throttled();
    await this.#guesses.count();
    let right: boolean;
    try {
      right = await isRightCode(hasher, verifier, code);
    } catch {
      await this.#guesses.unchecked();
      const sentence = message('kiosk.noMemory');
      return this.#app.refuse({ code: 'internal', sentence, remedy: message('kiosk.noMemoryRemedy') });
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
    return this.#app.refuse({
      code: 'wrong-password',
      sentence: message('kiosk.wrongCode'),
      retryAt: waitMs > 0 ? this.#app.serverNow() + waitMs : null,
    });
  }

  #goOut(): Result<null> {
    const { clock, logger, control } = this.#app.ports;
    logger.info('kiosk-left');
    clock.schedule(farewellMs, () => {
      control.leave();
    });
    return ok(null);
  }

  #throttled(): Result<never> {
    return this.#app.refuse({
      code: 'throttled',
      sentence: message('kiosk.throttled'),
      retryAt: this.#app.serverNow() + this.#guesses.waitMs,
    });
  }

  #tellThrottle(): void {
    const { waitMs } = this.#guesses;
    this.#telling.stop();
    this.#onThrottle(waitMs > 0 ? this.#app.serverNow() + waitMs : null);
    if (waitMs > 0) this.#telling.set(waitMs);
  }
}
