import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sameIncident, type IncidentRecord } from '../../../src-main/core/state/incident.ts';
import type { StoredIncident } from '../../../src-main/core/state/incidentCache.ts';
import { IncidentTable } from '../../../src-main/core/state/incidentTable.ts';
import { incidentId, scaleOf } from '../../../src-preload/contract/index.ts';
import { casesOf } from '../../support/campaign.ts';
import { record } from './storeFixtures.ts';

/** Any text, lone surrogates too, or one of those that are stored in a shorter way. */
const anyText = fc.oneof(
  fc
    .array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 40 })
    .map((codes) => String.fromCharCode(...codes)),
  fc.string({ maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 14, maxLength: 64 }),
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefF'), minLength: 16, maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...'01ef'), maxLength: 40 }).map((digits) => `0x${digits}`),
);
const ids = ['a', 'b', '0', '火災', '\ud800', '\udc00', '\ufffd', '__proto__', 'x'.repeat(1024), '🚁'];
const anyId = fc.oneof(
  fc.constantFrom(...ids),
  fc.integer({ min: 0, max: 60 }).map((n) => `incident-${String(n)}`),
);
const anyTime = fc.oneof(
  fc
    .integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 })
    .chain((at) =>
      fc
        .constantFrom(
          new Date(at).toISOString(),
          new Date(at).toISOString().replace(/\.\d+/, ''),
          new Date(at).toISOString().replace('Z', '+00:00'),
          '2026-11-20t12:00:60z',
          '2026-11-20T12:00:00Z',
          '',
        )
        .map((createdAtText) => ({ createdAt: at, createdAtText })),
    ),
  fc.constant({ createdAt: Number.NaN, createdAtText: '' }),
);
const anyRecord: fc.Arbitrary<IncidentRecord> = fc
  .record({
    id: anyId,
    incidentType: fc.oneof(fc.constantFrom('fire', 'flood'), anyText),
    severity: fc.constantFrom('high', 'low', 'High', '\ud800'),
    status: fc.constantFrom('open', 'closed', ''),
    unreadable: fc.array(fc.record({ name: anyText, json: fc.option(anyText.map((text) => `"${text}"`)) }), {
      maxLength: 2,
    }),
    time: anyTime,
    evidenceCount: fc.oneof(fc.constantFrom(0, 1, null), fc.integer({ min: 0, max: 2_147_483_647 })),
    blockchainRecords: fc.array(anyText, { maxLength: 4 }),
    location: fc.option(
      fc.record({
        latitude: fc.double({ min: -90, max: 90, noNaN: true }),
        longitude: fc.double({ min: -180, max: 180, noNaN: true }),
        altitude: fc.option(fc.double({ noNaN: true })),
      }),
    ),
    otherFields: fc.array(fc.record({ name: anyText, json: anyText }), { maxLength: 3 }),
  })
  .map(({ time, ...rest }) => ({ ...rest, ...time }));

type Step =
  | { readonly kind: 'upsert'; readonly record: IncidentRecord; readonly arrivedAt: number }
  /** The same incidents as they are known already. */
  | { readonly kind: 'again' | 'remove' | 'mark'; readonly id: string }
  | { readonly kind: 'restore'; readonly record: IncidentRecord; readonly since: number | null };
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('upsert'), record: anyRecord, arrivedAt: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again'), id: anyId }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove'), id: anyId }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mark'), id: anyId }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('restore'), record: anyRecord, since: fc.option(fc.nat()) }),
  },
);

/** What a table must hold, as plain objects. */
class Model {
  readonly rows = new Map<string, StoredIncident & { readonly changedAt: number }>();
  before: IncidentRecord | null = null;

  take(step: Step, now: number): boolean {
    this.before = null;
    switch (step.kind) {
      case 'upsert':
        return this.#upsert(step.record, step.arrivedAt, now);
      case 'again': {
        const row = this.rows.get(step.id.toWellFormed());
        return row !== undefined && this.#upsert(row.record, 0, now);
      }
      case 'remove':
        return this.rows.delete(step.id.toWellFormed());
      case 'mark': {
        const row = this.rows.get(step.id.toWellFormed());
        if (!row || row.notReturnedSince !== null) return false;
        this.rows.set(step.id.toWellFormed(), { ...row, notReturnedSince: now, changedAt: now });
        return true;
      }
      case 'restore': {
        const id = step.record.id.toWellFormed();
        if (this.rows.has(id)) return false;
        const seen = { firstSeenAt: 1, lastSeenAt: 2, arrivedAt: 3 };
        this.rows.set(id, { record: step.record, ...seen, notReturnedSince: step.since, changedAt: now });
        return true;
      }
    }
  }

