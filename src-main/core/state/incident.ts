import { z } from 'zod';
import { cappedJson, cappedText, excessiveEntry, isObject, ownValue, type JsonObject } from '../base/json.ts';
import { message, type Message } from '../base/messages/message.ts';
import { parseTimestamp } from '../base/timestamp.ts';

export interface IncidentLocation {
  /** Decimal degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Metres above sea level. */
  readonly altitude: number | null;
}

/** One incident of the service after reading (interface: IncidentResponse). */
export interface IncidentRecord {
  readonly id: string;
  readonly incidentType: string;
  readonly severity: string;
  readonly status: string;
  readonly createdAtText: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly evidenceCount: number;
  readonly blockchainRecords: readonly string[];
  readonly location: IncidentLocation | null;
  /** Fields that the specification does not name, as shortened JSON text, in their order. */
  readonly otherFields: readonly { readonly name: string; readonly json: string }[];
}

/** A record that failed its schema: it is set aside and counted, and does not affect the others. */
export interface UnreadableRecord {
  readonly id: string | null;
  readonly reason: Message;
}

export type RecordReading =
  | { readonly readable: true; readonly record: IncidentRecord }
  | { readonly readable: false; readonly unreadable: UnreadableRecord };

/**
 * Whether two readings of an incident are equal. Compares member by member, since it runs for each row of each answer:
 * a general comparison of objects costs ten times as much.
 */
export function sameIncident(a: IncidentRecord, b: IncidentRecord): boolean {
  return (
    a.id === b.id &&
    a.status === b.status &&
    a.evidenceCount === b.evidenceCount &&
    a.severity === b.severity &&
    a.incidentType === b.incidentType &&
    a.createdAtText === b.createdAtText &&
    a.location?.latitude === b.location?.latitude &&
    a.location?.longitude === b.location?.longitude &&
    a.location?.altitude === b.location?.altitude &&
    a.blockchainRecords.length === b.blockchainRecords.length &&
    a.blockchainRecords.every((hash, at) => hash === b.blockchainRecords[at]) &&
    a.otherFields.length === b.otherFields.length &&
    a.otherFields.every(
      ({ name, json }, at) => name === b.otherFields[at]?.name && json === b.otherFields[at].json,
    )
  );
}

const shortText = z.string().max(256);

const wireSchema = z.object({
  id: z.string().min(1).max(1024),
  incident_type: shortText,
  severity: shortText,
  status: shortText,
  created_at: z.string(),
  evidence_count: z.int().min(0).max(2_147_483_647),
  blockchain_records: z.array(z.string().max(4096)).max(10_000),
  location: z
    .object({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      altitude: z.number().nullish(),
    })
    .nullish(),
});

const named: ReadonlySet<string> = new Set(Object.keys(wireSchema.shape));
const namedInLocation: ReadonlySet<string> = new Set(['latitude', 'longitude', 'altitude']);

/** The most unspecified fields that are stored for display, per record. */
const otherFieldLimit = 64;
const otherNameLimit = 256;
const otherTextLimit = 4096;
/** The most characters of all of them together: 100,000 incidents must fit into memory. */
const otherFieldsLimit = 16_384;
const none: IncidentRecord['otherFields'] = [];

function otherFieldsOf(raw: JsonObject): IncidentRecord['otherFields'] {
  const fields: { name: string; json: string }[] = [];
  let left = otherFieldsLimit;
  const collect = (object: JsonObject, known: ReadonlySet<string>, prefix: string): void => {
    for (const name of Object.keys(object)) {
      if (fields.length >= otherFieldLimit || left <= 0) return;
      if (known.has(name)) continue;
      const json = cappedJson(ownValue(object, name), Math.min(otherTextLimit, left));
      fields.push({ name: cappedText(prefix + name, otherNameLimit), json });
      left -= json.length;
    }
  };
  collect(raw, named, '');
  const location = ownValue(raw, 'location');
  if (isObject(location)) collect(location, namedInLocation, 'location.');
  return fields.length === 0 ? none : fields;
}

function idOf(raw: unknown): string | null {
  const id = isObject(raw) ? ownValue(raw, 'id') : undefined;
  return typeof id === 'string' ? cappedText(id, 128) : null;
}

/** Names a field's fault without its value, which may be a string of 10 MB. */
function reasonOf(error: z.ZodError): Message {
  const issue = error.issues[0];
  if (!issue) return message('record.noShape');
  const field = issue.path.map((part) => String(part)).join('.') || 'record';
  if (issue.code === 'invalid_type') return message('record.kind', { field, kind: issue.expected });
  if (issue.code === 'too_big') {
    const most = String(issue.maximum);
    return message(issue.origin === 'string' ? 'record.tooLong' : 'record.tooMuch', { field, most });
  }
  if (issue.code === 'too_small') {
    return issue.origin === 'string'
      ? message('record.empty', { field })
      : message('record.tooLittle', { field, least: String(issue.minimum) });
  }
  return message('record.otherwise', { field });
}

const unreadable = (raw: unknown, reason: Message): RecordReading => ({
  readable: false,
  unreadable: { id: idOf(raw), reason },
});

/**
 * Reads one incident from an answer. Unknown fields are stored for display (design: tolerant reader). An invalid value
 * of a specified field makes the record unreadable.
 */
export function readIncidentRecord(raw: unknown): RecordReading {
  if (raw === excessiveEntry) return unreadable(null, message('record.excessive'));
  const result = wireSchema.safeParse(raw);
  if (!result.success) return unreadable(raw, reasonOf(result.error));
  const wire = result.data;
  const createdAt = parseTimestamp(wire.created_at);
  if (createdAt === null) return unreadable(raw, message('record.createdAt'));
  return {
    readable: true,
    record: {
      id: wire.id,
      incidentType: wire.incident_type,
      severity: wire.severity,
      status: wire.status,
      createdAtText: wire.created_at,
      createdAt,
      evidenceCount: wire.evidence_count,
      blockchainRecords: wire.blockchain_records,
      location: wire.location
        ? {
            latitude: wire.location.latitude,
            longitude: wire.location.longitude,
            altitude: wire.location.altitude ?? null,
          }
        : null,
      otherFields: otherFieldsOf(raw as JsonObject),
    },
  };
}
