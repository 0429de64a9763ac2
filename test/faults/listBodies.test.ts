import { expect, it } from 'vitest';
import { english } from '../../src-main/core/base/messages/message.ts';
import { readIncidentList, type IncidentReading } from '../../src-main/core/service/api/incidentList.ts';
import { deepestNesting, listAnswer } from '../../src-main/core/service/transport/answerBounds.ts';
import type { IncidentRecord } from '../../src-main/core/state/incident.ts';
import type { WireIncident } from '../../src-main/training/incident.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { realWeek } from '../../src-main/training/world.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { decodeAnswer } from './support/decodeAnswer.ts';
import { damage, drawBytes, drawJunk, drawText, jsonText, setOwn } from './support/mutations.ts';

/** What is known of a record by the way it was made. */
interface Made {
  readonly raw: unknown;
  /** `kept`: a row, whatever a field other than the id says. `bad`: set aside. */
  readonly fate: 'good' | 'kept' | 'bad' | 'either';
  readonly id: string;
}

const required = [
  'id',
  'incident_type',
  'severity',
  'status',
  'created_at',
  'evidence_count',
  'blockchain_records',
] as const;
const week = realWeek();

/** Whether a value that `drawJunk` made is nested deeper than a record may be; in the record it lies one deeper. */
const isTooDeep = (junk: unknown): boolean => jsonText(junk).startsWith('['.repeat(deepestNesting));

function makeRecord(draw: Seeded, index: number): Made {
  const [model] = week.slice(draw.below(week.length));
  if (!model) throw new Error('The real week is empty');
  const id = `${model.id}#${String(index)}`;
  const record: Record<string, unknown> = { ...model, id };
  switch (draw.below(10)) {
    case 0: {
      const name = draw.pick(required);
      delete record[name];
      return { raw: record, fate: name === 'id' ? 'bad' : 'kept', id };
    }
    case 1: {
      // A field of another kind than the interface gives it.
      const name = draw.pick(required);
      setOwn(record, name, { wrapped: draw.next() });
      return { raw: record, fate: name === 'id' ? 'bad' : 'kept', id };
    }
    case 2: {
      const latitude = draw.pick([91, -90.01, null, '10', true, [10]]);
      return { raw: { ...record, location: { ...model.location, latitude } }, fate: 'kept', id };
    }
    case 3: {
      const createdAt = draw.pick(['', '1', 'tomorrow', '2026-02-30T00:00:00Z', '2026-11-20', '1e9']);
      return { raw: { ...record, created_at: createdAt }, fate: 'kept', id };
    }
    case 4: {
      const name = draw.pick([...required, 'location'] as const);
      const junk = drawJunk(draw);
      setOwn(record, name, junk);
      return { raw: record, fate: name === 'id' ? 'either' : isTooDeep(junk) ? 'bad' : 'kept', id };
    }
    case 5: {
      // What the specification does not name does not take a record away.
      const names = ['__proto__', 'constructor', 'toString', '<script>', '', 'next_cursor', 'items'] as const;
      const junk = drawJunk(draw);
      setOwn(record, draw.pick(names), junk);
      return { raw: record, fate: isTooDeep(junk) ? 'bad' : 'good', id };
    }
    case 6: {
      const raw = drawJunk(draw);
      return { raw, fate: 'either', id };
    }
    default:
      return { raw: record, fate: 'good', id };
  }
}

const wrappers = [
  (list: unknown) => list,
  (list: unknown) => list,
  (list: unknown) => ({ items: list }),
  (list: unknown) => ({ next_cursor: 'c', data: list, items: 'none' }),
  (list: unknown) => ({ next_cursor: 7, page: list }),
  (list: unknown) => ({ next_cursor: 'x'.repeat(5000), total: 2, incidents: list }),
  (list: unknown) => ({ next_cursor: { a: [] }, results: list }),
] as const;

/** What may be on screen: each field of the kind and within the bounds that the page relies on. */
function expectShowable(row: IncidentRecord): void {
  expect(row.id.length > 0 && row.id.length <= 1024).toBe(true);
  for (const text of [row.incidentType, row.severity, row.status]) {
    expect(typeof text === 'string' && text.length <= 256).toBe(true);
  }
  const unread = row.unreadable.map(({ name }) => name);
  expect(Number.isFinite(row.createdAt)).toBe(!unread.includes('created_at'));
  const count = row.evidenceCount ?? 0;
  expect(Number.isInteger(count) && count >= 0).toBe(true);
  expect(row.evidenceCount === null).toBe(unread.includes('evidence_count'));
  expect(row.unreadable.every(({ json }) => (json?.length ?? 0) <= 514)).toBe(true);
  expect(row.blockchainRecords.every((entry) => typeof entry === 'string')).toBe(true);
  if (row.location) {
    expect(Math.abs(row.location.latitude) <= 90 && Math.abs(row.location.longitude) <= 180).toBe(true);
    expect(row.location.altitude === null || Number.isFinite(row.location.altitude)).toBe(true);
  }
  expect(row.otherFields.length <= 64).toBe(true);
  for (const { name, json } of row.otherFields) expect(name.length <= 257 && json.length <= 4097).toBe(true);
}

