import type { App, RelaunchOptions } from 'electron';
import type { Clock, Logger } from '../../core/base/ports.ts';
import { errorFacts } from '../recovery/errorFacts.ts';
import { relaunchStatus } from '../recovery/recovery.ts';
import { noteBreak } from '../recovery/remembered.ts';

/** After this time, in milliseconds, a console that does not close is cut off. */
const closeWithinMs = 5_000;

/** What has to be closed in order, after the start. */
export interface RunningConsole {
  /** Closes the console and its parts. */
  readonly close: () => Promise<void>;
  /**
   * Shows the page that says that the console has stopped, until its window is closed; false when there is no window
   * for it.
   */
  readonly showStopped: () => boolean;
}

export interface Breakdown {
  /** From now on this is closed before the process ends. */
  attach(running: RunningConsole): void;
}

interface BreakListening {
  (event: 'uncaughtException', listener: (thrown: Error) => void): unknown;
  (event: 'unhandledRejection', listener: (thrown: unknown) => void): unknown;
}

export interface BreakdownOptions {
  /** Node's `process`. */
  readonly process: { readonly on: BreakListening };
  readonly app: Pick<App, 'exit' | 'relaunch'>;
  readonly clock: Pick<Clock, 'elapsed' | 'schedule' | 'wallNow'>;
  readonly logger: Logger;
  /** The folder for the note; null when the console must not be started again, as in a self-test. */
  readonly dataDir: string | null;
  /**
   * Whether a service manager started the console and starts it again after `relaunchStatus`. Together with the console
   * it would also end a process that the console started as its replacement.
   */
  readonly supervised: boolean;
  /** The arguments of the process that replaces this one. */
  readonly relaunch: RelaunchOptions;
  /** Shows a sentence to the person who started the console. */
  readonly say: (sentence: string) => void;
  /** Says on the screen, without a window, that the console has stopped, and waits until it was read. */
  readonly tellStopped: () => void;
}

/**
 * Ends a console after an uncaught exception or an unhandled rejection in its main process. Electron would show a box
 * with a stack trace and continue. Instead the error is logged and noted, the console closes, and it is started again:
 * at most three times within an hour, including starts for other reasons (machine.ts).
 */
export function watchForBreakdown(options: BreakdownOptions): Breakdown {
  const { app, clock, logger, dataDir, supervised, say, tellStopped } = options;
  let running: RunningConsole | null = null;
  let ending = false;

  const close = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      const cancel = clock.schedule(closeWithinMs, resolve);
      const closed = async (): Promise<void> => {
        await running?.close().catch(() => undefined);
        cancel();
        resolve();
      };
      void closed();
    });
  };

  const end = async (thrown: unknown, origin: string): Promise<void> => {
    const facts = errorFacts(thrown);
    logger.error('console-broke', { origin, ...facts });
    // Further errors during the end are logged and change nothing.
    if (ending) return;
    ending = true;
    say(`The console broke: ${String(facts['error'])} ${String(facts['place'] ?? '')}`.trim());
    const now = { elapsed: clock.elapsed(), wall: clock.wallNow() };
    const next = dataDir === null ? 'unknown' : noteBreak(dataDir, now);
    if (next === 'relaunch') logger.error('recovery-relaunch', { reason: 'console-broke' });
    else logger.error('recovery-stopped', { reason: 'console-broke' });
    if (next === 'relaunch' && !supervised) app.relaunch(options.relaunch);
    const isShown = next !== 'relaunch' && running?.showStopped() === true;
    await close();
    if (dataDir !== null && next !== 'unknown') noteBreak(dataDir, now, true);
    if (next === 'relaunch') {
      app.exit(supervised ? relaunchStatus : 0);
      return;
    }
    if (isShown) return;
    if (dataDir !== null && !supervised) tellStopped();
    app.exit(1);
  };

  options.process.on('uncaughtException', (thrown) => void end(thrown, 'exception'));
  options.process.on('unhandledRejection', (thrown) => void end(thrown, 'rejection'));
  return {
    attach: (given) => {
      running = given;
    },
  };
}
