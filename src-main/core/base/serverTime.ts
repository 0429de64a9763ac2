import type { Clock } from './ports.ts';

/**
 * The service's time as this computer estimates it: the only "now" of the core.
 *
 * The wall clock of a laptop in the field may be wrong by a day, but a token's `expires_at` is in the service's time.
 * So the estimate starts at the `Date` header of an answer and advances with `Clock.elapsed()`, which counts sleep. All
 * times are Unix milliseconds.
 */
export interface ServerTime {
  serverNow(): number;
  /** False until the first `Date` header. Until then the wall clock is used. */
  verified(): boolean;
  /**
   * The time by which things are erased for their age: at most ten minutes beyond the latest `Date` header, whatever
   * the clocks say. Null until the first one.
   */
  provenNow(): number | null;
  /** Wall clock minus server time; null while unverified. */
  skewMs(): number | null;
  /**
   * Reads an answer's `Date` header. The two times are `Clock.elapsed()` when the request was sent and when the head of
   * the answer came. A malformed or missing header is ignored.
   */
  observe(dateHeader: string | null, sentElapsed: number, receivedElapsed: number): void;
  /** The machine woke up: the estimate of the time that is left has to be verified again. */
  wake(): void;
  /**
   * Grows by one at each wake, and each time the wall clock and the elapsed time diverge by over 5 s. A token from
   * before the last disturbance is renewed before its next use.
   */
  disturbances(): number;
  /** Runs `listener` when the time was verified, changed, or was disturbed. The returned function stops that. */
  onChange(listener: () => void): () => void;
}

const disagreementMs = 5_000;
/** `Date` counts whole seconds: the true time lies within that second. */
const resolutionMs = 1_000;
/** Clock drift that is normal: 200 millionths. */
const driftRate = 0.0002;
/** A smaller move is a better estimate, and changes nothing on the screen. */
const noteworthyMs = 1_000;

/** How far time may be proven beyond an answer. */
const provenForMs = 600_000;

/** Bounds of (service time - elapsed), which is constant except for drift. */
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
    provenNow: () =>
      bounds === null
        ? null
        : (bounds.low + bounds.high) / 2 + Math.min(clock.elapsed(), bounds.takenElapsed + provenForMs),
    skewMs: () => (bounds === null ? null : clock.wallNow() - serverNow()),
    observe(dateHeader, sentElapsed, receivedElapsed) {
      checkWall();
      const date = dateHeader === null ? null : readHttpDate(dateHeader);
      if (date === null || receivedElapsed < sentElapsed) return;
      // The service wrote `Date` between sending and receiving. The middle of these bounds removes half of the round
      // trip.
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

/** The bounds that both observations allow; only the newer ones when the two contradict each other. */
function narrow(known: Bounds, seen: Bounds): Bounds {
  const drift = Math.max(0, seen.takenElapsed - known.takenElapsed) * driftRate;
  const low = Math.max(known.low - drift, seen.low);
  const high = Math.min(known.high + drift, seen.high);
  return low <= high ? { low, high, takenElapsed: seen.takenElapsed } : seen;
}

const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads an IMF-fixdate (RFC 9110) as Unix milliseconds; null for anything else. `Date.parse` alone would read "1" as a
 * year, and a date without a zone as local time.
 */
export function readHttpDate(text: string): number | null {
  if (!httpDate.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
