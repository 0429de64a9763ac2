import { isObject, ownValue, type JsonObject } from '../../base/json.ts';
import { readInstant } from '../../base/timestamp.ts';

/** The fields of a position in an event, as names with dots between those of nested objects. */
export interface PositionFields {
  readonly id: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly altitude?: string | undefined;
  readonly heading?: string | undefined;
  readonly speed?: string | undefined;
  readonly at?: string | undefined;
}

/** Which events are positions (deployment key `positions`). */
export type PositionRule = 'auto' | 'off' | PositionFields;

/** The part of an event that decides whether it is a position. */
export interface PositionEvent {
  readonly kind: string;
  /** Its JSON value; undefined when it is not JSON. */
  readonly payload: unknown;
  readonly knowsIncident: (id: string) => boolean;
}

export interface DronePosition {
  readonly id: string;
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** As they came: the specification gives no units. */
  readonly altitude: number | null;
  readonly speed: number | null;
  /** Degrees clockwise from north, below 360. */
  readonly heading: number | null;
  /** When it was measured, Unix milliseconds, where the deployment names a field for that. */
  readonly takenAt: number | null;
}

const longestId = 128;

const drones = ['drone_id', 'droneId', 'drone', 'vehicle_id'] as const;
const places = ['location', 'position', 'telemetry'] as const;
/** Such an event has a place too, but not the present place of a drone. */
const kindOfSomethingElse = /incident|evidence|mission/i;
const fieldsOfSomethingElse = ['incident_type', 'cid'] as const;

/**
 * Reads where a drone is from an event. Null for an event that does not say so beyond doubt, since the specification
 * gives neither kinds nor payloads (interface: Events).
 */
export function readPosition(event: PositionEvent, rule: PositionRule): DronePosition | null {
  if (rule === 'off' || !isObject(event.payload)) return null;
  return rule === 'auto' ? readPlain(event.payload, event) : readNamed(event.payload, rule);
}

function readPlain(payload: JsonObject, { kind, knowsIncident }: PositionEvent): DronePosition | null {
  if (kindOfSomethingElse.test(kind)) return null;
  if (fieldsOfSomethingElse.some((name) => Object.hasOwn(payload, name))) return null;
  for (const place of [payload, ...places.map((name) => ownValue(payload, name))]) {
    if (!isObject(place)) continue;
    const at = pairOf(ownValue(place, 'latitude'), ownValue(place, 'longitude'));
    if (at === null) continue;
    const id = plainId(payload, place);
    // The name `id` alone may mean anything.
    if (id === null || knowsIncident(id)) return null;
    const number = (name: string): number | null =>
      finite(ownValue(place, name)) ?? finite(ownValue(payload, name));
    return {
      id,
      ...at,
      altitude: number('altitude'),
      speed: number('speed'),
      heading: headingOf(number('heading')),
      takenAt: null,
    };
  }
  return null;
}

/** A more specific name comes before `id`, wherever it is. */
function plainId(payload: JsonObject, place: JsonObject): string | null {
  for (const name of [...drones, 'id']) {
    const id = idOf(ownValue(payload, name)) ?? idOf(ownValue(place, name));
    if (id !== null) return id;
  }
  return null;
}

function readNamed(payload: JsonObject, fields: PositionFields): DronePosition | null {
  const value = (path: string | undefined): unknown =>
    path === undefined ? undefined : valueAt(payload, path);
  const id = idOf(value(fields.id));
  const at = pairOf(value(fields.latitude), value(fields.longitude));
  if (id === null || at === null) return null;
  return {
    id,
    ...at,
    altitude: finite(value(fields.altitude)),
    speed: finite(value(fields.speed)),
    heading: headingOf(finite(value(fields.heading))),
    takenAt: readInstant(value(fields.at)),
  };
}

function valueAt(payload: JsonObject, path: string): unknown {
  let value: unknown = payload;
  for (const name of path.split('.')) {
    if (!isObject(value)) return undefined;
    value = ownValue(value, name);
  }
  return value;
}

/** A receiver without a fix reports 0,0, which is open sea. */
function pairOf(latitude: unknown, longitude: unknown): { latitude: number; longitude: number } | null {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return null;
  return latitude === 0 && longitude === 0 ? null : { latitude, longitude };
}

/** A text without control characters, or a whole number. */
function idOf(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text.trim() === '' || text.length > longestId) return null;
  return /\p{Cc}/u.test(text) ? null : text.toWellFormed();
}

const finite = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const headingOf = (degrees: number | null): number | null =>
  degrees !== null && degrees >= 0 && degrees <= 360 ? degrees % 360 : null;
