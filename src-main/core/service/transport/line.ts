import type { LineState } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import { DataLimit } from './dataLimit.ts';
import { LineMeter } from './lineMeter.ts';
import type { ApiName } from './request.ts';
import { Traffic } from './traffic.ts';
import { WireOrder } from './wireOrder.ts';

export const lineAtStart: LineState = {
  saving: false,
  limit: null,
  loss: null,
  bytesPerSecond: null,
  roundTripMs: null,
  hour: { sent: 0, received: 0 },
  day: { sent: 0, received: 0 },
  since: null,
};

/** Where one answer takes longer, more of them at the same time only make all late, milliseconds. */
const longAnswerMs = 3_000;
/** The second one is asked for while the first comes, so that the line is never idle. */
const fewest = 2;

/** What is known of the line to a deployment's service. */
export class Line {
  readonly traffic: Traffic;
  readonly limit: DataLimit | null;
  readonly order: WireOrder;
  readonly meters: Readonly<Record<ApiName, LineMeter>>;

  /** `bytesPerHour`: what an hour may cost; null for no limit. */
  constructor(clock: Clock, bytesPerHour: number | null) {
    this.traffic = new Traffic(clock);
    this.limit = bytesPerHour === null ? null : new DataLimit(bytesPerHour, this.traffic);
    this.meters = { infrastructure: new LineMeter(clock), coordination: new LineMeter(clock) };
    this.order = new WireOrder(clock, this.meters.infrastructure);
  }

  /** In the form for pages. `now` is server time. */
  state(now: number): Omit<LineState, 'saving'> {
    const { infrastructure, coordination } = this.meters;
    const rates = [infrastructure.bytesPerSecond, coordination.bytesPerSecond].filter((one) => one !== null);
    const times = [infrastructure.roundTripMs, coordination.roundTripMs].filter((one) => one !== null);
    const losses = [infrastructure.loss, coordination.loss].filter((one) => one !== null);
    const { hour, day, spanMs } = this.traffic.review();
    return {
      bytesPerSecond: rates.length === 0 ? null : Number(Math.min(...rates).toPrecision(2)),
      roundTripMs: times.length === 0 ? null : Math.round(Math.max(...times)),
      loss: losses.length === 0 ? null : Math.max(...losses),
      hour,
      day,
      since: now - spanMs,
      limit: this.limit?.state(now) ?? null,
    };
  }

  /** Bytes a second of answers to reads that come to their end, when they were last measured; null before. */
  get lastRate(): number | null {
    return this.meters.infrastructure.lastRate;
  }

  /** How many of the reads that could run at once the line has room for. */
  readsAtOnce(most: number): number {
    const ms = this.meters.infrastructure.answerMs;
    return ms !== null && ms > longAnswerMs ? Math.min(fewest, most) : most;
  }
}
