import type { Clock } from '../../base/ports.ts';

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
/** The loss is that of so many attempts. */
const mostAttempts = 40;
/** A line that is off loses all, and has a rate when it returns. */
const leastShare = 0.25;
/** Fewer attempts say nothing about a share. */
const leastAttempts = 4;

interface Sample {
  readonly at: number;
  readonly value: number;
}

/** What was in front of an answer: nothing, or the handshake of a connection. */
export type Wait = 'plain' | 'handshake';

/** How long an answer was waited for, and the least of its kind, milliseconds. */
export interface ComparedWait {
  readonly ms: number;
  readonly usualMs: number;
  /** `Clock.elapsed()` when it was asked for. */
  readonly from: number;
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
  readonly #waits: Readonly<Record<Wait, Sample[]>> = { plain: [], handshake: [] };
  #sizes: Sample[] = [];
  /** 1 for an attempt that was cut or stayed silent, 0 for one that did not. */
  #attempts: Sample[] = [];
  #lastWait: ComparedWait | null = null;
  /** The answers whose bodies come now: they share the line. */
  readonly #coming = new Set<object>();
  #partFrom = 0;
  #partBytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Bytes of answers a second; null where none was measured in the last 10 minutes. */
  get bytesPerSecond(): number | null {
    return medianOf(this.#recent(this.#rates));
  }

  /** What of the rate, however long ago it was measured, comes to its end; null before the first. */
  get lastRate(): number | null {
    const rate = medianOf(this.#rates.map(({ value }) => value));
    return rate === null ? null : rate * this.#kept;
  }

  /** The share of the last attempts that were cut or stayed silent; null where there were too few. */
  get loss(): number | null {
    const all = this.#recent(this.#attempts);
    return all.length < leastAttempts ? null : all.reduce((sum, lost) => sum + lost, 0) / all.length;
  }

  /** The least milliseconds from a request to the first byte of its answer; null where none was measured. */
  get roundTripMs(): number | null {
    return leastOf(this.#recent(this.#waits.plain));
  }

  /** The round trip, or half of the shortest wait with a handshake, which takes a round trip or more; null for none. */
  get roundTripAtMostMs(): number | null {
    const handshake = leastOf(this.#recent(this.#waits.handshake));
    return this.roundTripMs ?? (handshake === null ? null : handshake / 2);
  }

  /** The last wait that others of its kind came before. */
  get lastWait(): ComparedWait | null {
    return this.#lastWait;
  }

  /**
   * How long the largest of the last answers takes alone, with what is lost of it, milliseconds; null where no rate was
   * measured.
   */
  get answerMs(): number | null {
    const rate = this.bytesPerSecond;
    if (rate === null) return null;
    const largest = Math.max(0, ...this.#recent(this.#sizes));
    return (largest / (rate * this.#kept)) * 1_000;
  }

  /** An attempt has ended; `isLost`: it was cut, or nothing came. */
  attempted(isLost: boolean): void {
    this.#add(this.#attempts, isLost ? 1 : 0, mostAttempts);
  }

  /** `kind`: asked at the first byte; null where a body or the service's work is in the wait as well. */
  watch(kind: () => Wait | null): AnswerWatch {
    const own = {};
    const asked = this.#clock.elapsed();
    let size = -1;
    return {
      take: (bytes) => {
        const now = this.#clock.elapsed();
        if (size < 0) {
          size = 0;
          this.#waited(kind(), now - asked);
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
        // One that was given up would have taken longer still.
        const now = this.#clock.elapsed();
        if (size < 0 && now - asked > (this.roundTripMs ?? Infinity)) this.#waited(kind(), now - asked);
        if (!this.#coming.delete(own)) return;
        this.#add(this.#sizes, size, mostAnswers);
        if (this.#coming.size > 0) return;
        // A large answer that came within a turn shows a quick line.
        if (now === this.#partFrom) this.#partBytes = size;
        this.#endPart(now);
      },
    };
  }

  #waited(kind: Wait | null, ms: number): void {
    if (kind === null) return;
    const least = leastOf(this.#recent(this.#waits[kind]));
    // Where others open a connection meanwhile, this one may have had none to wait for.
    const usualMs = kind === 'plain' ? least : Math.max(least ?? 0, 2 * (this.roundTripMs ?? 0));
    if (usualMs) this.#lastWait = { ms, usualMs, from: this.#clock.elapsed() - ms };
    this.#add(this.#waits[kind], ms, mostAnswers);
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

  /** The share of what is asked for that comes to its end. */
  get #kept(): number {
    return Math.max(leastShare, 1 - (this.loss ?? 0));
  }

  #recent(samples: readonly Sample[]): number[] {
    const since = this.#clock.elapsed() - believedMs;
    return samples.filter(({ at }) => at >= since).map(({ value }) => value);
  }
}

const leastOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.min(...values);

const medianOf = (values: readonly number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
