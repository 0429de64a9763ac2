import { statusClassOf } from '../../../../src-preload/contract/index.ts';
import { english, message } from '../../base/messages/message.ts';
import { messageOfPlace } from '../../base/places/placeMessages.ts';
import type { IncidentRecord } from '../../state/incident.ts';
import type { StoredIncident } from '../../state/incidentCache.ts';
import { instantText } from './exportMessages.ts';
import type { RowContext } from './textFormat.ts';

/** A value of a field: a text, a list of them, a number, or an instant in Unix milliseconds; null for none. */
export type FieldValue =
  | { readonly kind: 'text'; readonly value: string | null }
  | { readonly kind: 'list'; readonly value: readonly string[] }
  | { readonly kind: 'number'; readonly value: number | null }
  | { readonly kind: 'instant'; readonly value: number | null };

export interface ExportField {
  readonly name: string;
  /** Whether a GPX waypoint has it as an extension, because no element of the waypoint says it. */
  readonly inGpx: boolean;
  readonly read: (stored: StoredIncident, context: RowContext) => FieldValue;
}

type Reader<V> = (stored: StoredIncident, context: RowContext) => V;
const text = (name: string, of: Reader<string | null>, inGpx = true): ExportField => ({
  name,
  inGpx,
  read: (stored, context) => ({ kind: 'text', value: of(stored, context) }),
});
const list = (name: string, of: Reader<readonly string[]>): ExportField => ({
  name,
  inGpx: false,
  read: (stored, context) => ({ kind: 'list', value: of(stored, context) }),
});
const number = (name: string, of: Reader<number | null>, inGpx = true): ExportField => ({
  name,
  inGpx,
  read: (stored, context) => ({ kind: 'number', value: of(stored, context) }),
});
const instant = (name: string, of: Reader<number | null>, inGpx = true): ExportField => ({
  name,
  inGpx,
  read: (stored, context) => ({ kind: 'instant', value: of(stored, context) }),
});

/**
 * The fields of an incident in a file, each once, in groups. Every text format puts the groups in its own order:
 * programs that read these files find the CSV columns by their position.
 */
export const exportFields = {
  named: [
    text('id', ({ record }) => record.id),
    text('incident_type', ({ record }) => record.incidentType, false),
    text('severity', ({ record }) => record.severity),
    text('status', ({ record }) => record.status),
  ],
  /** The console's severity and status, beside the service's own spellings. */
  classes: [
    text('severity_class', ({ record }, { scale }) => scale.classOf(record.severity).name),
    text('status_class', ({ record }) => statusClassOf(record.status).name),
  ],
  created: [text('created_at', ({ record }) => record.createdAtText, false)],
  position: [
    number('latitude', ({ record }) => record.location?.latitude ?? null),
    number('longitude', ({ record }) => record.location?.longitude ?? null),
  ],
  altitude: [number('altitude', ({ record }) => record.location?.altitude ?? null)],
  place: [
    text(
      'place',
      ({ record: { location } }, { towns }) => location && english(messageOfPlace(towns.nearest(location))),
    ),
  ],
  records: [
    number('evidence_count', ({ record }) => record.evidenceCount),
    list('blockchain_records', ({ record }) => record.blockchainRecords),
  ],
  /** Names of specified fields that could not be read. */
  unreadable: [
    text('unreadable_fields', ({ record }) => record.unreadable.map(({ name }) => name).join(' ') || null),
  ],
  seen: [
    instant('first_seen_at', ({ firstSeenAt }) => firstSeenAt, false),
    instant('last_seen_at', ({ lastSeenAt }) => lastSeenAt),
    instant('not_returned_since', ({ notReturnedSince }) => notReturnedSince),
  ],
} as const satisfies Record<string, readonly ExportField[]>;

/** A name for an incident on a map of another program. */
export const placeName = ({ incidentType, severity }: IncidentRecord): string =>
  `${incidentType || english(message('alarm.unknown.type'))} (${severity || english(message('alarm.unknown.heading'))})`;

/** The fields of several groups, in the order of the groups. */
export const fieldsOf = (...groups: readonly (keyof typeof exportFields)[]): readonly ExportField[] =>
  groups.flatMap((group): readonly ExportField[] => exportFields[group]);

/** A value as text, for a format without types; null where there is none. */
export function plainText({ kind, value }: FieldValue): string | null {
  switch (kind) {
    case 'text':
      return value;
    case 'list':
      return value.join(' ');
    case 'number':
      return value === null ? null : decimalText(value);
    case 'instant':
      return value === null ? null : instantText(value);
  }
}

/**
 * A finite number without an exponent, as readers of `xsd:decimal` and RFC 4180 need it. With at most 12 places, far
 * more than the precision of any coordinate.
 */
export function decimalText(value: number): string {
  const plain = String(value);
  if (!plain.includes('e')) return plain;
  if (Math.abs(value) >= 1) return BigInt(Math.trunc(value)).toString();
  const text = value.toFixed(12).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}
