import { isObject, ownValue, type JsonObject } from '../../base/json.ts';
import { mostFields } from '../../base/shownFields.ts';
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
  /** When it was measured, Unix milliseconds; null where the event does not say. */
  readonly takenAt: number | null;
}

const longestId = 128;

const drones = ['drone_id', 'droneId', 'drone', 'vehicle_id'] as const;
const places = ['location', 'position', 'telemetry'] as const;
/** Usual names of the time of a measurement, the most specific first. */
const times = [
  ...['captured_at', 'recorded_at', 'measured_at', 'observed_at', 'sampled_at', 'fix_time', 'gps_time'],
  ...['timestamp', 'time', 'datetime', 'at', 'ts', 'sent_at', 'created_at', 'updated_at'],
].map(plainName);
/** Smaller values count something else, such as seconds since the drone was switched on. */
const earliest = Date.UTC(2000, 0, 1);
/** What says that a plain `id` is a drone’s: the event’s kind, or one of these members. */
const sayingDrone = /drone|vehicle|telemetry|aircraft|copter|\bua[vs]\b/i;
const kinds = ['kind', 'type', 'category', 'source'] as const;
/** A member that only says what the event is, not of what. */
const sayingPosition = /position|location|fix|gps|track|update|status|state|report|heartbeat|ping/i;
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
    const id = droneId(payload, place) ?? plainId(kind, payload, place);
    if (id === null || knowsIncident(id)) return null;
    const number = (name: string): number | null =>
      finite(ownValue(place, name)) ?? finite(ownValue(payload, name));
    return {
      id,
      ...at,
      altitude: number('altitude'),
      speed: number('speed'),
      heading: headingOf(number('heading')),
      takenAt: timeIn(place) ?? timeIn(payload),
    };
  }
  return null;
}

/** A more specific name comes before `id`, wherever it is. */
function droneId(payload: JsonObject, place: JsonObject): string | null {
  for (const name of drones) {
    const id = idOf(ownValue(payload, name)) ?? idOf(ownValue(place, name));
    if (id !== null) return id;
  }
  return null;
}

/** The name `id` alone may mean anything, such as a ground team: something must say that it is a drone’s. */
function plainId(kind: string, payload: JsonObject, place: JsonObject): string | null {
  const said = kinds.flatMap((name) => {
    const value = ownValue(payload, name) ?? ownValue(place, name);
    return typeof value === 'string' ? [value] : [];
  });
  if (said.some((text) => !sayingDrone.test(text) && !sayingPosition.test(text))) return null;
  const inTelemetry = place !== payload && place === ownValue(payload, 'telemetry');
  if (![kind, ...said].some((text) => sayingDrone.test(text)) && !inTelemetry) return null;
  return idOf(ownValue(payload, 'id')) ?? idOf(ownValue(place, 'id'));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/** The time of a measurement, whatever the spelling of its name. */
function timeIn(object: JsonObject): number | null {
  const names = Object.keys(object).slice(0, mostFields);
  const plain = names.map(plainName);
  for (const wanted of times) {
    const at = readInstant(ownValue(object, names[plain.indexOf(wanted)] ?? ''));
    if (at !== null && at >= earliest) return at;
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
