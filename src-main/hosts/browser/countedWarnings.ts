import type { LogEvent } from '../../core/base/logEvents.ts';
import type { Clock, Logger } from '../../core/base/ports.ts';

/** Milliseconds between two log lines about the same event. */
const everyMs = 60_000;

/**
 * Warnings that any process of this machine can cause, and could fill the log with. The first of a kind is logged at
 * once, then one line a minute with the number of further ones.
 *
 * Event and reason are fixed words, never text of a request, so the number of kinds is fixed too.
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

  /** Logs the counts that were not logged yet. */
  close(): void {
    for (const { cancel, write } of this.#kinds.values()) {
      cancel();
      write();
    }
    for (const { cancel } of this.#kinds.values()) cancel();
    this.#kinds.clear();
  }
}
