import type { Logger } from '../../core/base/ports.ts';

export interface BoundLogger {
  readonly logger: Logger;
  begin(real: Logger): void;
  end(): void;
}

/** A logger for parts that live longer than the log: lines from before it opens, or after it closes, are dropped. */
export function createBoundLogger(): BoundLogger {
  let real: Logger | null = null;
  return {
    logger: {
      debug: (event, fields) => real?.debug(event, fields),
      info: (event, fields) => real?.info(event, fields),
      warn: (event, fields) => real?.warn(event, fields),
      error: (event, fields) => real?.error(event, fields),
    },
    begin: (logger) => {
      real = logger;
    },
    end: () => {
      real = null;
    },
  };
}
