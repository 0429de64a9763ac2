import type { LineState } from '../../../../src-preload/contract/index.ts';
import type { Traffic } from './traffic.ts';

const hourMs = 3_600_000;

/** What an hour of server time may cost. At its end everything may cost as much again. */
export class DataLimit {
  readonly #bytes: number;
  readonly #traffic: Pick<Traffic, 'total'>;
  #hour = 0;
  /** The bytes before this hour. */
  #before = 0;
  #isExceeded = false;

  constructor(bytes: number, traffic: Pick<Traffic, 'total'>) {
    this.#bytes = bytes;
    this.#traffic = traffic;
  }

  /** `now` is server time, Unix milliseconds. */
  state(now: number): NonNullable<LineState['limit']> {
    const hour = Math.floor(now / hourMs);
    const { total } = this.#traffic;
    if (hour !== this.#hour) [this.#hour, this.#before, this.#isExceeded] = [hour, total, false];
    const used = total - this.#before;
    const isUsedUp = used >= this.#bytes;
    const state = this.#isExceeded ? 'exceeded' : isUsedUp ? 'used-up' : 'within';
    return { used, bytes: this.#bytes, until: (hour + 1) * hourMs, state };
  }

  /** An operator lets everything continue for the rest of this hour. */
  exceed(): void {
    this.#isExceeded = true;
  }
}
