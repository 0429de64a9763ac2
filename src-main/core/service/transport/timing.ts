import type { Clock } from '../../base/ports.ts';

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** True once the limit struck, and not when the outer signal was aborted before. */
  struck(): boolean;
  /** The limit begins anew, of so many milliseconds: something moved. */
  renew(ms: number): void;
  /** Stops the limit's time, until the function that it returns is called. */
  pause(): () => void;
  /** Takes the limit away; the outer signal still aborts. */
  lift(): void;
  /** Must be called when the work is done: frees the timer and the outer signal. */
  done(): void;
}

/** A signal that is aborted with `outer` or after `ms` on the clock, whichever comes first. */
export function limitTime(clock: Clock, outer: AbortSignal, ms: number): TimeLimit {
  const controller = new AbortController();
  let struck = false;
  const strike = (): void => {
    if (controller.signal.aborted) return;
    struck = true;
    controller.abort();
  };
  let endsElapsed = clock.elapsed() + ms;
  let cancel = clock.schedule(ms, strike);
  const renew = (restMs: number): void => {
    cancel();
    endsElapsed = clock.elapsed() + restMs;
    if (!controller.signal.aborted) cancel = clock.schedule(restMs, strike);
  };
  const follow = (): void => controller.abort();
  if (outer.aborted) follow();
  else outer.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    struck: () => struck,
    renew,
    pause() {
      cancel();
      const rest = Math.max(0, endsElapsed - clock.elapsed());
      return () => {
        renew(rest);
      };
    },
    lift: () => cancel(),
    done() {
      cancel();
      outer.removeEventListener('abort', follow);
    },
  };
}

/** Resolves true after `ms` on the clock, or false as soon as `signal` is aborted. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(false);
      return;
    }
    const abort = (): void => {
      cancel();
      resolve(false);
    };
    const cancel = clock.schedule(ms, () => {
      signal.removeEventListener('abort', abort);
      resolve(true);
    });
    signal.addEventListener('abort', abort, { once: true });
  });
}
