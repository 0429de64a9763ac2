import fc from 'fast-check';
import type { ExportFacts } from '../../../../src-main/core/features/exports/exportFacts.ts';
import {
  writeText,
  type ExportTally,
  type TextFormat,
} from '../../../../src-main/core/features/exports/textFormat.ts';
import type { IncidentRecord } from '../../../../src-main/core/state/incident.ts';
import type { StoredIncident } from '../../../../src-main/core/state/incidentCache.ts';
import { scaleOf } from '../../../../src-preload/contract/index.ts';
import { record } from '../../state/storeFixtures.ts';

export const madeAt = Date.UTC(2026, 10, 22, 14, 2, 31);

export const facts = (change: Partial<ExportFacts> = {}): ExportFacts => ({
  version: '9.9.9',
  deployment: 'Harbour <station> & "co"',
  account: 'ada',
  training: false,
  madeAt,
  dataAsOf: madeAt - 18 * 60_000,
  completeness: 'at-least',
  completeAsOf: null,
  held: 1_707,
  uncertainWindows: 3,
  filters: 'the last 6 hours, severity critical',
  zone: 'utc',
  incidents: 1,
  withoutLocation: 0,
  notReturned: 0,
  severities: new Map([['high', 1]]),
  ...change,
});

export const stored = (
  change: Partial<IncidentRecord> = {},
  more: Partial<StoredIncident> = {},
): StoredIncident => ({
  record: record('i-1', { createdAt: Date.UTC(2026, 10, 20, 12), ...change }),
  firstSeenAt: madeAt - 60_000,
  lastSeenAt: madeAt,
  arrivedAt: 0,
  notReturnedSince: null,
  ...more,
});

/** Writes incidents as a file; `null` is one that the console does not know any more. */
export async function written(
  format: TextFormat,
  incidents: readonly (StoredIncident | null)[],
  change: Partial<ExportFacts> = {},
): Promise<{ text: string; bytes: Buffer; tally: ExportTally; pieces: number }> {
  const pieces: Uint8Array[] = [];
  let tally: ExportTally = { written: 0, leftOut: 0, gone: 0 };
  for await (const piece of writeText({
    format,
    facts: facts(change),
    scale: scaleOf(null),
    keys: Uint32Array.from(incidents, (_incident, at) => at),
    find: (key) => incidents[key] ?? null,
    onTally: (next) => {
      tally = next;
    },
  })) {
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  return {
    text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    bytes,
    tally,
    pieces: pieces.length,
  };
}

const nasty = [
  ...['"', "'", ',', ';', '|', '\r', '\n', '\r\n', '\t', '=', '+', '-', '@', '＝', '＋', '－', '＠', ' '],
  ...['<', '>', '&', ']]>', '<![CDATA[', '--', '-->', '<!--', '<?', '&amp;', '&#0;'],
  ...['\u0000', '\u0001', '\u000b', '\u001f', '\u007f', '\ufffe', '\uffff', '\ud800', '\udfff', '\u{1f525}'],
  ...['\u202e', '\u2066', '\u200f', '\u2028', '\ufeff', 'é', '火', 'cmd', '1'],
];

/** Text that somebody sends who wants a reader to stumble. */
export const hostileText = fc
  .array(fc.constantFrom(...nasty), { maxLength: 12 })
  .map((parts) => parts.join(''));

export const hostileIncident: fc.Arbitrary<StoredIncident> = fc
  .record({
    id: hostileText.map((text) => text || 'id'),
    incidentType: hostileText,
    severity: fc.oneof(hostileText, fc.constantFrom('critical', 'HIGH', 'low')),
    status: hostileText,
    createdAtText: hostileText,
    createdAt: fc.integer({ min: -62_200_000_000_000, max: 253_500_000_000_000 }),
    evidenceCount: fc.nat(),
    blockchainRecords: fc.array(hostileText, { maxLength: 3 }),
    location: fc.option(
      fc.record({
        latitude: fc.double({ min: -90, max: 90, noNaN: true }),
        longitude: fc.double({ min: -180, max: 180, noNaN: true }),
        altitude: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      }),
    ),
    otherFields: fc.array(fc.record({ name: hostileText, json: hostileText }), { maxLength: 3 }),
  })
  .map((fields) => stored(fields));
