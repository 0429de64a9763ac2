import type { TrainingSwitches } from '../../src-preload/contract/index.ts';
import type { EventLog } from './eventLog.ts';
import type { WireIncident } from './incident.ts';
import type { IncidentStore } from './incidentStore.ts';
import type { Missions } from './missions.ts';
import { seeded } from './seeded.ts';
import type { WorldOptions } from './worldOptions.ts';

/** How many drones fly, and how often each says where it is, milliseconds. */
const fleets = { some: { count: 8, everyMs: 2_000 }, many: { count: 1_000, everyMs: 200 } } as const;
/** The last drone of some is silent for so long in every period: an operator must meet one that is. */
const silence = { periodMs: 360_000, afterMs: 240_000 };
const mostCentres = 40;
const metresOfDegree = 111_320;

/** A way around an incident: a ring with lobes, so that a heading is not a mere turning. */
interface Flight {
  readonly id: string;
  readonly missionId: string | null;
  readonly incident: WireIncident & { readonly location: NonNullable<WireIncident['location']> };
  readonly radiusM: number;
  readonly lobes: number;
  readonly phase: number;
  /** Metres a second; below 0 the other way round. */
  readonly speed: number;
  readonly heightM: number;
}

/** Drones that fly around incidents and say where they are. The first of them are those that the pending missions name. */
export class Flights {
  readonly #options: WorldOptions;
  readonly #incidents: IncidentStore;
  readonly #missions: Missions;
  readonly #events: EventLog;
  #flights: readonly Flight[] = [];
  #cancel = (): void => undefined;

  constructor(options: WorldOptions, incidents: IncidentStore, missions: Missions, events: EventLog) {
    this.#options = options;
    this.#incidents = incidents;
    this.#missions = missions;
    this.#events = events;
  }

  set(drones: TrainingSwitches['drones']): void {
    this.#cancel();
    if (drones === 'none') return;
    const { count, everyMs } = fleets[drones];
    this.#flights = this.#planned(count);
    const { clock } = this.#options;
    const fly = (): void => {
      this.#cancel = clock.schedule(everyMs, fly);
      this.#report(drones === 'some');
    };
    fly();
  }

  #planned(count: number): Flight[] {
    const draw = seeded(this.#options.seed, 'flights');
    const near = centres(this.#incidents);
    if (near.length === 0) return [];
    const asked = [...this.#missions.all()].flatMap(([missionId, { state, drone }]) =>
      state === 'pending' && typeof drone === 'string' ? [{ missionId, drone }] : [],
    );
    const ids = new Map(asked.map(({ missionId, drone }) => [drone, missionId] as const));
    const named = [...ids.keys()].slice(0, count >> 1);
    for (let number = 1; named.length < count; number += 1) {
      const id = `drone-${String(number).padStart(2, '0')}`;
      if (!named.includes(id)) named.push(id);
    }
    return named.map((id, index) => {
      const incident = near[index % near.length] ?? draw.pick(near as [Flight['incident']]);
      return {
        id,
        missionId: ids.get(id) ?? null,
        incident,
        radiusM: 250 + draw.below(1_200),
        lobes: 2 + draw.below(3),
        phase: draw.next() * 2 * Math.PI,
        speed: (6 + draw.next() * 12) * (draw.below(2) === 0 ? 1 : -1),
        heightM: 40 + draw.below(80),
      };
    });
  }

  #report(oneIsSilent: boolean): void {
    const elapsed = this.#options.clock.elapsed();
    const quiet = oneIsSilent && elapsed % silence.periodMs >= silence.afterMs;
    const flying = quiet ? this.#flights.slice(0, -1) : this.#flights;
    for (const flight of flying)
      this.#events.publish('fleet.telemetry', telemetryOf(flight, elapsed / 1_000));
  }
}

type Centre = Flight['incident'];

/** The newest incidents that are open and have a place. */
function centres(incidents: IncidentStore): Centre[] {
  const found: Centre[] = [];
  for (let index = incidents.size - 1; index >= 0 && found.length < mostCentres; index -= 1) {
    const incident = incidents.at(index);
    const location = incident?.location;
    if (incident && location && incident.status === 'open') found.push({ ...incident, location });
  }
  return found;
}

/** An event as a fleet may send it (interface: Events; its shape is not specified). */
function telemetryOf(flight: Flight, seconds: number) {
  const { id, missionId, incident, heightM, speed } = flight;
  const here = placeOf(flight, seconds);
  const next = placeOf(flight, seconds + 1);
  const heading = (Math.atan2(next.east - here.east, next.north - here.north) * 180) / Math.PI;
  const { latitude, longitude, altitude } = incident.location;
  const ofLongitude = metresOfDegree * Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
  return {
    drone_id: id,
    ...(missionId === null ? {} : { mission_id: missionId }),
    incident_id: incident.id,
    telemetry: {
      latitude: round(latitude + here.north / metresOfDegree, 6),
      longitude: round(((longitude + here.east / ofLongitude + 540) % 360) - 180, 6),
      // An earthquake lies deep below: a drone flies over the ground.
      altitude: round(Math.max(0, altitude ?? 0) + heightM, 1),
      heading: round((heading + 360) % 360, 1),
      speed: round(Math.abs(speed), 1),
    },
  };
}

/** Metres from the incident. */
function placeOf(
  { radiusM, lobes, phase, speed }: Flight,
  seconds: number,
): { readonly north: number; readonly east: number } {
  const angle = phase + (speed / radiusM) * seconds;
  const distance = radiusM * (1 + 0.35 * Math.sin(lobes * angle));
  return { north: distance * Math.cos(angle), east: distance * Math.sin(angle) };
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
