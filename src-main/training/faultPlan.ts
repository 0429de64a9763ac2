import type {
  trainingFaults,
  trainingMissionFaults,
  TrainingSwitches,
  trainingUploadFaults,
} from '../../src-preload/contract/index.ts';
import { paths } from './paths.ts';

type TrainingFault = (typeof trainingFaults)[number];

/** Faults of one request; a refused connection is the listener's and has no request. */
export type RequestFault = Exclude<
  TrainingFault | (typeof trainingUploadFaults)[number] | (typeof trainingMissionFaults)[number],
  'none' | 'refuse'
>;

/** Which fault the next request meets: what a test planned, else what the switches say. */
export class FaultPlan {
  readonly #switches: () => TrainingSwitches;
  readonly #planned: { readonly fault: RequestFault; readonly path: string | null; left: number }[] = [];

  constructor(switches: () => TrainingSwitches) {
    this.#switches = switches;
  }

  /** For the next `count` requests, on `path` only when given. What comes back takes the rest back. */
  add(count: number, fault: RequestFault, path: string | null): () => void {
    const plan = { fault, path, left: count };
    this.#planned.push(plan);
    return () => {
      plan.left = 0;
    };
  }

  take(path: string): RequestFault | 'none' {
    const plan = this.#planned.find((candidate) => candidate.left > 0 && (candidate.path ?? path) === path);
    if (plan) {
      plan.left -= 1;
      return plan.fault;
    }
    const { fault, uploadFault, missionFault } = this.#switches();
    // A request that was already on its way when the listener closed.
    if (fault === 'refuse') return 'reset';
    if (fault !== 'none') return fault;
    if (path === paths.storage) return uploadFault;
    return path === paths.approve || path === paths.reject ? missionFault : 'none';
  }
}
