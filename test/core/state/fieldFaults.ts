import { wireIncident } from './wireIncident.ts';

const without = (name: string): object =>
  Object.fromEntries(Object.entries(wireIncident('x')).filter(([field]) => field !== name));

/** What an ordinary service gets wrong in one field: its name, and the change that replaces fields of an incident. */
interface FieldFault {
  readonly name: string;
  readonly change: object;
  /** The fields named as unreadable; none where the value has a meaning. */
  readonly unreadable: readonly string[];
  /** Whether there is a place on the map. */
  readonly located?: boolean;
}

const fault = (change: object, unreadable: readonly string[], located = true): FieldFault => ({
  name: JSON.stringify(change),
  change,
  unreadable,
  located,
});

const placeFault = (location: unknown): FieldFault => fault({ location }, ['location'], false);

/** Faults in fields other than the id. An open critical incident with one of them is a row and an alarm. */
export const fieldFaults: readonly FieldFault[] = [
  ...[null, '3', -1, 1.5, 2 ** 40, [], true].map((evidence_count) =>
    fault({ evidence_count }, ['evidence_count']),
  ),
  ...[null, {}, 'hash', [{ hash: '0xab' }], ['0xab', null]].map((blockchain_records) =>
    fault({ blockchain_records }, ['blockchain_records']),
  ),
  ...[
    {},
    { latitude: null, longitude: null },
    { latitude: '48.2', longitude: '16.3' },
    { lat: 48.2, lng: 16.3 },
    { type: 'Point', coordinates: [16.3, 48.2] },
    'Vienna',
    [48.2, 16.3],
    { latitude: 116.3, longitude: 48.2 },
    { latitude: 48.2, longitude: 181 },
    5,
    false,
  ].map(placeFault),
  fault({ location: { latitude: 48.2, longitude: 16.3, altitude: '200 m' } }, ['location.altitude']),
  ...[null, 3, {}, ['fire'], 'x'.repeat(257)].map((incident_type) =>
    fault({ incident_type }, ['incident_type']),
  ),
  ...[null, 'yesterday', '2026-13-20T12:00:00Z', {}, 'x'.repeat(100_000), Number.MAX_VALUE].map(
    (created_at) => fault({ created_at }, ['created_at']),
  ),
  ...[
    '2026-11-20T12:00:00',
    '2026-11-20T12:00:00.123456',
    '2026-11-20 12:00:00Z',
    '2026-11-20 12:00:00',
    '2026-11-20T12:00:00+0000',
    '2026-11-20T14:00:00+0200',
    '2026-11-20T14:00:00+02',
    1_795_176_000,
    1_795_176_000_000,
  ].map((created_at) => fault({ created_at }, [])),
  fault({ id: 7_001 }, []),
];

/** Faults in the two fields that say how bad it is: they count as worst and as open. */
export const rankFaults: readonly FieldFault[] = [
  ...[null, 4, {}, ['critical'], 'x'.repeat(257)].map((severity) => fault({ severity }, ['severity'])),
  ...[null, 0, true, { state: 'open' }, 'x'.repeat(257)].map((status) => fault({ status }, ['status'])),
  fault({ severity: null, status: null }, ['severity', 'status']),
];

/** Records without one of the fields that the specification requires. */
export const absentFields: readonly { readonly name: string; readonly raw: object }[] = [
  'incident_type',
  'severity',
  'status',
  'created_at',
  'evidence_count',
  'blockchain_records',
].map((name) => ({ name, raw: without(name) }));

/** Values of `id` with which no incident can be told from another. */
export const unusableIds: readonly unknown[] = [
  null,
  undefined,
  '',
  'x'.repeat(1_025),
  1.5,
  2 ** 53,
  true,
  {},
  ['a'],
];
