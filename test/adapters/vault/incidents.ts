import type { StoredIncident } from '../../../src-main/core/state/incidentCache.ts';

export const now = Date.UTC(2026, 10, 20, 12);

/** The same incident for the same number; `change` tells its versions apart. */
export const incident = (index: number, change: Partial<StoredIncident> = {}): StoredIncident => ({
  record: {
    id: `secret-incident-${String(index).padStart(6, '0')}`,
    incidentType: index % 2 === 0 ? 'wildfire-type' : 'flood-type',
    severity: 'severity-seven',
    status: 'status-open',
    createdAtText: '2026-11-20T10:00:00.125Z',
    createdAt: Date.UTC(2026, 10, 20, 10) + index,
    evidenceCount: index % 7,
    blockchainRecords: index % 3 === 0 ? [`0xledger${String(index)}`] : [],
    location: index % 5 === 0 ? null : { latitude: 1.25 + index / 1e4, longitude: -71.5, altitude: null },
    otherFields: index % 11 === 0 ? [{ name: 'crew', json: '{"lead":"Über \\u2028 \\n"}' }] : [],
    unreadable: index % 13 === 0 ? [{ name: 'severity', json: null }] : [],
  },
  firstSeenAt: now - 1000,
  lastSeenAt: now,
  arrivedAt: 0,
  notReturnedSince: null,
  ...change,
});

export const incidents = (count: number, from = 0): StoredIncident[] =>
  Array.from({ length: count }, (_, index) => incident(from + index));
