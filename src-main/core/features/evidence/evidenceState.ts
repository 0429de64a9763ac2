import type { EvidenceState } from '../../../../src-preload/contract/index.ts';

export const evidenceAtStart: EvidenceState = {
  revision: 0,
  count: 0,
  withoutCid: 0,
  unreadable: 0,
  complete: false,
  reading: false,
  lastReadAt: null,
  failure: null,
  freshness: 'none',
  gateways: [],
  verifications: [],
};
