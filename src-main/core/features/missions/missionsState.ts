import type { MissionsState } from '../../../../src-preload/contract/index.ts';

export const missionsAtStart: MissionsState = {
  hasList: false,
  canReject: false,
  takesReason: false,
  blocked: null,
  missions: [],
  withoutId: 0,
  reading: false,
  lastReadAt: null,
  failure: null,
  freshness: 'none',
  audit: { count: 0, state: 'unknown', problem: null },
};
