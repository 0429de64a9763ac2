/** Where an incident occurred (interface: Location). Degrees; altitude in metres above sea level. */
export interface WireLocation {
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude?: number | null;
}

/** One incident as the training service sends it (interface: IncidentResponse). */
export interface WireIncident {
  readonly id: string;
  readonly incident_type: string;
  readonly severity: string;
  readonly status: string;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  readonly evidence_count: number;
  readonly blockchain_records: readonly string[];
  readonly location?: WireLocation | null;
}
