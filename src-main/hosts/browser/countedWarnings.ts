import type { LogEvent } from '../../core/base/logEvents.ts';
import type { Clock, Logger } from '../../core/base/ports.ts';

/** Between two lines of the log about the same thing, in milliseconds. */
const everyMs = 60_000;

/**
 * Warnings that any process of this machine can cause, and could fill the log with: the first of a kind is
 * logged at once, then one line a minute says how many came since.
 *
 * An event and its reason are fixed words, never text of a request: there are as many kinds as the code names.
 */
export class CountedWarnings {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #kinds = new Map<string, { count: number; cancel: () => void; write: () => void }>();

  constructor(options: { readonly clock: Clock; readonly logger: Logger }) {
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  warn(event: LogEvent, reason: string): void {
    const kind = `${event} ${reason}`;
    const known = this.#kinds.get(kind);
    if (known) {
      known.count += 1;
      return;
    }
    this.#logger.warn(event, { reason });
    const next = {
      count: 0,
      cancel: () => undefined as void,
      write: () => {
        if (next.count === 0) {
          this.#kinds.delete(kind);
          return;
        }
        this.#logger.warn(event, { reason, count: next.count });
        next.count = 0;
        next.cancel = this.#clock.schedule(everyMs, next.write);
      },
    };
    next.cancel = this.#clock.schedule(everyMs, next.write);
    this.#kinds.set(kind, next);
  }

  /** Logs what was counted and not yet said. */
  close(): void {
    for (const { cancel, write } of this.#kinds.values()) {
      cancel();
      write();
    }
    for (const { cancel } of this.#kinds.values()) cancel();
    this.#kinds.clear();
  }
}
