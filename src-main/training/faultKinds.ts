import type {
  trainingFaults,
  trainingMissionFaults,
  trainingUploadFaults,
} from '../../src-preload/contract/index.ts';

export type TrainingFault = (typeof trainingFaults)[number];

/** Faults of one request; a refused connection is the listener's and has no request. */
export type RequestFault = Exclude<
  TrainingFault | (typeof trainingUploadFaults)[number] | (typeof trainingMissionFaults)[number],
  'none' | 'refuse'
>;
