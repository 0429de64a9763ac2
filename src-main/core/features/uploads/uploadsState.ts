import type { OutboxState } from '../../../../src-preload/contract/index.ts';

export const outboxAtStart: OutboxState = {
  available: false,
  problem: null,
  revision: 0,
  counts: { receiving: 0, queued: 0, sending: 0, waiting: 0, sent: 0, 'needs-decision': 0, failed: 0 },
  unsent: 0,
  paused: false,
  moving: [],
  uploadToken: 'not-used',
  incidentField: false,
};