  #upsert(after: IncidentRecord, arrivedAt: number, now: number): boolean {
    const id = after.id.toWellFormed();
    const row = this.rows.get(id);
    const changes = !row || row.notReturnedSince !== null || !sameIncident(row.record, after);
    this.before = changes ? (row?.record ?? null) : null;
    this.rows.set(id, {
      record: changes ? after : row.record,
      firstSeenAt: row?.firstSeenAt ?? now,
      lastSeenAt: now,
      arrivedAt: row?.arrivedAt ?? arrivedAt,
      notReturnedSince: null,
      changedAt: changes ? now : row.changedAt,
    });
    return changes;
  }
}

function give(
  table: IncidentTable,
  step: Step,
  now: number,
  hear: (before: IncidentRecord) => void,
): boolean {
  switch (step.kind) {
    case 'upsert':
      return table.upsert(step.record, { seenAt: now, arrivedAt: step.arrivedAt }, now, hear);
    case 'again': {
      const known = table.recordOf(step.id);
      return known !== undefined && table.upsert(known, { seenAt: now, arrivedAt: 0 }, now, hear);
    }
    case 'remove':
      return table.remove(step.id, now);
    case 'mark':
      return table.mark(step.id, now, now);
    case 'restore': {
      const seen = { firstSeenAt: 1, lastSeenAt: 2, arrivedAt: 3 };
      return table.restore({ record: step.record, ...seen, notReturnedSince: step.since }, now);
    }
  }
}

function compare(table: IncidentTable, { rows }: Model, base: number): void {
  expect(table.count).toBe(rows.size);
  expect([...table.ids()].sort()).toEqual([...rows.keys()].sort());
  const stored = [...rows.values()];
  expect(table.withoutLocation).toBe(stored.filter(({ record: { location } }) => location === null).length);
  expect(table.notReturned).toBe(stored.filter((row) => row.notReturnedSince !== null).length);
  for (const [id, { changedAt: _, ...row }] of rows) expect(table.stored(id)).toEqual(row);
  for (const since of [null, base]) {
    const frame = table.frameSince(since);
    const sent = frame
      ? Array.from({ length: frame.columns.length }, (_, at) => incidentId(frame.columns, at))
      : [];
    const changed = [...rows].filter(([, { changedAt }]) => since === null || changedAt > since);
    expect(sent.sort()).toEqual(changed.map(([id]) => id).sort());
    for (const key of frame?.columns.key ?? []) expect(table.detail(key)).toMatchObject({ key });
  }
}

it('holds after any changes what plain objects would, while bytes are packed again', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 100, maxLength: 600, size: 'max' }), (steps) => {
      // Of so few bytes that many are vacated.
      const table = new IncidentTable(() => scaleOf(null), 2_048);
      const model = new Model();
      steps.forEach((step, at) => {
        let before: IncidentRecord | null = null;
        const changed = give(table, step, at + 1, (heard) => {
          before = heard;
        });
        expect(changed).toBe(model.take(step, at + 1));
        expect(before).toEqual(model.before);
        if (at % 50 === 49) compare(table, model, at - 20);
      });
      compare(table, model, steps.length - 20);
    }),
    // To make a case of hundreds of steps smaller takes minutes; its seed repeats it.
    { numRuns: casesOf({ part: 30, whole: 400 }), endOnFailure: true },
  );
});

it('gives back texts for which a dictionary has no room, and knows them again', () => {
  const table = new IncidentTable();
  const sighting = { seenAt: 1, arrivedAt: 0 };
  const made = Array.from({ length: 1_500 }, (_, at) =>
    record(`i-${String(at)}`, {
      incidentType: `type ${String(at)}`,
      severity: `severity ${String(at)}`,
      status: `status ${String(at)}`,
    }),
  );
  for (const one of made) expect(table.upsert(one, sighting, 1)).toBe(true);
  for (const one of made) {
    expect(table.recordOf(one.id)).toEqual(one);
    expect(table.upsert({ ...one }, sighting, 2)).toBe(false);
  }
  expect(table.upsert({ ...(made[1_400] as IncidentRecord), severity: 'other' }, sighting, 3)).toBe(true);
  expect(table.recordOf('i-1400')?.severity).toBe('other');
});
