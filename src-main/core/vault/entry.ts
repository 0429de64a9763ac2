import type { StoredIncident } from '../state/incidentCache.ts';
import type { EntryBatch } from './storage.ts';

/** Between the entries of a batch: JSON allows it there, and JSON texts never hold a bare line feed. */
export const separator = ',\n';

/**
 * An incident as one JSON array. Names would be half of the bytes and of the time it takes to parse
 * them; the order is part of the schema version (seal.ts).
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
  ];
}

type Entry = readonly [
  string,
  string,
  string,
  string,
  string,
  number,
  number,
  readonly string[],
  readonly [number, number, number | null] | null,
  readonly (readonly [string, string])[],
  number,
  number,
  number,
  number | null,
];

const noFields: StoredIncident['record']['otherFields'] = [];

function incidentOf(entry: Entry): StoredIncident {
  const location = entry[8];
  const fields = entry[9];
  return {
    record: {
      id: entry[0],
      incidentType: entry[1],
      severity: entry[2],
      status: entry[3],
      createdAtText: entry[4],
      createdAt: entry[5],
      evidenceCount: entry[6],
      blockchainRecords: entry[7],
      location: location && { latitude: location[0], longitude: location[1], altitude: location[2] },
      otherFields: fields.length === 0 ? noFields : fields.map(([name, json]) => ({ name, json })),
    },
    firstSeenAt: entry[10],
    lastSeenAt: entry[11],
    arrivedAt: entry[12],
    notReturnedSince: entry[13],
  };
}

/** The last of several with one id is the one that counts. */
export function encodeEntries(incidents: readonly StoredIncident[]): EntryBatch {
  const last = new Map(incidents.map((incident) => [incident.record.id, incident]));
  const texts = [...last.values()].map((incident) => JSON.stringify(entryOf(incident)));
  return { ids: [...last.keys()], entries: new TextEncoder().encode(texts.join(separator)) };
}

/** Reads a batch whose seal has held: so it has the shape that `encodeEntries` gave it. */
export const decodeEntries = (json: Uint8Array): StoredIncident[] =>
  (JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8')) as Entry[]).map(
    incidentOf,
  );
