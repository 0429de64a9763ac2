import type {
  ConsoleState,
  DeploymentSummary,
  TrainingSwitches,
} from '../../../../src-preload/contract/index.ts';
import { hostOf } from '../../base/origins.ts';
import { deploymentFileSchema, type Deployment } from '../deployments/index.ts';

/** The embedded training deployment, for the core. */
export interface TrainingControl {
  readonly infrastructureUrl: string;
  readonly coordinationUrl: string;
  /** The address of its gateway for evidence; absent where it has none. */
  readonly gatewayUrl?: string;
  readonly credentials: { readonly username: string; readonly password: string };
  switches(): TrainingSwitches;
  set(change: Partial<TrainingSwitches>): Promise<void>;
}

export const trainingId = 'training';

/**
 * The embedded service as a deployment file describes it, for the deployment check. Its addresses are valid until the
 * console ends.
 */
export const trainingFile = ({ infrastructureUrl, coordinationUrl }: TrainingControl): Deployment =>
  deploymentFileSchema.parse({
    // A deployment file must not use training's id.
    id: 'practice',
    ...{ version: 1, name: 'Training', infrastructureUrl, coordinationUrl, timestampUnit: 'seconds' },
    health: { aiAnalysis: 'ai_analysis', ipfsPinning: 'ipfs_pinning', ledger: 'ledger' },
    upload: { incidentField: 'incident_id' },
    missions: {
      rejectPath: '/admin/missions/reject',
      pendingPath: '/admin/missions/pending',
      reasonField: 'reason',
    },
    eventsPath: '/events',
  });

/** The embedded deployment for its scope, with what follows from a service on this computer. */
export const trainingDeployment = (training: TrainingControl): Deployment => {
  const file = trainingFile(training);
  return {
    ...file,
    id: trainingId,
    sync: { ...file.sync, requestsPerMinute: 3_000 },
    gateways: training.gatewayUrl === undefined ? [] : [training.gatewayUrl],
    evidenceCache: 2 ** 30,
  };
};

export const trainingState = (training: TrainingControl): ConsoleState['training'] => ({
  credentials: { ...training.credentials },
  switches: { ...training.switches() },
});

export const trainingSummary = (training: TrainingControl): DeploymentSummary => ({
  id: trainingId,
  name: 'Training',
  infrastructureHost: hostOf(training.infrastructureUrl),
  coordinationHost: hostOf(training.coordinationUrl),
  source: 'training',
});
