import type { Clock } from '../../base/ports.ts';

/** A body in which nothing moves for this long is cut, milliseconds. */
const stillMs = 60_000;
/** The slowest link that is waited for, bytes per millisecond: 1 kB/s. */
const slowest = 1;
/**
 * The most bytes that buffers between here and the service hold: the system's, a proxy's, those of a terminal that
 * acknowledges for the far end.
 */
const mostHeldBytes = 4 * 1024 * 1024;
/** What is handed over in this time has filled buffers, and has not left. */
const fillingMs = 5_000;
/** A link may become so many times slower during one body. */
const slowdown = 10;

/**
 * How far a body came, judged by what was handed over: no runtime says what the system still holds. A slow link takes
 * the first pieces at once, into buffers, and then nothing for minutes.
 */
export class Handover {
  readonly #clock: Clock;
  readonly #began: number;
  #handed = 0;
  /** Handed over while buffers filled, however much they hold. */
  #atFirst = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#began = clock.elapsed();
  }

  /** The connection has taken `bytes` more. */
  take(bytes: number): void {
    this.#handed += bytes;
    if (this.#clock.elapsed() - this.#began < fillingMs) this.#atFirst = this.#handed;
  }

  /** Bytes that have probably left: those handed over without those that filled the buffers. */
  get left(): number {
    return this.#handed - Math.min(this.#atFirst, mostHeldBytes);
  }

  /** How long to wait for the next progress: as long as a very slow link needs for what the buffers may hold. */
  get patienceMs(): number {
    const inBuffers = Math.min(this.#handed, mostHeldBytes);
    const ms = Math.max(1, this.#clock.elapsed() - this.#began);
    // What full buffers took, the line has carried.
    const proven = (this.#handed - this.#atFirst) / ms;
    return stillMs + inBuffers / Math.max(slowest, proven / slowdown);
  }
}

const floorBytesPerSecond = 500;
const floorMs = 60_000;

/** Whether an answer comes at 500 B/s or more: one that drips would hold a place without an end. */
export class Floor {
  readonly #clock: Clock;
  #from: number | null = null;
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `bytes` more have come. False when less than the floor came in the last minute. */
  holds(bytes: number): boolean {
    const now = this.#clock.elapsed();
    this.#from ??= now;
    this.#bytes += bytes;
    const ms = now - this.#from;
    if (ms < floorMs) return true;
    const isEnough = this.#bytes >= (ms / 1_000) * floorBytesPerSecond;
    this.#from = now;
    this.#bytes = 0;
    return isEnough;
  }

  /** The reader did not read meanwhile. */
  restart(): void {
    this.#from = null;
    this.#bytes = 0;
  }
}
