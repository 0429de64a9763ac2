import type { LiveEvent } from '../../../src-preload/contract/index.ts';
import { t, type MessageKey } from '../../i18n/index.ts';
import { count } from '../../base/format.ts';

/** A field of an event in words; what it holds stays as it came, but for how numbers are written. */
export interface EventField {
  /** As the service calls it. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

/** Events of one kind from one source, newest first; telemetry repeats them by the hundred. */
export interface EventGroup {
  /** Stays the same while events come. */
  readonly key: string;
  readonly kind: string;
  /** The drone, device, mission or incident that they are about; null where they name none. */
  readonly source: string | null;
  readonly events: readonly [LiveEvent, ...LiveEvent[]];
}

/** Names of fields that mean the same to an operator, by how services spell them. */
const labels: Readonly<Record<string, MessageKey>> = {
  incidentid: 'events.fields.incident',
  missionid: 'events.fields.mission',
  drone: 'events.fields.drone',
  droneid: 'events.fields.drone',
  vehicleid: 'events.fields.drone',
  device: 'events.fields.device',
  deviceid: 'events.fields.device',
  source: 'events.fields.source',
  sourceid: 'events.fields.source',
  cid: 'events.fields.cid',
  state: 'events.fields.state',
  status: 'events.fields.status',
  severity: 'events.fields.severity',
  type: 'events.fields.type',
  incidenttype: 'events.fields.type',
  decidedby: 'events.fields.by',
  battery: 'events.fields.battery',
  batterypercent: 'events.fields.battery',
  altitude: 'events.fields.altitude',
  speed: 'events.fields.speed',
  heading: 'events.fields.heading',
  latitude: 'events.fields.latitude',
  longitude: 'events.fields.longitude',
  percent: 'events.fields.percent',
  time: 'events.fields.time',
  timestamp: 'events.fields.time',
};
/** Of these the first that an event has says what it is about. */
const sources = ['droneid', 'drone', 'vehicleid', 'deviceid', 'device', 'sourceid', 'source'] as const;

const plain = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** `incident_type`, `batteryVolts`: `Incident type`, `Battery volts`. Not translated, as nothing says what it means. */
function readable(name: string): string {
  const spaced = name
    .replaceAll(/[_.\-/]+/g, ' ')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .trim()
    .toLowerCase();
  return spaced === '' ? name : spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Kinds whose meaning is in the name, by how services spell them. No kind is specified (interface: Events). */
const kinds: ReadonlyMap<string, MessageKey> = new Map<string, MessageKey>([
  ['incidentcreated', 'events.kinds.incidentCreated'],
  ['incidentadded', 'events.kinds.incidentCreated'],
  ['incidentchanged', 'events.kinds.incidentChanged'],
  ['incidentupdated', 'events.kinds.incidentChanged'],
  ['incidentresolved', 'events.kinds.incidentResolved'],
  ['evidenceadded', 'events.kinds.evidenceAdded'],
  ['evidencecreated', 'events.kinds.evidenceAdded'],
  ['missionpending', 'events.kinds.missionPending'],
  ['missiondecided', 'events.kinds.missionDecided'],
  ['missionapproved', 'events.kinds.missionApproved'],
  ['missionrejected', 'events.kinds.missionRejected'],
  ['telemetryposition', 'events.kinds.telemetryPosition'],
]);

/** The kind of an event for reading, in the page's language where it is known; else spelled as a word. */
export function kindWords(kind: string): string {
  if (kind === '') return t('events.message');
  const known = kinds.get(plain(kind));
  return known === undefined ? readable(kind) : t(known);
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? count(value) : JSON.stringify(value);
}

function membersOf(text: string): readonly (readonly [string, unknown])[] | null {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return null;
    // Within one object, as `location: { latitude, ... }`, each member is a separate field.
    return Object.entries(read).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value as Record<string, unknown>)
        : [[name, value] as const],
    );
  } catch {
    // Cut short, or never an object: it is shown as it came.
    return null;
  }
}

/** What an event says, field by field; its text as the only field where it is no object. */
export function fieldsOf({ text }: LiveEvent): readonly EventField[] {
  const members = membersOf(text);
  if (members === null) return text === '' ? [] : [{ name: '', label: t('events.fields.text'), value: text }];
  return members.map(([name, value]) => {
    const key = labels[plain(name)];
    return { name, label: key === undefined ? readable(name) : t(key), value: valueText(value) };
  });
}

function sourceOf(event: LiveEvent): string | null {
  const members = new Map((membersOf(event.text) ?? []).map(([name, value]) => [plain(name), value]));
  const named = sources.map((name) => members.get(name)).find((value) => typeof value === 'string');
  return (named as string | undefined) ?? event.missionId ?? event.incidentId;
}

/**
 * Events of one kind and source together, in the order of the newest of each. What names no source stands alone.
 *
 * @param events newest first
 */
export function groupEvents(events: readonly LiveEvent[]): readonly EventGroup[] {
  const groups = new Map<
    string,
    { kind: string; source: string | null; events: [LiveEvent, ...LiveEvent[]] }
  >();
  for (const event of events) {
    const source = sourceOf(event);
    const key = JSON.stringify([event.kind, source ?? event.number]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { kind: event.kind, source, events: [event] });
    else group.events.push(event);
  }
  return Array.from(groups, ([key, group]) => ({ key, ...group }));
}
