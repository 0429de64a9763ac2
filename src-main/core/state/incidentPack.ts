import type { WantedText } from './anchorSearch.ts';
import type { IncidentRecord } from './incident.ts';
import type { Run } from './packedBytes.ts';
import { PackReader, PackWriter } from './packedTexts.ts';
import { TimeTexts, type TimeForm } from './timeTexts.ts';

/** The texts of an incident that are in columns through dictionaries. */
export type NamedTexts = Pick<IncidentRecord, 'id' | 'incidentType' | 'severity' | 'status'>;

/** The part of an incident that is in columns. */
export interface InColumns extends NamedTexts, Pick<IncidentRecord, 'createdAt' | 'evidenceCount'> {
  readonly location: { readonly latitude: number; readonly longitude: number } | null;
}

/** Bits of the first byte: they say what follows, in this order. */
const bits = {
  /** The time of creation has no fraction. */
  wholeSecond: 1,
  /** The time of creation as it came, if JavaScript would write it differently. */
  createdAtText: 2,
  /** The id, if it differs from the one in the table (idTable.ts). */
  id: 4,
  severity: 8,
  status: 16,
  type: 32,
  altitude: 64,
  /** Blockchain records, other fields, and fields that could not be read. */
  lists: 128,
} as const;

const none: readonly never[] = [];

/**
 * The data of an incident outside of its columns, as bytes; empty for an incident without any. Two records that differ
 * have different columns or different bytes.
 */
export class IncidentPacker {
  readonly #writer = new PackWriter();
  readonly #reader = new PackReader();
  readonly #times = new TimeTexts();

  get bytes(): Uint8Array {
    return this.#writer.bytes;
  }

  get length(): number {
    return this.#writer.length;
  }

  /** @param known the texts that the columns give; one that differs is packed. */
  pack(record: IncidentRecord, known: NamedTexts): void {
    const writer = this.#writer;
    writer.begin();
    writer.byte(0);
    let flags = 0;
    const text = (value: string, bit: number): void => {
      flags |= bit;
      writer.text(value);
    };
    const form = this.#times.formOf(record.createdAtText, record.createdAt);
    if (form === null) text(record.createdAtText, bits.createdAtText);
    else if (form === 'whole') flags |= bits.wholeSecond;
    if (record.id !== known.id) text(record.id, bits.id);
    if (record.severity !== known.severity) text(record.severity, bits.severity);
    if (record.status !== known.status) text(record.status, bits.status);
    if (record.incidentType !== known.incidentType) text(record.incidentType, bits.type);
    const altitude = record.location?.altitude ?? null;
    if (altitude !== null) {
      flags |= bits.altitude;
      writer.double(altitude);
    }
    const { blockchainRecords, otherFields, unreadable } = record;
    if (blockchainRecords.length + otherFields.length + unreadable.length > 0) {
      flags |= bits.lists;
      writer.count(blockchainRecords.length);
      for (const one of blockchainRecords) writer.text(one);
      writer.count(otherFields.length);
      for (const { name, json } of otherFields) {
        writer.text(name);
        writer.text(json);
      }
      writer.count(unreadable.length);
      for (const { name, json } of unreadable) {
        writer.text(name);
        // No JSON text is empty.
        writer.text(json ?? '');
      }
    }
    if (flags === 0) writer.clear();
    else writer.setByte(0, flags);
  }

  /** The original record. `run` null: all of it is in its columns. */
  unpack(inColumns: InColumns, run: Run | null): IncidentRecord {
    const { location, createdAt, evidenceCount } = inColumns;
    let { id, severity, status, incidentType } = inColumns;
    let createdAtText: string | null = null;
    let altitude: number | null = null;
    let blockchainRecords: IncidentRecord['blockchainRecords'] = none;
    let otherFields: IncidentRecord['otherFields'] = none;
    let unreadable: IncidentRecord['unreadable'] = none;
    let form: TimeForm = 'fraction';
    if (run) {
      const reader = this.#reader;
      reader.begin(run.bytes, run.start);
      const flags = reader.byte();
      if ((flags & bits.wholeSecond) !== 0) form = 'whole';
      if ((flags & bits.createdAtText) !== 0) createdAtText = reader.text();
      if ((flags & bits.id) !== 0) id = reader.text();
      if ((flags & bits.severity) !== 0) severity = reader.text();
      if ((flags & bits.status) !== 0) status = reader.text();
      if ((flags & bits.type) !== 0) incidentType = reader.text();
      if ((flags & bits.altitude) !== 0) altitude = reader.double();
      if ((flags & bits.lists) !== 0) {
        blockchainRecords = textsOf(reader);
        otherFields = fieldsOf(reader);
        unreadable = unreadableOf(reader);
      }
    }
    createdAtText ??= this.#times.textOf(createdAt, form);
    return {
      id,
      incidentType,
      severity,
      status,
      createdAtText,
      createdAt,
      evidenceCount,
      blockchainRecords,
      location: location && { latitude: location.latitude, longitude: location.longitude, altitude },
      otherFields,
      unreadable,
    };
  }

  /** Whether one of the blockchain records contains a text. */
  holdsAnchor({ bytes, start }: Run, wanted: WantedText): boolean {
    const reader = this.#reader;
    reader.begin(bytes, start);
    const flags = reader.byte();
    if ((flags & bits.lists) === 0) return false;
    for (let bit: number = bits.createdAtText; bit <= bits.type; bit *= 2)
      if ((flags & bit) !== 0) reader.text();
    if ((flags & bits.altitude) !== 0) reader.double();
    const count = reader.count();
    for (let at = 0; at < count; at += 1) if (reader.textHolds(wanted)) return true;
    return false;
  }
}

function textsOf(reader: PackReader): readonly string[] {
  const count = reader.count();
  if (count === 0) return none;
  const texts: string[] = [];
  while (texts.length < count) texts.push(reader.text());
  return texts;
}

function fieldsOf(reader: PackReader): IncidentRecord['otherFields'] {
  const count = reader.count();
  if (count === 0) return none;
  const fields: { name: string; json: string }[] = [];
  while (fields.length < count) {
    const name = reader.text();
    fields.push({ name, json: reader.text() });
  }
  return fields;
}

const unreadableOf = (reader: PackReader): IncidentRecord['unreadable'] => {
  const fields = fieldsOf(reader);
  return fields.length === 0
    ? none
    : fields.map(({ name, json }) => ({ name, json: json === '' ? null : json }));
};
