import { spawn } from 'node:child_process';
import type { Clock, Logger } from '../core/base/ports.ts';

/** Whether a service manager started this process and waits for word; it starts again what ends with a failure. */
export function isSupervised(environment: Readonly<Record<string, string | undefined>>): boolean {
  return (environment['NOTIFY_SOCKET'] ?? '') !== '';
}

/** Messages to the service manager; does nothing where there is none. */
export interface ServiceManager {
  /** Whether a service manager waits for word. */
  readonly listens: boolean;
  /** The console is ready; from now on it hears at half of the watchdog's time that the console lives. */
  ready(): void;
  /** No word any more: the service manager ends the console and starts it again. */
  fallSilent(): void;
  stopping(): void;
}

/** A notification that hangs is given up, in milliseconds. */
const toldWithinMs = 10_000;

/**
 * Speaks to systemd through its own program `systemd-notify`, since Node has no datagram sockets of the
 * file system. The word comes from a child of this process, so the unit needs `NotifyAccess=all`. Each
 * call is made by this process's own timer: a console that is stuck falls silent by itself.
 */
export function createServiceManager(options: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly logger: Pick<Logger, 'warn'>;
}): ServiceManager {
  const { environment, clock, logger } = options;
  const socket = environment['NOTIFY_SOCKET'];
  const listens = isSupervised(environment);
  const everyMs = Number(environment['WATCHDOG_USEC']) / 1_000 / 2;
  let cancel = (): void => undefined;
  let failed = false;

  const tell = (...words: readonly string[]): void => {
    if (!listens || failed) return;
    const child = spawn('systemd-notify', [...words], {
      stdio: 'ignore',
      env: { PATH: environment['PATH'], NOTIFY_SOCKET: socket },
      timeout: toldWithinMs,
    });
    child.unref();
    child.once('error', (error) => {
      failed = true;
      cancel();
      logger.warn('service-manager-not-told', { error: error.message });
    });
  };
  const ping = (): void => {
    tell('WATCHDOG=1');
    cancel = clock.schedule(everyMs, ping);
  };
  return {
    listens,
    ready: () => {
      tell('--ready');
      if (listens && everyMs > 0) cancel = clock.schedule(everyMs, ping);
    },
    fallSilent: () => cancel(),
    stopping: () => {
      cancel();
      tell('STOPPING=1');
    },
  };
}
