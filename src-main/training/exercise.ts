import type { Clock } from '../core/base/ports.ts';
import type { Evidence } from './evidence.ts';
import type { WireIncident } from './incident.ts';
import type { IncidentStore } from './incidentStore.ts';
import type { Script } from './script.ts';

const minute = 60_000;
/** The newest incidents of the week that keep their evidence, and how many pieces each keeps at most. */
const withEvidence = 80;
const mostOfOne = 6;

/** One place with many incidents, which is one mark on the map. */
const depot = { latitude: 48.1502, longitude: 16.4931, altitude: 160 };

interface Situation extends Pick<WireIncident, 'id' | 'incident_type' | 'severity' | 'location'> {
  readonly minutesAgo: number;
  readonly evidence: number;
  readonly resolved?: boolean;
}

const at = (latitude: number, longitude: number, altitude: number) => ({ latitude, longitude, altitude });

/** An invented storm in and around Vienna: what the real week lacks, and an operator must meet. */
const situations: readonly Situation[] = [
  {
    id: 'exercise-collapse',
    incident_type: 'structural collapse',
    severity: 'high',
    location: at(48.2761, 16.2743, 240),
    minutesAgo: 14,
    evidence: 3,
  },
  {
    id: 'exercise-bridge',
    incident_type: 'structural collapse',
    severity: 'critical',
    location: at(48.3805, 16.2102, 170),
    minutesAgo: 52,
    evidence: 4,
  },
  {
    id: 'exercise-flood',
    incident_type: 'flood',
    severity: 'critical',
    location: at(48.4102, 15.6105, 195),
    minutesAgo: 118,
    evidence: 5,
  },
  {
    id: 'exercise-flood-downstream',
    incident_type: 'flood',
    severity: 'high',
    location: at(48.3301, 16.0602, 180),
    minutesAgo: 41,
    evidence: 2,
  },
  {
    id: 'exercise-landslide',
    incident_type: 'landslide',
    severity: 'medium',
    location: at(47.8201, 15.8004, 610),
    minutesAgo: 205,
    evidence: 1,
  },
  {
    id: 'exercise-wildfire',
    incident_type: 'fire',
    severity: 'high',
    location: at(47.8403, 16.1502, 320),
    minutesAgo: 76,
    evidence: 6,
    resolved: true,
  },
  {
    id: 'exercise-power',
    incident_type: 'power outage',
    severity: 'medium',
    location: at(48.2003, 15.6301, 270),
    minutesAgo: 33,
    evidence: 0,
  },
  {
    id: 'exercise-depot-fire',
    incident_type: 'fire',
    severity: 'critical',
    location: depot,
    minutesAgo: 27,
    evidence: 4,
  },
  {
    id: 'exercise-depot-release',
    incident_type: 'chemical release',
    severity: 'high',
    location: depot,
    minutesAgo: 24,
    evidence: 2,
  },
  {
    id: 'exercise-depot-injured',
    incident_type: 'medical',
    severity: 'high',
    location: depot,
    minutesAgo: 19,
    evidence: 0,
  },
  {
    id: 'exercise-depot-road',
    incident_type: 'road blocked',
    severity: 'low',
    location: depot,
    minutesAgo: 16,
    evidence: 1,
  },
  {
    id: 'exercise-depot-alarm',
    incident_type: 'fire',
    severity: 'low',
    location: depot,
    minutesAgo: 64,
    evidence: 0,
    resolved: true,
  },
  {
    id: 'exercise-missing',
    incident_type: 'missing person',
    severity: 'high',
    location: null,
    minutesAgo: 8,
    evidence: 0,
  },
];

/**
 * The given incidents and the situations of the exercise. The given ones count the evidence that the
 * service holds of them: a count without pieces teaches an operator to distrust it.
 */
export function exercise(week: readonly WireIncident[]): WireIncident[] {
  const newest = Date.parse(week.at(-1)?.created_at ?? '');
  const counted = week.map((incident, index) => ({
    ...incident,
    evidence_count: index < week.length - withEvidence ? 0 : Math.min(incident.evidence_count, mostOfOne),
  }));
  return [
    ...counted,
    ...situations.map(({ minutesAgo, evidence, resolved, ...situation }) => ({
      ...situation,
      status: resolved ? 'resolved' : 'open',
      created_at: new Date(newest - minutesAgo * minute).toISOString(),
      evidence_count: evidence,
      blockchain_records: [],
    })),
  ];
}

type ExerciseStep = { readonly afterMs: number } & (
  | {
      readonly kind: 'change';
      readonly id: string;
      readonly change: Partial<Pick<WireIncident, 'severity' | 'status'>>;
    }
  | { readonly kind: 'evidence'; readonly id: string }
  | { readonly kind: 'arrival'; readonly incident: Partial<WireIncident> }
);

/** What happens while an operator looks, each step so long after the one before. */
const exerciseSteps: readonly ExerciseStep[] = [
  { afterMs: 40_000, kind: 'change', id: 'exercise-collapse', change: { severity: 'critical' } },
  { afterMs: 20_000, kind: 'evidence', id: 'exercise-collapse' },
  {
    afterMs: 30_000,
    kind: 'arrival',
    incident: {
      id: 'exercise-depot-explosion',
      incident_type: 'explosion',
      severity: 'critical',
      location: depot,
    },
  },
  { afterMs: 30_000, kind: 'change', id: 'exercise-power', change: { status: 'resolved' } },
];

/** Runs the steps of the exercise once. Switched off it waits, and continues from there. */
export class ExerciseScript {
  readonly #clock: Clock;
  readonly #incidents: IncidentStore;
  readonly #evidence: Evidence;
  readonly #script: Script;
  #next = 0;
  #cancel = (): void => undefined;

  constructor(clock: Clock, incidents: IncidentStore, evidence: Evidence, script: Script) {
    this.#clock = clock;
    this.#incidents = incidents;
    this.#evidence = evidence;
    this.#script = script;
  }

  set(on: boolean): void {
    this.#cancel();
    if (on) this.#arm();
  }

  #arm(): void {
    const step = exerciseSteps[this.#next];
    if (!step) return;
    this.#cancel = this.#clock.schedule(step.afterMs, () => {
      this.#next += 1;
      this.#take(step);
      this.#arm();
    });
  }

  #take(step: ExerciseStep): void {
    switch (step.kind) {
      case 'change':
        this.#incidents.change(step.id, step.change);
        return;
      case 'evidence':
        this.#evidence.add({ incident_id: step.id });
        return;
      case 'arrival':
        this.#script.addIncident(step.incident);
        return;
    }
  }
}
