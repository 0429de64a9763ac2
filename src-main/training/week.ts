import week from '../../build/assets/training/incidents-week.json' with { type: 'json' };
import type { WireIncident } from './incident.ts';

/** The 1,707 incidents of the real week (build/assets/training/README.md) at their own times, oldest first. */
export function realWeek(): WireIncident[] {
  return week.id.map((id, row) => ({
    id,
    incident_type: week.types[week.type[row] ?? 0] ?? '',
    severity: week.severities[week.severity[row] ?? 0] ?? '',
    status: week.statuses[week.status[row] ?? 0] ?? '',
    created_at: new Date(week.createdAt[row] ?? 0).toISOString(),
    evidence_count: week.evidenceCount[row] ?? 0,
    blockchain_records: week.blockchainRecords[row] ?? [],
    location: {
      latitude: week.latitude[row] ?? 0,
      longitude: week.longitude[row] ?? 0,
      altitude: week.altitude[row] ?? 0,
    },
  }));
}
