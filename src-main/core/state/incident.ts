import { cappedJson, cappedText, excessiveEntry, isObject, ownValue, type JsonObject } from '../base/json.ts';
import { message, type Message } from '../base/messages/message.ts';
import { readInstant } from '../base/timestamp.ts';

export interface IncidentLocation {
  /** Decimal degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Metres above sea level. */
  readonly altitude: number | null;
}

/**
 * One incident of the service after reading (interface: IncidentResponse). Only the id is certain: a text that could not
 * be read is empty, which has no rank and is open.
 */
export interface IncidentRecord {
  readonly id: string;
  readonly incidentType: string;
  readonly severity: string;
  readonly status: string;
  /** As it came; empty where it could not be read. */
  readonly createdAtText: string;
  /** Unix milliseconds; NaN where it could not be read. */
  readonly createdAt: number;
  /** Null where it could not be read. */
  readonly evidenceCount: number | null;
  /** The readable ones. */
  readonly blockchainRecords: readonly string[];
  readonly location: IncidentLocation | null;
  /** Fields of the specification that could not be read. */
  readonly unreadable: readonly UnreadableField[];
  /** Fields that the specification does not name, as shortened JSON text, in their order. */
  readonly otherFields: readonly { readonly name: string; readonly json: string }[];
}

/** A field as it came: shortened JSON text, null where the field was absent. */
export interface UnreadableField {
  readonly name: string;
  readonly json: string | null;
}

/** A record without a usable id: it is set aside and counted, and does not affect the others. */
export interface UnreadableRecord {
  /** As it came: shortened JSON text. */
  readonly json: string;
  /** The same for the same record in another answer, another one for an equal record of the same answer. */
  readonly key: string;
  readonly reason: Message;
}

export type RecordReading =
  | { readonly readable: true; readonly record: IncidentRecord }
  | { readonly readable: false; readonly unreadable: Omit<UnreadableRecord, 'key'> };

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
    sameFields(a.otherFields, b.otherFields) &&
    sameFields(a.unreadable, b.unreadable)
  );
}

const sameFields = (a: readonly UnreadableField[], b: readonly UnreadableField[]): boolean =>
  a.length === b.length && a.every(({ name, json }, at) => name === b[at]?.name && json === b[at].json);

const longestId = 1024;
const longestText = 256;
const largestCount = 2_147_483_647;
const mostBlockchainRecords = 10_000;
const longestBlockchainRecord = 4096;

const named: ReadonlySet<string> = new Set([
  'id',
  'incident_type',
  'severity',
  'status',
  'created_at',
  'evidence_count',
  'blockchain_records',
  'location',
]);
const namedInLocation: ReadonlySet<string> = new Set(['latitude', 'longitude', 'altitude']);

/** The most unspecified fields that are stored for display, per record. */
const otherFieldLimit = 64;
const otherNameLimit = 256;
const otherTextLimit = 4096;
/** The most characters of all of them together: 100,000 incidents must fit into memory. */
const otherFieldsLimit = 16_384;
/** The most characters of a field, or of a record, that could not be read. */
const unreadableLimit = 512;
const none: readonly never[] = [];

function otherFieldsOf(raw: JsonObject, location: IncidentLocation | null): IncidentRecord['otherFields'] {
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
  // One that could not be read is among the unreadable fields as a whole.
  if (location !== null) collect(raw['location'] as JsonObject, namedInLocation, 'location.');
  return fields.length === 0 ? none : fields;
}

/** An id as text; null for one with which no incident can be told from another. */
function readId(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  return typeof value === 'string' && value !== '' && value.length <= longestId ? value : null;
}

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= largestCount;

const isDegrees = (value: unknown, most: number): value is number =>
  typeof value === 'number' && value >= -most && value <= most;

const isBlockchainRecord = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= longestBlockchainRecord;

/** Reads each field of one record separately, and remembers those that could not be read. */
class FieldReader {
  readonly #raw: JsonObject;
  #unreadable: UnreadableField[] | null = null;

  constructor(raw: JsonObject) {
    this.#raw = raw;
  }

  get unreadable(): readonly UnreadableField[] {
    return this.#unreadable ?? none;
  }

  /** Empty where it could not be read. */
  text(name: string): string {
    const value = this.#raw[name];
    if (typeof value === 'string' && value.length <= longestText) return value;
    this.#refuse(name, value);
    return '';
  }

  time(): { readonly createdAt: number; readonly createdAtText: string } {
    const value = this.#raw['created_at'];
    const createdAt = readInstant(value);
    if (createdAt !== null) return { createdAt, createdAtText: String(value) };
    this.#refuse('created_at', value);
    return { createdAt: Number.NaN, createdAtText: '' };
  }

  count(): number | null {
    const value = this.#raw['evidence_count'];
    if (isCount(value)) return value;
    this.#refuse('evidence_count', value);
    return null;
  }

  blockchainRecords(): readonly string[] {
    const value = this.#raw['blockchain_records'];
    const records: readonly unknown[] = Array.isArray(value) ? value : none;
    const isReadable = Array.isArray(value) && value.length <= mostBlockchainRecords;
    if (isReadable && records.every(isBlockchainRecord)) return records;
    this.#refuse('blockchain_records', value);
    return records.slice(0, mostBlockchainRecords).filter(isBlockchainRecord);
  }

  /** The specification allows a location to be null or absent. */
  location(): IncidentLocation | null {
    const value = this.#raw['location'];
    if (value === undefined || value === null) return null;
    if (isObject(value)) {
      const { latitude, longitude, altitude } = value;
      if (isDegrees(latitude, 90) && isDegrees(longitude, 180)) {
        if (typeof altitude === 'number' && Number.isFinite(altitude))
          return { latitude, longitude, altitude };
        if (altitude !== undefined && altitude !== null) this.#refuse('location.altitude', altitude);
        return { latitude, longitude, altitude: null };
      }
    }
    this.#refuse('location', value);
    return null;
  }

  #refuse(name: string, value: unknown): void {
    const json = value === undefined ? null : cappedJson(value, unreadableLimit);
    (this.#unreadable ??= []).push({ name, json });
  }
}

const unreadable = (raw: unknown, reason: Message): RecordReading => ({
  readable: false,
  unreadable: { json: raw === excessiveEntry ? '' : cappedJson(raw, unreadableLimit), reason },
});

/**
 * Reads one incident from an answer, each field separately. Unknown fields are stored for display (design: tolerant
 * reader), and so are specified ones that could not be read. Only the id is indispensable.
 */
export function readIncidentRecord(raw: unknown): RecordReading {
  if (raw === excessiveEntry) return unreadable(raw, message('record.excessive'));
  if (!isObject(raw)) return unreadable(raw, message('record.noShape'));
  const id = readId(raw['id']);
  if (id === null) return unreadable(raw, message('record.noId'));
  const fields = new FieldReader(raw);
  const incidentType = fields.text('incident_type');
  const severity = fields.text('severity');
  const status = fields.text('status');
  const { createdAt, createdAtText } = fields.time();
  const evidenceCount = fields.count();
  const blockchainRecords = fields.blockchainRecords();
  const location = fields.location();
  const otherFields = otherFieldsOf(raw, location);
  return {
    readable: true,
    record: {
      id,
      incidentType,
      severity,
      status,
      createdAtText,
      createdAt,
      evidenceCount,
      blockchainRecords,
      location,
      otherFields,
      unreadable: fields.unreadable,
    },
  };
}

/** Whether a field of a record could not be read. */
export const isUnreadable = ({ unreadable: fields }: IncidentRecord, name: string): boolean =>
  fields.length > 0 && fields.some((field) => field.name === name);
