import type { deploymentCheckVerbs } from '../../../../src-preload/contract/index.ts';
import type { AppContext, VerbHandlers } from '../context.ts';
import { DeploymentChecks, type KnownDeployments } from './deploymentChecks.ts';

export { checkDeployment, type DeploymentCheckReport } from './deploymentCheck.ts';
export { deploymentCheckAtStart } from './deploymentChecks.ts';

export function openDeploymentChecks(app: AppContext, known: KnownDeployments) {
  const checks = new DeploymentChecks(app, known);
  app.scope.closing(() => checks.close());
  const verbs: VerbHandlers<typeof deploymentCheckVerbs> = {
    startDeploymentCheck: (order) => checks.start(order),
    cancelDeploymentCheck: () => checks.cancel(),
    dismissDeploymentCheck: () => checks.dismiss(),
    prepareDeploymentCheck: ({ what }) => checks.prepare(what),
  };
  return Object.assign(checks, { verbs });
}
