import type { Clock } from '../../base/ports.ts';

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** True after the limit was reached, unless the outer signal was aborted before. */
  struck(): boolean;
  /** Starts the limit again with `ms` milliseconds, after progress. */
  renew(ms: number): void;
  /** Pauses the limit, until the returned function is called. */
  pause(): () => void;
  /** Aborts as if the time were over. */
  strike(): void;
  /** Removes the limit. The outer signal still aborts. */
  lift(): void;
  /** Must be called at the end of the work: frees the timer and the outer signal. */
  done(): void;
}

/**
 * A signal that is aborted with `outer` or after `ms` on the clock, whichever comes first; not by the clock while
 * `isExempt`.
 */
export function limitTime(
  clock: Clock,
  outer: AbortSignal,
  ms: number,
  isExempt: () => boolean = () => false,
): TimeLimit {
  const controller = new AbortController();
  let struck = false;
  const strike = (): void => {
    if (controller.signal.aborted || isExempt()) return;
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
    strike,
    lift: () => cancel(),
    done() {
      cancel();
      outer.removeEventListener('abort', follow);
    },
  };
}
