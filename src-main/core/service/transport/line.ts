import type { LineState } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import type { ApiName } from './request.ts';
import { Traffic } from './traffic.ts';

export const lineAtStart: LineState = {
  bytesPerSecond: null,
  roundTripMs: null,
  hour: { sent: 0, received: 0 },
  day: { sent: 0, received: 0 },
  since: null,
};

/** What was measured is believed for so long, milliseconds: a vehicle drives on. */
const believedMs = 600_000;
/** Fewer bytes say nothing about a rate: one packet may bring them. */
const leastBytes = 4_096;
/** A long answer is measured in parts of so many milliseconds. */
const partMs = 5_000;
/** The rate is the median of so many parts: one may come out of a buffer at once. */
const mostRates = 5;
/** The usual round trip is the shortest of so many, and the size of an answer the largest. */
const mostAnswers = 16;
/** Where one answer takes longer, a second one at the same time only makes both late, milliseconds. */
const longAnswerMs = 3_000;

interface Sample {
  readonly at: number;
  readonly value: number;
}

/** Measures one answer, from the request on. */
export interface AnswerWatch {
  /** So many bytes of its body came; 0 for its head. */
  take(bytes: number): void;
  /** It has ended, or will not come. */
  end(): void;
}

/** The line to one API, measured by the answers that come anyway. */
export class LineMeter {
  readonly #clock: Clock;
  #rates: Sample[] = [];
  #roundTrips: Sample[] = [];
  #sizes: Sample[] = [];
  /** The answers whose bodies come now: they share the line. */
  readonly #coming = new Set<object>();
  #partFrom = 0;
  #partBytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Bytes of answers a second; null where none was measured in the last 10 minutes. */
  get bytesPerSecond(): number | null {
    const rates = this.#recent(this.#rates).sort((a, b) => a - b);
    return rates[Math.floor(rates.length / 2)] ?? null;
  }

  /** Milliseconds from a request to the first byte of its answer: the least, and that of the last one. */
  get roundTripMs(): { readonly usual: number; readonly last: number } | null {
    const all = this.#recent(this.#roundTrips);
    const last = all.at(-1);
    return last === undefined ? null : { usual: Math.min(...all), last };
  }

  /** How long the largest of the last answers takes alone, milliseconds; null where no rate was measured. */
  get answerMs(): number | null {
    const rate = this.bytesPerSecond;
    return rate === null ? null : (Math.max(0, ...this.#recent(this.#sizes)) / rate) * 1_000;
  }

  /** `measures`: whether its first byte shows the round trip: not after an upload, or a handshake. */
  watch(measures: boolean): AnswerWatch {
    const own = {};
    const asked = this.#clock.elapsed();
    let size = -1;
    return {
      take: (bytes) => {
        const now = this.#clock.elapsed();
        if (size < 0) {
          size = 0;
          if (measures) this.#add(this.#roundTrips, now - asked, mostAnswers);
        }
        if (bytes === 0) return;
        size += bytes;
        if (this.#coming.size === 0) [this.#partFrom, this.#partBytes] = [now, 0];
        // What comes first has come at once, however slow the line.
        else this.#partBytes += bytes;
        this.#coming.add(own);
        if (now - this.#partFrom >= partMs) this.#endPart(now);
      },
      end: () => {
        if (!this.#coming.delete(own)) return;
        const now = this.#clock.elapsed();
        this.#add(this.#sizes, size, mostAnswers);
        if (this.#coming.size > 0) return;
        // A large answer that came within a turn shows a quick line.
        if (now === this.#partFrom) this.#partBytes = size;
        this.#endPart(now);
      },
    };
  }

  #endPart(now: number): void {
    const ms = Math.max(1, now - this.#partFrom);
    if (this.#partBytes >= leastBytes) this.#add(this.#rates, (this.#partBytes / ms) * 1_000, mostRates);
    [this.#partFrom, this.#partBytes] = [now, 0];
  }

  #add(samples: Sample[], value: number, most: number): void {
    samples.push({ at: this.#clock.elapsed(), value });
    if (samples.length > most) samples.shift();
  }

  #recent(samples: readonly Sample[]): number[] {
    const since = this.#clock.elapsed() - believedMs;
    return samples.filter(({ at }) => at >= since).map(({ value }) => value);
  }
}

/** What is known of the line to a deployment's service. */
export class Line {
  readonly traffic: Traffic;
  readonly meters: Readonly<Record<ApiName, LineMeter>>;

  constructor(clock: Clock) {
    this.traffic = new Traffic(clock);
    this.meters = { infrastructure: new LineMeter(clock), coordination: new LineMeter(clock) };
  }

  /** In the form for pages. `now` is server time. */
  state(now: number): LineState {
    const { infrastructure, coordination } = this.meters;
    const rates = [infrastructure.bytesPerSecond, coordination.bytesPerSecond].filter((one) => one !== null);
    const times = [infrastructure.roundTripMs, coordination.roundTripMs].filter((one) => one !== null);
    const { hour, day, spanMs } = this.traffic.review();
    return {
      bytesPerSecond: rates.length === 0 ? null : Number(Math.min(...rates).toPrecision(2)),
      roundTripMs: times.length === 0 ? null : Math.round(Math.max(...times.map(({ usual }) => usual))),
      hour,
      day,
      since: now - spanMs,
    };
  }

  /** How many of the reads that could run at once the line has room for. */
  readsAtOnce(most: number): number {
    const ms = this.meters.infrastructure.answerMs;
    return ms !== null && ms > longAnswerMs ? 1 : most;
  }
}
