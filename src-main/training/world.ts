import week from '../../build/assets/training/incidents-week.json' with { type: 'json' };
import { EventLog } from './eventLog.ts';
import { Evidence } from './evidence.ts';
import { ExerciseScript } from './exercise.ts';
import { Flights } from './flights.ts';
import type { WireIncident } from './incident.ts';
import { IncidentStore } from './incidentStore.ts';
import { Integrations } from './integrations.ts';
import { Missions } from './missions.ts';
import { FleetScript, Script } from './script.ts';
import { FileStorage } from './storage.ts';
import type { WorldOptions } from './worldOptions.ts';

/** The data of the service, and its automatic events; without an interface for clients. */
export interface World {
  readonly incidents: IncidentStore;
  readonly integrations: Integrations;
  readonly evidence: Evidence;
  readonly storage: FileStorage;
  readonly missions: Missions;
  readonly events: EventLog;
  readonly script: Script;
  readonly fleet: FleetScript;
  readonly flights: Flights;
  /** null where the service tells no exercise. */
  readonly exercise: ExerciseScript | null;
}

export function createWorld(options: WorldOptions): World {
  const events = new EventLog(options.clock, options.eventStream);
  const incidents = new IncidentStore(options, (what, incident) =>
    events.publish(`incident.${what}`, aboutIncident(incident)),
  );
  const evidence = new Evidence(options, incidents, events);
  const missions = new Missions(options, events);
  const integrations = new Integrations();
  const script = new Script(options, incidents, integrations, evidence);
  return {
    incidents,
    integrations,
    evidence,
    storage: new FileStorage(evidence),
    missions,
    events,
    script,
    fleet: new FleetScript(options, missions, events),
    flights: new Flights(options, incidents, missions, events),
    exercise: options.exercise ? new ExerciseScript(options.clock, incidents, evidence, script) : null,
  };
}

const aboutIncident = ({ id, incident_type, severity, status }: WireIncident) => ({
  incident_id: id,
  incident_type,
  severity,
  status,
});

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