function expectSound(reading: IncidentReading, records: number): void {
  expect(reading.rows.length + reading.unreadable.length).toBe(records);
  for (const row of reading.rows) expectShowable(row);
  expect(new Set(reading.unreadable.map(({ key }) => key)).size).toBe(reading.unreadable.length);
  for (const { json, reason } of reading.unreadable) {
    expect(json.length <= 514).toBe(true);
    const text = english(reason);
    expect(text.length > 0 && text.length <= 257).toBe(true);
  }
}

function expectSurvivor(row: IncidentRecord | undefined, wire: WireIncident): void {
  expect(row).toMatchObject({
    id: wire.id,
    incidentType: wire.incident_type,
    severity: wire.severity,
    status: wire.status,
    createdAt: Date.parse(wire.created_at),
    evidenceCount: wire.evidence_count,
    blockchainRecords: wire.blockchain_records,
    location: { latitude: wire.location?.latitude, longitude: wire.location?.longitude },
  });
}

/** A body made of records whose fate is known. */
async function checkRecords(draw: Seeded): Promise<string> {
  const made = Array.from({ length: draw.below(12) }, (_, index) => makeRecord(draw, index));
  const body = draw.pick(wrappers)(made.map(({ raw }) => raw));
  const decoded = await decodeAnswer(Buffer.from(jsonText(body)), listAnswer);
  expect(decoded).not.toHaveProperty('refused');
  const reading = 'body' in decoded ? await readIncidentList(decoded.body) : null;
  expect(reading).not.toBeNull();
  if (!reading) return 'without a list';
  expectSound(reading, made.length);
  const shown = new Map(reading.rows.map((row) => [row.id, row]));
  for (const { fate, id, raw } of made) {
    if (fate === 'good') expectSurvivor(shown.get(id), raw as WireIncident);
    if (fate === 'kept' || fate === 'bad') expect(shown.has(id)).toBe(fate === 'kept');
  }
  const least = made.filter(({ fate }) => fate === 'good' || fate === 'kept').length;
  const most = made.filter(({ fate }) => fate !== 'bad').length;
  expect(reading.rows.length >= least && reading.rows.length <= most).toBe(true);
  return reading.unreadable.length === 0 ? 'read' : 'read in part';
}

/** Bytes that may be no JSON, or JSON of any shape. */
async function checkBytes(bytes: Uint8Array): Promise<string> {
  const decoded = await decodeAnswer(bytes, listAnswer);
  if ('refused' in decoded) return decoded.refused;
  const { body } = decoded;
  const reading = await readIncidentList(body);
  if (reading === null) {
    expect(Array.isArray(body)).toBe(false);
    return 'without a list';
  }
  const lists: unknown[] = Array.isArray(body) ? [body] : Object.values(body as object);
  const lengths = lists.filter((value) => Array.isArray(value)).map((list) => list.length);
  expect(lengths).toContain(reading.rows.length + reading.unreadable.length);
  expectSound(reading, reading.rows.length + reading.unreadable.length);
  return reading.unreadable.length === 0 ? 'read' : 'read in part';
}

it(
  'reads any list answer record by record, and never breaks on one',
  async () => {
    const outcomes = await runCampaign({ name: 'list-bodies', whole: 10_000, part: 250 }, (draw, index) => {
      if (index % 4 !== 0) return checkRecords(draw);
      const records = [0, 1, 2].map((at) => makeRecord(draw, at).raw);
      const text = jsonText(draw.pick(wrappers)(records));
      switch (draw.below(6)) {
        case 0:
          return checkBytes(drawBytes(draw, 200));
        case 1:
          return checkBytes(Buffer.from(`<!doctype html><title>${drawText(draw, 40)}</title>`));
        case 2:
          return checkBytes(Buffer.from(jsonText(drawJunk(draw))));
        default:
          return checkBytes(damage(Buffer.from(text), draw));
      }
    });
    // A campaign whose every body is refused at the door would prove nothing of the readers.
    for (const outcome of ['read', 'read in part', 'not JSON', 'without a list']) {
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
    }
  },
  campaignTimeoutMs,
);
