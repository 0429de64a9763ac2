import { trailMs, trailPoints, type DronesRead } from '../../src-preload/contract/index.ts';

type Place = readonly [longitude: number, latitude: number];

/** A drone as its last position says; replaced whole with the next one. */
export interface Drone {
  readonly id: string;
  readonly longitude: number;
  readonly latitude: number;
  /** As it came: its unit is not specified. */
  readonly altitude: number | null;
  /** Degrees clockwise from north. */
  readonly heading: number | null;
  /** As it came: its unit is not specified. */
  readonly speed: number | null;
  /** Of the last position, server time in Unix ms. */
  readonly at: number;
  /** How many positions have come of it. */
  readonly missionId: string | null;
  readonly incidentId: string | null;
  /** Where it was, the oldest first; another array once it has changed. */
  readonly trail: readonly Place[];
}

interface Held {
  readonly drone: Drone;
  /** Server time of each point of the trail. */
  readonly trailAt: readonly number[];
}

/** The drones that the console knows, outside of Vue's reactivity: they change many times a second. */
export class DroneTable {
  #held = new Map<string, Held>();

  get size(): number {
    return this.#held.size;
  }

  get(id: string): Drone | undefined {
    return this.#held.get(id)?.drone;
  }

  *all(): Generator<Drone> {
    for (const { drone } of this.#held.values()) yield drone;
  }

  clear(): void {
    this.#held.clear();
  }

  /** Takes over what changed. @returns whether other drones are known than before. */
  apply(read: DronesRead): boolean {
    const before = this.#held;
    if (read.complete) this.#held = new Map();
    const grown = pointsOf(read);
    let others = read.complete && read.ids.length !== before.size;
    for (const [at, id] of read.ids.entries()) {
      others ||= !before.has(id);
      this.#held.set(id, heldAt(read, at, this.#held.get(id), grown.get(at)));
    }
    for (const id of read.gone) others = this.#held.delete(id) || others;
    return others;
  }
}

interface Points {
  readonly places: Place[];
  readonly at: number[];
}

/** The new points of the trails, by the place of their drone. */
function pointsOf({ trail }: DronesRead): ReadonlyMap<number, Points> {
  const points = new Map<number, Points>();
  for (const [at, drone] of trail.drones.entries()) {
    let own = points.get(drone);
    if (own === undefined) points.set(drone, (own = { places: [], at: [] }));
    own.places.push([trail.longitudes[at] ?? 0, trail.latitudes[at] ?? 0]);
    own.at.push(trail.at[at] ?? 0);
  }
  return points;
}

function heldAt(read: DronesRead, at: number, before: Held | undefined, grown: Points | undefined): Held {
  const seenAt = read.at[at] ?? 0;
  const { places, trailAt } = trailOf(before, grown, seenAt);
  return {
    trailAt,
    drone: {
      id: read.ids[at] ?? '',
      longitude: read.longitudes[at] ?? 0,
      latitude: read.latitudes[at] ?? 0,
      altitude: read.altitudes[at] ?? null,
      heading: read.headings[at] ?? null,
      speed: read.speeds[at] ?? null,
      at: seenAt,
      missionId: read.missionIds[at] ?? null,
      incidentId: read.incidentIds[at] ?? null,
      trail: places,
    },
  };
}

/** What is new behind what was, without what is too old or too much; the same array while nothing changes. */
function trailOf(
  before: Held | undefined,
  grown: Points | undefined,
  now: number,
): { readonly places: readonly Place[]; readonly trailAt: readonly number[] } {
  const known = { places: before?.drone.trail ?? [], trailAt: before?.trailAt ?? [] };
  const trailAt = grown === undefined ? known.trailAt : [...known.trailAt, ...grown.at];
  const young = trailAt.findIndex((at) => now - at <= trailMs);
  const first = Math.max(young < 0 ? trailAt.length : young, trailAt.length - trailPoints);
  if (grown === undefined && first === 0) return known;
  const places = grown === undefined ? known.places : [...known.places, ...grown.places];
  return { places: places.slice(first), trailAt: trailAt.slice(first) };
}
