import { pollMs } from '../../../state/dataUse.ts';
import type { SyncAccount } from './syncAccount.ts';

type PaceAccount = Pick<SyncAccount, 'clock' | 'line' | 'store' | 'deployment'>;

/** What one read cost. */
export interface Cost {
  readonly ms: number;
  /** Of requests and answers, as they go over the line. */
  readonly bytes: number;
}

/** A read that takes this long shows that the line is slow. */
const longReadMs = 1_000;
/** A read that seems to have taken longer met a sleep of the computer. */
const longestReadMs = 60_000;
/** What is read again may cost so many bytes a second (360 kB an hour), or this share of the line if that is more. */
const [leastRate, shareOfLine] = [100, 0.0125];
/** Everything is read again in this time, whatever that costs. */
const roundMs = 600_000;
const hourMs = 3_600_000;

/**
 * When incidents that are known are read again: what costs more bytes or more time of the line comes less often. Half of
 * what everything may cost in an hour is for that, where the deployment says how much.
 */
export class Pace {
  readonly #account: PaceAccount;
  #restUntil = 0;
  /** The line has time for the next one, however few bytes it has. */
  #idleFrom = 0;
  /** Of the last read of the newest window. */
  #recent: Cost = { ms: 0, bytes: 0 };

  constructor(account: PaceAccount) {
    this.#account = account;
  }

  /** The time between two reads of the newest window. They take at most half of the line, and a quarter of the bytes. */
  get pollMs(): number {
    const { ms, bytes } = this.#recent;
    const { store, deployment } = this.#account;
    const interval = pollMs(store, deployment.pollIntervals.incidentsMs);
    return Math.max(interval, 2 * Math.min(ms, longestReadMs), this.#allowedMs(bytes) ?? 0);
  }

  /** How long what is read again waits, milliseconds. */
  get restMs(): number {
    return Math.ceil(Math.max(this.#restUntil, this.#idleFrom) - this.#account.clock.elapsed());
  }

  /** Something is known to have changed: it is read at once, where bytes are not counted. */
  hurry(): void {
    if (this.#account.deployment.sync.bytesPerHour === null) this.#restUntil = 0;
  }

  tookRecent(cost: Cost): void {
    this.#recent = cost;
  }

  /**
   * One of `windows` was read again. It leaves the line to others for twice the time that it took, where that is long.
   * `proves`: such readings may still show that all is known, which is worth its bytes where those are not counted.
   */
  took(
    { ms, bytes }: Cost,
    { windows, proves }: { readonly windows: number; readonly proves: boolean },
  ): void {
    const { clock, line } = this.#account;
    const rate = Math.max(leastRate, shareOfLine * (line.lastRate ?? 0));
    const now = clock.elapsed();
    const byCost = proves ? 0 : Math.min((bytes / rate) * 1_000, roundMs / windows);
    const rest = this.#allowedMs(bytes) ?? byCost;
    // Several run at once.
    this.#restUntil = Math.max(this.#restUntil, now) + rest;
    if (ms >= longReadMs) this.#idleFrom = now + 2 * Math.min(ms, longestReadMs);
  }

  /** In how long a quarter of the bytes of an hour are so many; null where they are not counted. */
  #allowedMs(bytes: number): number | null {
    const { bytesPerHour } = this.#account.deployment.sync;
    return bytesPerHour === null ? null : Math.ceil((bytes / (bytesPerHour / 4)) * hourMs);
  }
}
