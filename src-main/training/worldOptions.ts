import type { Clock } from '../core/base/ports.ts';
import type { StreamMode } from './eventStream.ts';
import type { WireIncident } from './incident.ts';

/** What the data of the service are made with. A separate file: the parts that take it are imported by the world. */
export interface WorldOptions {
  readonly clock: Clock;
  /** Of the script: the same seed tells the same story. */
  readonly seed: number;
  /** Those at the start. Moved so that the newest is now. */
  readonly incidents: readonly WireIncident[];
  /** Runs the steps of the exercise with arrivals, and holds the evidence that every incident counts. */
  readonly exercise: boolean;
  /** Unix milliseconds without the service's clock offset. */
  readonly now: () => number;
  readonly eventStream: () => StreamMode;
}
