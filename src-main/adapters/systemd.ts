import { spawn } from 'node:child_process';
import type { Clock, Logger } from '../core/base/ports.ts';
import { Timer } from '../core/base/timer.ts';

/** Whether a service manager started this process, expects its messages, and starts it again after a failure. */
export function isSupervised(environment: Readonly<Record<string, string | undefined>>): boolean {
  return (environment['NOTIFY_SOCKET'] ?? '') !== '';
}

/** Messages to the service manager. Without one they do nothing. */
export interface ServiceManager {
  /** Whether a service manager expects messages. */
  readonly listens: boolean;
  /** The console is ready. From now on the manager gets a sign of life at half of the watchdog's time. */
  ready(): void;
  /** Stops the signs of life: the service manager ends the console and starts it again. */
  fallSilent(): void;
  stopping(): void;
}

/** A message that hangs is given up after this time, in milliseconds. */
const toldWithinMs = 10_000;

/**
 * Sends messages to systemd with its program `systemd-notify`, since Node has no datagram sockets of the file system.
 * The message comes from a child of this process, so the unit needs `NotifyAccess=all`. This process's own timer makes
 * each call: when the console hangs, the messages stop.
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
  const ping = new Timer(clock, () => {
    tell('WATCHDOG=1');
    ping.set(everyMs);
  });
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
      ping.stop();
      logger.warn('service-manager-not-told', { error: error.message });
    });
  };
  return {
    listens,
    ready: () => {
      tell('--ready');
      if (listens && everyMs > 0) ping.set(everyMs);
    },
    fallSilent: () => ping.stop(),
    stopping: () => {
      ping.stop();
      tell('STOPPING=1');
    },
  };
}
