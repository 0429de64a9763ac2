import { EventLog } from './eventLog.ts';
import type { StreamMode } from './eventStream.ts';
import { Evidence } from './evidence.ts';
import { exercise } from './exercise.ts';
import { ExerciseScript } from './exerciseScript.ts';
import { FleetScript } from './fleetScript.ts';
import type { WireIncident } from './incident.ts';
import { Integrations } from './integrations.ts';
import { Missions } from './missions.ts';
import { incidentsWithoutLocation, Script } from './script.ts';
import { Shelf } from './shelf.ts';
import { FileStorage } from './storage.ts';
import type { TrainingOptions } from './trainingServer.ts';
import { realWeek } from './week.ts';

export interface WorldOptions extends Pick<
  TrainingOptions,
  'clock' | 'dataset' | 'exercise' | 'withoutLocation'
> {
  readonly seed: number;
  /** Unix milliseconds without the service's clock offset. */
  readonly now: () => number;
  readonly eventStream: () => StreamMode;
}

/** All that the service knows, and what happens in it by itself; without any way to ask for it. */
export interface World {
  readonly shelf: Shelf;
  /** JSON texts that every list of incidents ends with. */
  readonly strays: string[];
  readonly integrations: Integrations;
  readonly evidence: Evidence;
  readonly storage: FileStorage;
  readonly missions: Missions;
  readonly events: EventLog;
  readonly script: Script;
  readonly fleet: FleetScript;
  /** null where the service tells no exercise. */
  readonly exercise: ExerciseScript | null;
}

export function createWorld(options: WorldOptions): World {
  const { clock, seed, now } = options;
  const located = options.dataset ?? realWeek();
  const withoutLocation = options.withoutLocation ?? (options.dataset ? 0 : 5);
  const told = options.exercise ? exercise(located) : located;
  const incidents = [...told, ...incidentsWithoutLocation(located, withoutLocation, seed)];

  const events = new EventLog({ clock, mode: options.eventStream });
  const shelf = new Shelf({
    incidents,
    newestAt: now(),
    seed,
    onChange: (what, incident) => events.publish(`incident.${what}`, aboutIncident(incident)),
  });
  const evidence = new Evidence({ seed, shelf, events, now, whole: options.exercise ?? false });
  const missions = new Missions({ seed, events, now });
  const integrations = new Integrations();
  const script = new Script({
    clock,
    seed,
    shelf,
    integrations,
    onEvidence: (incidentId) => evidence.collect(incidentId),
    now,
  });
  return {
    shelf,
    strays: [],
    integrations,
    evidence,
    storage: new FileStorage(evidence),
    missions,
    events,
    script,
    fleet: new FleetScript({ clock, seed, missions, events }),
    exercise: options.exercise ? new ExerciseScript({ clock, shelf, evidence, script }) : null,
  };
}

const aboutIncident = ({ id, incident_type, severity, status }: WireIncident) => ({
  incident_id: id,
  incident_type,
  severity,
  status,
});
