import type { TrainingSwitches } from '../../src-preload/contract/index.ts';

/** The switches at start; see contract/state.ts for units. */
export const initialSwitches: TrainingSwitches = {
  tokenLifetimeSeconds: 3600,
  clockOffsetMs: 0,
  pageLimit: 200,
  pageLimitEnforced: false,
  order: 'newest-first',
  timestampUnit: 'seconds',
  latencyMs: 0,
  fault: 'none',
  accountRevoked: false,
  incidentScope: true,
  wrapWithCursor: false,
  arrivals: true,
  integrationScript: true,
  evidenceScope: true,
  evidenceWithCursor: true,
  uploadFault: 'none',
  cutAfterBytes: 0,
  missionScope: true,
  missionFault: 'none',
  missionListLagMs: 0,
  eventStream: 'steady',
  gatewayFault: 'none',
};
