import { droneGoneMs, mostDrones, type DronesRead } from '../../../../src-preload/contract/index.ts';
import type { DroneEvent } from './droneEvent.ts';
import type { DronePosition } from './positionReader.ts';
import { Trail } from './trail.ts';

export interface Drone {
  readonly id: string;
  readonly trail: Trail;
  position: DronePosition;
  event: DroneEvent;
  /** Server time, Unix milliseconds. */
  at: number;
  /** `Clock.elapsed()` when its last position was taken, or came where it does not say. */
  heardAt: number;
  /** The number of its positions. */
  version: number;
}

/** The most drones in one answer. The page asks for the others. */
const mostInAnswer = 1_000;
const mostPointsInAnswer = 20_000;
/**
 * How many names of forgotten drones are stored, for pages that read rarely. A page that is further behind reads all
 * drones.
 */
const mostGone = 1_000;

/**
 * The known drones, in memory only. Each change has a version, so that a page asks only for changes after its own.
 * Bounded: with more drones than `mostDrones`, the one with the oldest position is forgotten.
 */
export class DroneTable {
  /** In the order of their last positions, the latest last. */
  readonly #drones = new Map<string, Drone>();
  #gone: { readonly id: string; readonly version: number }[] = [];
  /** Up to this version, the names of forgotten drones are incomplete. */
  #goneBefore: number;
  #version: number;
  #forgotten = 0;
  readonly #onGone: (ids: readonly string[]) => void;

  /**
   * Versions continue after `version`, which pages may have read before. `onGone`: these drones were forgotten.
   */
  constructor(version: number, onGone: (ids: readonly string[]) => void) {
    this.#version = version;
    this.#goneBefore = version;
    this.#onGone = onGone;
  }

  get version(): number {
    return this.#version;
  }

  get size(): number {
    return this.#drones.size;
  }

  /** How many were forgotten because there were too many. */
  get forgotten(): number {
    return this.#forgotten;
  }

  get(id: string): Drone | undefined {
    return this.#drones.get(id);
  }

  values(): Iterable<Drone> {
    return this.#drones.values();
  }

  take(position: DronePosition, event: DroneEvent, at: number, heardAt: number): void {
    const { id } = position;
    const known = this.#drones.get(id);
    const version = (this.#version += 1);
    const drone = known ?? { id, trail: new Trail(), position, event, at, heardAt, version };
    drone.version = version;
    // A position that was taken earlier arrived late.
    if (at >= drone.at) {
      drone.heardAt = heardAt;
      drone.event = event;
      drone.position = position;
      drone.at = at;
      drone.trail.add({ at, latitude: position.latitude, longitude: position.longitude }, version);
    }
    this.#drones.delete(id);
    this.#drones.set(id, drone);
    if (this.#drones.size > mostDrones) this.#dropOldest();
  }

  /** Forgets drones without a position for too long. */
  forget(now: number): void {
    const over = [...this.#drones.values()].filter(({ at }) => now - at >= droneGoneMs).map(({ id }) => id);
    for (const id of over) this.#drop(id);
    if (over.length > 0) this.#onGone(over);
  }

  /** The changes after a version. All drones for null, and for a version that is too old to name the changes. */
  read(since: number | null): DronesRead {
    const complete = since === null || since < this.#goneBefore || since > this.#version;
    const from = complete ? -1 : since;
    const changed = [...this.#drones.values()].filter(({ version }) => version > from);
    changed.sort((a, b) => a.version - b.version);
    const drones: Drone[] = [];
    const trail: DronesRead['trail'] = { drones: [], latitudes: [], longitudes: [], at: [] };
    for (const drone of changed) {
      if (drones.length === mostInAnswer || trail.at.length >= mostPointsInAnswer) break;
      for (const { at, latitude, longitude } of drone.trail.since(from)) {
        trail.drones.push(drones.length);
        trail.latitudes.push(latitude);
        trail.longitudes.push(longitude);
        trail.at.push(at);
      }
      drones.push(drone);
    }
    const more = drones.length < changed.length;
    const version = more ? (drones.at(-1)?.version ?? this.#version) : this.#version;
    const gone = complete ? [] : this.#gone.filter((one) => one.version > from && one.version <= version);
    return {
      version,
      complete,
      more,
      ids: drones.map(({ id }) => id),
      latitudes: drones.map(({ position }) => position.latitude),
      longitudes: drones.map(({ position }) => position.longitude),
      altitudes: drones.map(({ position }) => position.altitude),
      headings: drones.map(({ position }) => position.heading),
      speeds: drones.map(({ position }) => position.speed),
      at: drones.map(({ at }) => at),
      missionIds: drones.map(({ event }) => event.missionId),
      incidentIds: drones.map(({ event }) => event.incidentId),
      trail,
      // A drone that was forgotten and came back is not gone.
      gone: [...new Set(gone.map(({ id }) => id))].filter((id) => !this.#drones.has(id)),
    };
  }

  #dropOldest(): void {
    const [oldest] = this.#drones.keys();
    if (oldest === undefined) return;
    this.#drop(oldest);
    this.#onGone([oldest]);
    this.#forgotten += 1;
  }

  #drop(id: string): void {
    this.#drones.delete(id);
    this.#version += 1;
    this.#gone.push({ id, version: this.#version });
    if (this.#gone.length < 2 * mostGone) return;
    // In batches: removing the first entry of a list moves all others.
    this.#goneBefore = this.#gone.at(-mostGone - 1)?.version ?? this.#version;
    this.#gone = this.#gone.slice(-mostGone);
  }
}
