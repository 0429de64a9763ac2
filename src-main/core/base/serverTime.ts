import type { Clock } from './ports.ts';

/**
 * The service's time as this computer estimates it: the only "now" of the core.
 *
 * A laptop in the field may have a wall clock that is wrong by a day, and a token's `expires_at` is
 * the service's time. So the time is anchored at the `Date` header of answers and carried on by
 * `Clock.elapsed()`, which counts sleep. All times are Unix milliseconds.
 */
export interface ServerTime {
  serverNow(): number;
  /** False until a `Date` header was read: until then the wall clock is all there is. */
  verified(): boolean;
  /** Wall clock minus server time; null while unverified. */
  skewMs(): number | null;
  /**
   * Takes an answer's `Date` header with `Clock.elapsed()` at sending and at receiving its head.
   * A malformed or missing header is ignored.
   */
  observe(dateHeader: string | null, sentElapsed: number, receivedElapsed: number): void;
  /** The machine woke up: whatever was believed about time left has to be proved again. */
  wake(): void;
  /**
   * Grows by one at each wake and each time the wall clock and the elapsed time come apart by over
   * 5 s. A token taken before the last disturbance is renewed before it is used.
   */
  disturbances(): number;
  /** Runs `listener` when the time became verified, moved, or was disturbed; returns the way to stop. */
  onChange(listener: () => void): () => void;
}

const disagreementMs = 5_000;
/** `Date` counts whole seconds: the true time lies within the second it names. */
const resolutionMs = 1_000;
/** Crystal drift that is no contradiction: 200 millionths. */
const driftRate = 0.0002;
/** A move below this is an estimate getting tighter, not news for a screen. */
const noteworthyMs = 1_000;

/** Bounds of (service time - elapsed), which is constant but for drift. */
interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly takenElapsed: number;
}

export function createServerTime(options: { readonly clock: Clock }): ServerTime {
  const { clock } = options;
  const listeners = new Set<() => void>();
  let bounds: Bounds | null = null;
  let doubted = false;
  let disturbances = 0;
  let wallOffset = clock.wallNow() - clock.elapsed();
  let toldOffset: number | null = null;

  const offset = (): number | null => (bounds === null ? null : (bounds.low + bounds.high) / 2);

  function tell(): void {
    toldOffset = offset();
    for (const listener of [...listeners]) listener();
  }

  function disturb(): void {
    disturbances += 1;
    doubted = true;
    wallOffset = clock.wallNow() - clock.elapsed();
    tell();
  }

  function checkWall(): void {
    if (Math.abs(clock.wallNow() - clock.elapsed() - wallOffset) > disagreementMs) disturb();
  }

  function serverNow(): number {
    const known = offset();
    return known === null ? clock.wallNow() : known + clock.elapsed();
  }

  return {
    serverNow,
    verified: () => bounds !== null,
    skewMs: () => (bounds === null ? null : clock.wallNow() - serverNow()),
    observe(dateHeader, sentElapsed, receivedElapsed) {
      checkWall();
      const date = dateHeader === null ? null : readHttpDate(dateHeader);
      if (date === null || receivedElapsed < sentElapsed) return;
      // The service wrote `Date` at some moment between sending and receiving, so half the round
      // trip is taken off by using the middle of these bounds.
      const seen: Bounds = {
        low: date - receivedElapsed,
        high: date + resolutionMs - sentElapsed,
        takenElapsed: receivedElapsed,
      };
      bounds = bounds === null || doubted ? seen : narrow(bounds, seen);
      doubted = false;
      const now = offset();
      if (toldOffset === null || now === null || Math.abs(now - toldOffset) >= noteworthyMs) tell();
    },
    wake: disturb,
    disturbances() {
      checkWall();
      return disturbances;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The bounds that both observations allow; the newer one alone when they contradict each other. */
function narrow(known: Bounds, seen: Bounds): Bounds {
  const drift = Math.max(0, seen.takenElapsed - known.takenElapsed) * driftRate;
  const low = Math.max(known.low - drift, seen.low);
  const high = Math.min(known.high + drift, seen.high);
  return low <= high ? { low, high, takenElapsed: seen.takenElapsed } : seen;
}

const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads an IMF-fixdate (RFC 9110) as Unix milliseconds; null for anything else. `Date.parse` alone
 * would take "1" for a year and a date without a zone for local time.
 */
export function readHttpDate(text: string): number | null {
  if (!httpDate.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
