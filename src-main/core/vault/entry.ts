import type { IncidentBatch, StoredIncident } from '../state/incidentCache.ts';
import type { EntryBatch } from './storage.ts';

/** Separates the entries of a batch. JSON allows it there, and JSON texts never contain a bare line feed. */
export const separator = ',\n';
const lineFeed = 0x0a;

/**
 * An incident as one JSON array. Names of members would be half of the bytes and of the parsing time. The order belongs
 * to the schema version (seal.ts).
 */
function entryOf({ record, ...seen }: StoredIncident): readonly unknown[] {
  const { location } = record;
  return [
    record.id,
    record.incidentType,
    record.severity,
    record.status,
    record.createdAtText,
    record.createdAt,
    record.evidenceCount,
    record.blockchainRecords,
    location && [location.latitude, location.longitude, location.altitude],
    record.otherFields.map(({ name, json }) => [name, json]),
    seen.firstSeenAt,
    seen.lastSeenAt,
    seen.arrivedAt,
    seen.notReturnedSince,
    ...(record.unreadable.length === 0 ? [] : [record.unreadable.map(({ name, json }) => [name, json])]),
  ];
}

type Entry = readonly [
  string,
  string,
  string,
  string,
  string,
  /** JSON has no NaN, and writes null for it. */
  number | null,
  number | null,
  readonly string[],
  readonly [number, number, number | null] | null,
  readonly (readonly [string, string])[],
  number,
  number,
  number,
  number | null,
  /** Most records have none. */
  (readonly (readonly [string, string | null])[])?,
];

const noFields: readonly never[] = [];

function incidentOf(entry: Entry): StoredIncident {
  const location = entry[8];
  const fields = entry[9];
  const unreadable = entry[14] ?? noFields;
  return {
    record: {
      id: entry[0],
      incidentType: entry[1],
      severity: entry[2],
      status: entry[3],
      createdAtText: entry[4],
      createdAt: entry[5] ?? Number.NaN,
      evidenceCount: entry[6],
      blockchainRecords: entry[7],
      location: location && { latitude: location[0], longitude: location[1], altitude: location[2] },
      otherFields: fields.length === 0 ? noFields : fields.map(([name, json]) => ({ name, json })),
      unreadable: unreadable.length === 0 ? noFields : unreadable.map(([name, json]) => ({ name, json })),
    },
    firstSeenAt: entry[10],
    lastSeenAt: entry[11],
    arrivedAt: entry[12],
    notReturnedSince: entry[13],
  };
}

/** Of several with the same id the last counts. */
export function encodeEntries(incidents: readonly StoredIncident[]): EntryBatch {
  const last = new Map(incidents.map((incident) => [incident.record.id, incident]));
  const texts = [...last.values()].map((incident) => JSON.stringify(entryOf(incident)));
  return { ids: [...last.keys()], entries: new TextEncoder().encode(texts.join(separator)) };
}

/**
 * The entries of a batch. Each is parsed in its turn, and need not be held after it: two thousand at once outlive the
 * garbage collector's fast passes, which then takes a hundred megabytes that it never returns.
 */
class Entries implements IncidentBatch {
  readonly length: number;
  /** A JSON array. */
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    let length = bytes.length > 2 ? 1 : 0;
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) length += 1;
    this.length = length;
  }

  *[Symbol.iterator](): Iterator<StoredIncident> {
    const bytes = this.#bytes;
    const last = bytes.length - 1;
    for (let start = 1; start < last;) {
      const next = bytes.indexOf(lineFeed, start);
      const end = next < 0 ? last : next + 1 - separator.length;
      yield incidentOf(JSON.parse(bytes.toString('utf8', start, end)) as Entry);
      start = end + separator.length;
    }
  }
}

/** Reads a batch with a valid seal, which has the shape of `encodeEntries`. */
export const decodeEntries = (json: Uint8Array): IncidentBatch =>
  new Entries(Buffer.from(json.buffer, json.byteOffset, json.byteLength));
