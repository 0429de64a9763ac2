import week from '../../build/assets/training/incidents-week.json' with { type: 'json' };
import { EventLog } from './eventLog.ts';
import type { StreamMode } from './eventStream.ts';
import { Evidence } from './evidence.ts';
import { exercise, ExerciseScript } from './exercise.ts';
import { Flights } from './flights.ts';
import type { WireIncident } from './incident.ts';
import { IncidentStore } from './incidentStore.ts';
import { Integrations } from './integrations.ts';
import { Missions } from './missions.ts';
import { FleetScript, incidentsWithoutLocation, Script } from './script.ts';
import { FileStorage } from './storage.ts';
import type { TrainingOptions } from './trainingServer.ts';

export interface WorldOptions extends Pick<
  TrainingOptions,
  'clock' | 'dataset' | 'exercise' | 'withoutLocation'
> {
  readonly seed: number;
  /** Unix milliseconds without the service's clock offset. */
  readonly now: () => number;
  readonly eventStream: () => StreamMode;
}

/** The data of the service, and its automatic events; without an interface for clients. */
export interface World {
  readonly incidents: IncidentStore;
  /** JSON texts that every list of incidents ends with. */
  readonly strays: string[];
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
  const { clock, seed, now } = options;
  const located = options.dataset ?? realWeek();
  const withoutLocation = options.withoutLocation ?? (options.dataset ? 0 : 5);
  const told = options.exercise ? exercise(located) : located;
  const atStart = [...told, ...incidentsWithoutLocation(located, withoutLocation, seed)];

  const events = new EventLog({ clock, mode: options.eventStream });
  const incidents = new IncidentStore({
    incidents: atStart,
    newestAt: now(),
    seed,
    onChange: (what, incident) => events.publish(`incident.${what}`, aboutIncident(incident)),
  });
  const evidence = new Evidence({ seed, incidents, events, now, whole: options.exercise ?? false });
  const missions = new Missions({ seed, events, now });
  const integrations = new Integrations();
  const script = new Script({
    clock,
    seed,
    incidents,
    integrations,
    onEvidence: (incidentId) => evidence.collect(incidentId),
    now,
  });
  return {
    incidents,
    strays: [],
    integrations,
    evidence,
    storage: new FileStorage(evidence),
    missions,
    events,
    script,
    fleet: new FleetScript({ clock, seed, missions, events }),
    flights: new Flights({ clock, seed, incidents, missions, events }),
    exercise: options.exercise ? new ExerciseScript({ clock, incidents, evidence, script }) : null,
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
