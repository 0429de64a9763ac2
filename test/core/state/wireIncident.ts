/** An incident as the service sends it (interface: IncidentResponse). */
export const wireIncident = (id: string, createdAt = '2026-11-20T12:00:00Z') => ({
  id,
  incident_type: 'fire',
  severity: 'high',
  status: 'open',
  created_at: createdAt,
  evidence_count: 2,
  blockchain_records: [] as string[],
  location: { latitude: 10, longitude: 20 } as object | null,
});
