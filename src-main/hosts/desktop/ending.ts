import type { App, BrowserWindow } from 'electron';
import { textOf } from '../../core/base/errors.ts';
import type { Clock, Logger } from '../../core/base/ports.ts';

/** After this time, in milliseconds, a console that does not close must not delay the computer's shutdown. */
const closeWithinMs = 5_000;
/** Windows ends the process about this long after the session-end event, in milliseconds. */
const sessionWithinMs = 2_000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Node's `process`, as a source of signals. */
export interface SignalSource {
  on(event: (typeof signals)[number], listener: () => void): unknown;
}

/**
 * Closes once before the application ends, and ends it even if closing hangs. Nothing cuts the closing short: Electron
 * would end at a second quit whose default is not prevented, and at a second signal, since it removes its own listeners
 * after the first.
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
        logger.error('close-failed', { error: textOf(error) });
      })
      .finally(end);
  };
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    event.preventDefault();
    begin(closeWithinMs);
  });
  // Windows does not wait, and `will-quit` does not come, so closing starts at the first event.
  window.on('query-session-end', () => begin(sessionWithinMs));
  window.on('session-end', () => {
    begin(sessionWithinMs);
    // Inside this event, Electron ends a process that is not quitting.
    app.quit();
  });
  for (const signal of signals) {
    process.on(signal, () => {
      if (!closing) app.quit();
    });
  }
}
