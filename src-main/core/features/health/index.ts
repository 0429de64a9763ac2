import type { healthVerbs } from '../../../../src-preload/contract/index.ts';
import type { DeploymentContext, VerbHandlers } from '../context.ts';
import { HealthMonitor } from './healthMonitor.ts';

export { healthAtStart } from './healthMonitor.ts';

export function openHealth(context: DeploymentContext) {
  const { on } = context;
  const health = new HealthMonitor(context);
  on('wake', () => void health.checkNow());
  on('tick', () => health.review());
  on('online', (api) => api === 'infrastructure' && health.connectionReturned());
  const verbs: VerbHandlers<typeof healthVerbs> = {
    checkHealth: () => health.checkNow(true),
  };
  return Object.assign(health, { verbs });
}
