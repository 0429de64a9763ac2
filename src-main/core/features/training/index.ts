import type { Failure } from '../../../../src-preload/contract/index.ts';
import { nameOf } from '../../base/errors.ts';
import { makeFailure, type Refusal } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { BasePorts } from '../../base/ports.ts';
import type { DeploymentRegistry, NamedDeployment } from '../deployments/index.ts';
import type { Policy } from '../policy/index.ts';
import type { TrainingControl } from './training.ts';

export {
  trainingDeployment,
  trainingFile,
  trainingId,
  trainingState,
  trainingSummary,
  type TrainingControl,
} from './training.ts';

/** What decides whether the console opens the embedded training deployment. */
export interface TrainingOptions {
  /** Deployment files named on the command line or in the environment, in that order. */
  readonly named: readonly NamedDeployment[];
  /** Called only when no deployment was named and none is known, or when `forceTraining` is set. */
  readonly startTraining: () => Promise<TrainingControl>;
  readonly forceTraining: boolean;
  /** A problem from before the start of the console, shown on the sign-in page. */
  readonly problem: Failure | null;
  readonly policy: Policy;
}

/**
 * Training is for a console without any deployment. A console whose named deployment cannot be used, or whose known
 * deployments cannot be read, must not open practice data: its operator would mistake them for real data.
 */
export async function startTrainingIfMeant(
  { clock, logger }: Pick<BasePorts, 'clock' | 'logger'>,
  { named, policy: { deployments }, problem, forceTraining, startTraining }: TrainingOptions,
  registry: DeploymentRegistry,
): Promise<{ readonly training: TrainingControl | null; readonly problem: Failure | null }> {
  const without = (refusal: Refusal) => ({
    training: null,
    problem: makeFailure({ ...refusal, at: clock.wallNow() }),
  });
  const nothingElse = named.length === 0 && registry.isEmpty && registry.problem === null && problem === null;
  const allowed = deployments.kind === 'any' || (deployments.kind === 'listed' && deployments.training);
  if (!allowed && forceTraining)
    return without({ code: 'policy-forbids', sentence: message('training.forbidden') });
  const meant = forceTraining || deployments.kind === 'listed' || nothingElse;
  if (!allowed || !meant) return { training: null, problem: null };
  try {
    return { training: await startTraining(), problem: null };
  } catch (error) {
    logger.error('training-not-started', { error: nameOf(error) });
    return without({ code: 'internal', sentence: message('training.notStarted') });
  }
}
