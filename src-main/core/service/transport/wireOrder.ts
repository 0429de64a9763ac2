import type { Clock } from '../../base/ports.ts';
import { sleep } from '../../base/sleep.ts';
import type { LineMeter } from './lineMeter.ts';
import type { Interceptor } from './request.ts';

/** So many requests run at once. With two uploads and a stream of events, a place in the pool is left for a decision. */
const mostAtOnce = 12;
/**
 * On a slow line as many as it answers in so long, milliseconds, but some: in a single queue a decision's answer comes
 * after theirs.
 */
const [placesMs, fewestAtOnce] = [4_000, 4];
/** A line that is quicker than this needs no pace until its round trip grows, bytes a second. */
const quickRate = 256_000;
/** The slowest pace, bytes a second. */
const slowestPace = 1_000;
/**
 * A line whose round trip is so long, milliseconds, may be slow while answers are too short to show its rate: bulk begins
 * at this pace, bytes a second. With each round trip that did not grow it grows so much that what is too much until the
 * next one waits so long, milliseconds, and at most by so much.
 */
const [farMs, carefulPace, queueMs, mostGrowth] = [250, 6_000, 1_000, 0.5];
/** A round trip that is longer than one and a half of the usual one, and this, shows a queue, milliseconds. */
const grownByMs = 250;
const longestPauseMs = 30_000;
/**
 * Bulk begins with this share of the rate at which answers come. With each round trip that did not grow it gets a
 * little more of it; after one that did it keeps so much of its pace.
 */
const [firstShare, moreShare, keptShare] = [0.75, 0.05, 0.7];
/** Bulk hands over what takes so long at its pace, milliseconds: so much may be in front of a decision. */
const pieceMs = 500;
const [leastPiece, largestPiece] = [1_024, 64 * 1_024];

/**
 * What goes first on the wire. A decision or a sign-in never waits, and while one runs no bulk is handed over. Other
 * requests have places. Bulk (uploads) goes at a pace that the round trip of the polls sets: where it grows, bulk has
 * filled a queue that all else waits in.
 */
export class WireOrder {
  readonly #clock: Clock;
  readonly #meter: LineMeter;
  #urgent = 0;
  #running = 0;
  /** Requests that wait for a place, and bulk that waits for the urgent ones. */
  readonly #waiting = new Set<() => void>();
  /** Bytes a second; null while there is no need for one. */
  #pace: number | null = null;
  #freeAt = 0;
  /** `Clock.elapsed()` when the pace was set. */
  #pacedAt = -Infinity;
  /** At what pace bulk filled a queue while answers were too short to show the rate, or that it did not at a quick one. */
  #bulkRate: number | null = null;

  constructor(clock: Clock, meter: LineMeter) {
    this.#clock = clock;
    this.#meter = meter;
  }

  readonly intercept: Interceptor = async (request, next) => {
    if (request.isUrgent) return this.#holding('urgent', () => next(request));
    if (request.backoff !== 'answer') return next(request);
    while (this.#running >= this.#places && !request.signal.aborted) await this.#change(request.signal);
    return this.#holding('usual', () => next(request));
  };

  get #places(): number {
    const { answerMs } = this.#meter;
    const places = answerMs === null ? mostAtOnce : Math.floor(placesMs / Math.max(1, answerMs));
    return Math.min(mostAtOnce, Math.max(fewestAtOnce, places));
  }

  /** How many bytes of a body are handed over at once. */
  get pieceBytes(): number {
    const pace = this.#review();
    if (pace === null) return largestPiece;
    return Math.min(largestPiece, Math.max(leastPiece, Math.round((pace * pieceMs) / 1_000)));
  }

  /** Waits until bulk may hand over so many bytes, or the signal is aborted. */
  async bulk(bytes: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      while (this.#urgent > 0 && !signal.aborted) await this.#change(signal);
      const wait = this.#freeAt - this.#clock.elapsed();
      if (signal.aborted || wait <= 0) break;
      await sleep(this.#clock, wait, signal);
    }
    const pace = this.#review();
    if (pace !== null) this.#freeAt = this.#clock.elapsed() + (bytes / pace) * 1_000;
  }

  /** Sets the pace by the last wait for an answer. */
  #review(): number | null {
    const { bytesPerSecond, roundTripAtMostMs, lastWait } = this.#meter;
    const known = bytesPerSecond ?? this.#bulkRate;
    const isSlow = known !== null && known < quickRate;
    if (this.#pace === null && isSlow) this.#pace = firstShare * known;
    const isFar = roundTripAtMostMs !== null && roundTripAtMostMs >= farMs;
    if (known === null && isFar && this.#pace === null)
      [this.#pace, this.#pacedAt] = [carefulPace, this.#clock.elapsed()];
    if (known === null && !isFar && roundTripAtMostMs !== null) this.#pace = null;
    // What was asked before the pace changed says nothing of it.
    if (lastWait === null || lastWait.from < this.#pacedAt) return this.#pace;
    const { ms, usualMs } = lastWait;
    const betweenMs = this.#clock.elapsed() - this.#pacedAt;
    this.#pacedAt = this.#clock.elapsed();
    if (ms > 1.5 * usualMs + grownByMs) {
      const pace = this.#pace ?? known ?? quickRate;
      this.#bulkRate = pace;
      this.#pace = Math.max(slowestPace, keptShare * pace);
      this.#freeAt = this.#clock.elapsed() + Math.min(longestPauseMs, ms - usualMs);
    } else if (this.#pace !== null) {
      const more =
        known === null ? Math.min(mostGrowth, queueMs / betweenMs) * this.#pace : moreShare * known;
      // What leaves is not measured: a fair queue does not show what is too much.
      const most = isFar && bytesPerSecond !== null ? Math.max(this.#pace, bytesPerSecond) : Infinity;
      this.#pace = Math.min(most, this.#pace + more);
      if (this.#pace > quickRate && !isSlow) [this.#pace, this.#bulkRate] = [null, quickRate];
    }
    return this.#pace;
  }

  async #holding<T>(what: 'urgent' | 'usual', work: () => Promise<T>): Promise<T> {
    if (what === 'urgent') this.#urgent += 1;
    else this.#running += 1;
    try {
      return await work();
    } finally {
      if (what === 'urgent') this.#urgent -= 1;
      else this.#running -= 1;
      for (const wake of [...this.#waiting]) wake();
    }
  }

  /** Waits until a request has ended, or the signal is aborted. */
  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
