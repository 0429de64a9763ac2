import type { Deployment } from '../features/deployments/schema.ts';
import type { TrainingControl } from './app.ts';
import type { DeploymentPlan } from './deployment.ts';

export const trainingId = 'training';

/** What a deployment scope on the embedded deployment is made from. */
export function trainingPlan(training: TrainingControl): DeploymentPlan {
  const { infrastructureUrl, coordinationUrl } = training;
  return {
    id: trainingId,
    name: 'Training',
    // Its addresses, its account and its incidents are new at each start: there is nothing to come back to.
    kept: false,
    address: {
      infrastructureUrl,
      coordinationUrl,
      loginPath: '/login',
      ca: null,
      proxy: null,
      attemptTimeoutMs: 15_000,
      totalTimeoutMs: 45_000,
    },
    unit: 'seconds',
    healthFields: { aiAnalysis: 'ai_analysis', ipfsPinning: 'ipfs_pinning', ledger: 'ledger' },
    incidentsMs: 15_000,
    healthMs: 15_000,
    requestsPerMinute: 3_000,
    retention: { days: null, incidents: 1_000_000, notReturnedDays: 30 },
    severities: null,
    closedStatuses: [],
    account: {
      evidencePath: '/evidence',
      upload: {
        path: '/storage',
        field: 'file',
        cidField: 'cid',
        fields: {},
        incidentField: 'incident_id',
        separateSignIn: false,
      },
      missions: {
        approvePath: '/admin/missions/approve',
        rejectPath: '/admin/missions/reject',
        pendingPath: '/admin/missions/pending',
        idField: 'mission_id',
      },
      eventsPath: '/events',
      eventsMs: 90_000,
      listMs: 15_000,
      gateways: training.gatewayUrl === undefined ? [] : [training.gatewayUrl],
      evidencePreview: 'ask',
      evidenceCache: 2 ** 30,
    },
  };
}

/** What a deployment scope on a deployment is made from; `ca` is the text of its private CA file. */
export function deploymentPlan(deployment: Deployment, ca: string | null): DeploymentPlan {
  const { id, name, infrastructureUrl, coordinationUrl, loginPath, proxy, timeouts, pollIntervals } =
    deployment;
  const { sync, retention, evidencePath, upload, missions, eventsPath, gateways } = deployment;
  const { evidencePreview, evidenceCache } = deployment;
  return {
    id,
    name,
    kept: true,
    address: {
      infrastructureUrl,
      coordinationUrl,
      loginPath,
      ca,
      proxy,
      attemptTimeoutMs: timeouts.attemptMs,
      totalTimeoutMs: timeouts.totalMs,
    },
    unit: deployment.timestampUnit,
    healthFields: deployment.health,
    incidentsMs: pollIntervals.incidentsMs,
    healthMs: pollIntervals.healthMs,
    requestsPerMinute: sync.requestsPerMinute,
    retention,
    severities: deployment.severities,
    closedStatuses: deployment.closedStatuses,
    account: {
      evidencePath,
      upload,
      missions,
      eventsPath,
      eventsMs: timeouts.eventsMs,
      listMs: pollIntervals.incidentsMs,
      gateways,
      evidencePreview,
      evidenceCache,
    },
  };
}
