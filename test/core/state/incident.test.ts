import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excessiveEntry } from '../../../src-main/core/base/json.ts';
import { findList, readIncidentList } from '../../../src-main/core/service/api/incidentList.ts';
import { readIncidentRecord } from '../../../src-main/core/state/incident.ts';
import { absentFields, fieldFaults, rankFaults, unusableIds } from './fieldFaults.ts';
import { wireIncident } from './wireIncident.ts';
import { said } from '../../support/messages.ts';
import { english } from '../../../src-main/core/base/messages/message.ts';

const read = (change: object) => readIncidentRecord({ ...wireIncident('inc-1'), ...change });

function reasonFor(change: object): string {
  const reading = read(change);
  if (reading.readable) throw new Error('It was readable');
  return english(reading.unreadable.reason);
}

describe('one incident', () => {
  it('is read with every field of the specification', () => {
    expect(
      read({ blockchain_records: ['0xab'], location: { latitude: 1, longitude: 2, altitude: 3 } }),
    ).toEqual({
      readable: true,
      record: {
        id: 'inc-1',
        incidentType: 'fire',
        severity: 'high',
        status: 'open',
        createdAtText: '2026-11-20T12:00:00Z',
        createdAt: Date.UTC(2026, 10, 20, 12),
        evidenceCount: 2,
        blockchainRecords: ['0xab'],
        location: { latitude: 1, longitude: 2, altitude: 3 },
        otherFields: [],
        unreadable: [],
      },
    });
  });

  it.each([{ location: null }, { location: undefined }])('may have no location: %j', (change) => {
    const reading = read(change);
    expect(reading.readable && reading.record.location).toBeNull();
  });

  it.each([...fieldFaults, ...rankFaults])('is read with $name', ({ change, unreadable }) => {
    const reading = read(change);
    if (!reading.readable) throw new Error(english(reading.unreadable.reason));
    const { record } = reading;
    expect(record.unreadable.map(({ name }) => name)).toEqual(unreadable);
    for (const { name, json } of record.unreadable) {
      const [field, member] = name.split('.') as [string, string?];
      const sent = (change as Record<string, unknown>)[field];
      const value = member === undefined ? sent : (sent as Record<string, unknown>)[member];
      expect(JSON.stringify(value)?.startsWith(json?.slice(0, 500).replace(/…$/, '') ?? '?')).toBe(true);
      expect(json?.length).toBeLessThanOrEqual(514);
    }
    // What could not be read is unknown, and nothing else is.
    expect(Number.isNaN(record.createdAt)).toBe(unreadable.includes('created_at'));
    expect(record.createdAtText === '').toBe(unreadable.includes('created_at'));
    expect(record.evidenceCount === null).toBe(unreadable.includes('evidence_count'));
    expect(record.location === null).toBe(unreadable.includes('location'));
    expect(record.incidentType === '').toBe(unreadable.includes('incident_type'));
    expect(record.severity === '').toBe(unreadable.includes('severity'));
    expect(record.status === '').toBe(unreadable.includes('status'));
  });

  it.each(absentFields)('is read without $name', ({ name, raw }) => {
    const reading = readIncidentRecord(raw);
    expect(reading.readable && reading.record.unreadable).toEqual([{ name, json: null }]);
  });

  it('keeps the blockchain records that can be read', () => {
    const reading = read({ blockchain_records: ['0xab', null, 5, '0xcd'] });
    expect(reading.readable && reading.record.blockchainRecords).toEqual(['0xab', '0xcd']);
  });

  it('takes a whole number for an id', () => {
    const reading = read({ id: 7_001 });
    expect(reading.readable && reading.record.id).toBe('7001');
  });

  it.each(unusableIds)('is set aside with the id %j', (id) => {
    expect(reasonFor({ id })).toBe('has no usable id');
  });

  it('keeps unknown fields in order, capped', () => {
    const reading = read({
      zone: { a: 1 },
      note: 'x'.repeat(10_000_000),
      location: { latitude: 1, longitude: 2, datum: 'W' },
    });
    const fields = reading.readable ? reading.record.otherFields : [];
    expect(fields.map((field) => field.name)).toEqual(['zone', 'note', 'location.datum']);
    expect(fields[0]?.json).toBe('{"a":1}');
    expect(fields[1]?.json.length).toBeLessThan(5000);
  });

  it('keeps 16 KiB of unknown fields at most', () => {
    const names = Array.from({ length: 40 }, (_, index) => [`field-${String(index)}`, 'x'.repeat(4_000)]);
    const reading = read(Object.fromEntries(names));
    const fields = reading.readable ? reading.record.otherFields : [];
    expect(fields.length).toBeGreaterThan(3);
    expect(fields.reduce((sum, { json }) => sum + json.length, 0)).toBeLessThan(16_384 + 200);
  });

  it('shows HTML and __proto__ verbatim and lets neither act', () => {
    const hostile = '<img src=x onerror=alert(1)>';
    const body: unknown = JSON.parse(
      JSON.stringify({
        ...wireIncident('__proto__'),
        incident_type: hostile,
        severity: '__proto__',
        status: 'constructor',
      }).replace(/}$/, ',"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
    );
    const reading = readIncidentRecord(body);
    if (!reading.readable) throw new Error(english(reading.unreadable.reason));
    expect(reading.record.incidentType).toBe(hostile);
    expect(reading.record.id).toBe('__proto__');
    expect(reading.record.otherFields.map((field) => field.name)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(reading.record)).toBe(Object.prototype);
  });

  it('survives a field that is nested too deep to print', () => {
    const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    const reading = read({ deep });
    expect(reading.readable && reading.record.otherFields[0]?.json.length).toBeLessThan(5000);
  });

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
        expect(typeof readIncidentRecord(value).readable).toBe('boolean');
      }),
      { numRuns: 500 },
    );
  });

  it('is read whatever stands in a field other than the id', () => {
    const fields = Object.keys(wireIncident('a')).filter((name) => name !== 'id');
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.jsonValue(), (field, value) => {
        expect(read({ [field]: value }).readable).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a list of incidents', () => {
  const one = wireIncident('a');

  it.each([
    ['a bare array', [one]],
    ['items', { items: [one] }],
    ['results beside another array', { warnings: [], results: [one] }],
    ['the only array', { total: 1, whatever: [one] }],
  ])('is found in %s', (_, body) => {
    expect(findList(body)?.records).toHaveLength(1);
  });

  it.each([[null], ['<html>'], [12], [{}], [{ error: 'x' }], [{ a: [], b: [] }], [{ items: 'x' }]])(
    'is not found in %j',
    async (body) => {
      expect(await readIncidentList(body)).toBeNull();
    },
  );

  it('takes the cursor of the body before that of a header', () => {
    expect(findList({ items: [], next_cursor: 'b' }, 'h')?.nextCursor).toBe('b');
    expect(findList({ items: [], next_cursor: null }, 'h')?.nextCursor).toBe('h');
    expect(findList([], 'h')?.nextCursor).toBe('h');
    expect(findList({ items: [], next_cursor: { a: 1 } })?.nextCursor).toBeNull();
  });

  it('sets one bad record among a thousand aside and keeps the rest', async () => {
    const body: unknown[] = Array.from({ length: 1000 }, (_, index) => wireIncident(`inc-${String(index)}`));
    body[500] = { ...wireIncident('bad'), id: null };
    const reading = await readIncidentList(body);
    expect(reading?.rows).toHaveLength(999);
    expect(reading?.unreadable).toMatchObject([{ reason: { id: 'record.noId', values: {} } }]);
  });

  it('remembers as many of the unreadable records as a page has, and counts them all', async () => {
    const bad = Array.from({ length: 1_000 }, () => ({}));
    const reading = await readIncidentList([...bad, one, excessiveEntry]);
    expect(reading?.rows.map(({ id }) => id)).toEqual(['a']);
    expect(reading?.unreadable).toHaveLength(200);
    expect(reading?.unreadableCount).toBe(1_001);
  });

  it('says of an entry that was too large to parse that it was', async () => {
    const reason = 'larger or nested deeper than the console reads';
    const unreadable = (await readIncidentList([excessiveEntry]))?.unreadable;
    expect(unreadable).toEqual([{ json: '', key: '0 ', reason: { id: 'record.excessive', values: {} } }]);
    expect(said(unreadable?.[0]?.reason)).toBe(reason);
  });

  it('never throws, whatever comes, and loses no record without counting it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.anything()), async (body) => {
        const reading = await readIncidentList(body);
        expect((reading?.rows.length ?? 0) + (reading?.unreadableCount ?? 0)).toBe(body.length);
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (body) => {
        await readIncidentList(body);
      }),
    );
  });
});
