import type { App, BrowserWindow } from 'electron';
import type { Clock, Logger } from '../../core/base/ports.ts';

/** A console that does not let go within this time must not keep the machine from shutting down, in ms. */
const closeWithinMs = 5_000;
/** Windows ends the process about so long after it told it of the end of the session, in milliseconds. */
const sessionWithinMs = 2_000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Node's `process`, as far as signals go. */
export interface SignalSource {
  on(event: (typeof signals)[number], listener: () => void): unknown;
}

/**
 * Closes once, before the application ends, and ends even when that hangs. Nothing cuts it short: Electron would
 * end at a second quit whose default is not prevented, and die of a second signal, since it takes its own
 * listeners away after the first.
 */
export function endWith(options: {
  readonly app: Pick<App, 'exit' | 'on' | 'quit'>;
  readonly window: Pick<BrowserWindow, 'on'>;
  readonly process: SignalSource;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly logger: Logger;
  readonly close: () => Promise<void>;
}): void {
  const { app, window, process, clock, logger, close } = options;
  let closing = false;
  let ended = false;
  const cancels: (() => void)[] = [];
  const end = (): void => {
    if (ended) return;
    ended = true;
    for (const cancel of cancels) cancel();
    app.exit(0);
  };
  const begin = (withinMs: number): void => {
    cancels.push(clock.schedule(withinMs, end));
    if (closing) return;
    closing = true;
    close()
      .catch((error: unknown) => {
        logger.error('close-failed', { error: error instanceof Error ? error.message : 'unknown' });
      })
      .finally(end);
  };
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    event.preventDefault();
    begin(closeWithinMs);
  });
  // Windows waits for nothing that is left for later, and `will-quit` does not come: so at its first word.
  window.on('query-session-end', () => begin(sessionWithinMs));
  window.on('session-end', () => {
    begin(sessionWithinMs);
    // Electron ends a process inside this event that is not quitting.
    app.quit();
  });
  for (const signal of signals) {
    process.on(signal, () => {
      if (!closing) app.quit();
    });
  }
}
