import type { App, BrowserWindow } from 'electron';
import { textOf } from '../../core/base/errors.ts';
import type { Clock, Logger } from '../../core/base/ports.ts';
import { relaunchStatus } from '../recovery/recovery.ts';

/** After this time, in milliseconds, a console that does not close must not delay the computer's shutdown. */
const closeWithinMs = 5_000;
/** So long, in milliseconds, the end of a Windows session is held up for the threads that write. */
const sessionWaitMs = 1_500;

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
  /** Whether a service manager starts the console again after `relaunchStatus`. */
  readonly supervised: boolean;
  /** Stops this thread for so many milliseconds. */
  readonly sleep: (ms: number) => void;
}): void {
  const { app, window, process, clock, logger, close, supervised, sleep } = options;
  let closing = false;
  let ended = false;
  let cancel = (): void => undefined;
  const end = (): void => {
    if (ended) return;
    ended = true;
    cancel();
    app.exit(0);
  };
  const begin = (): void => {
    if (closing) return;
    closing = true;
    cancel = clock.schedule(closeWithinMs, end);
    close()
      .catch((error: unknown) => {
        logger.error('close-failed', { error: textOf(error) });
      })
      .finally(end);
  };
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    event.preventDefault();
    begin();
  });
  // Chromium leaves with 0 when the display or a bus of the system goes, without `will-quit`.
  app.on('quit', () => {
    if (closing) return;
    begin();
    if (supervised) app.exit(relaunchStatus);
  });
  // `query-session-end` is a question, and no event tells that the answer was no: nothing ends for it.
  window.on('session-end', () => {
    begin();
    // Inside this event, Electron ends a process that is not quitting.
    app.quit();
    // After it Windows ends the process. What was acknowledged is on the disk; what was given to a thread gets there.
    sleep(sessionWaitMs);
  });
  for (const signal of signals) {
    process.on(signal, () => {
      if (!closing) app.quit();
    });
  }
}
