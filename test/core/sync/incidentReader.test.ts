import { beforeEach, describe, expect, it } from 'vitest';
import type { IncidentQuery } from '../../../src-preload/contract/index.ts';
import { IncidentReader, type IncidentHarvest } from '../../../src-main/core/sync/incidentReader.ts';
import { wireIncident } from '../domain/wireIncident.ts';
import { failure, ScriptedApi } from './scriptedApi.ts';

const now = Date.UTC(2026, 10, 20, 12, 30);
const all: IncidentQuery = { range: 'all', severities: [], statuses: [], limit: null };
const rows = (count: number, prefix = 'inc') =>
  Array.from({ length: count }, (_, index) => wireIncident(`${prefix}-${String(index)}`));

let api: ScriptedApi;
beforeEach(() => {
  api = new ScriptedApi();
});

async function read(
  query: Partial<IncidentQuery> = {},
  unit: 'seconds' | 'milliseconds' | 'auto' = 'seconds',
): Promise<IncidentHarvest> {
  const reader = new IncidentReader({ api, unit, stationTime: { stationNow: () => now } });
  const options = { interactive: false, recheck: false, signal: new AbortController().signal };
  const harvest = await reader.read({ ...all, ...query }, options);
  if (!harvest.ok) throw new Error(harvest.failure.code);
  return harvest.value;
}

describe('an answer may be cut', () => {
  it.each([
    [0, null, false],
    [1, null, false],
    [49, null, false],
    [50, null, true],
    [200, null, true],
    [1712, null, false],
    [99, 100, false],
    [100, 100, true],
    [50, 100, false],
    [120, 100, true],
  ])('with %i rows and the limit %s: %s', async (count, limit, cut) => {
    api.onList = () => rows(count);
    expect((await read({ limit })).cut).toBe(cut);
    expect(api.asked[0]?.params.limit).toBe(limit ?? undefined);
  });

  it('counts records that could not be read as part of the page', async () => {
    api.onList = () => [...rows(49), { id: 'bad' }];
    expect((await read()).cut).toBe(true);
  });
});

describe('a list in which nothing can be read', () => {
  it('is no answer: what is known stays', async () => {
    api.onList = () => [{ id: 'a' }, { id: 'b' }];
    await expect(read()).rejects.toThrow('unreadable-answer');
  });

  it('is not an empty list, which is an answer', async () => {
    api.onList = () => [];
    expect((await read()).rows.size).toBe(0);
  });
});

describe('a cursor', () => {
  it('is followed to the end, which is then complete', async () => {
    api.onList = ({ cursor }) =>
      cursor === undefined ? { items: rows(50, 'a'), next_cursor: 'two' } : { items: rows(50, 'b') };
    const harvest = await read();
    expect(harvest.rows.size).toBe(100);
    expect(harvest.cut).toBe(false);
    expect(api.asked.map(({ params }) => params.cursor)).toEqual([undefined, 'two']);
  });

  it('that comes again ends the reading', async () => {
    api.onList = () => ({ items: rows(3), next_cursor: 'same' });
    expect((await read()).cut).toBe(true);
    expect(api.asked).toHaveLength(2);
  });

  it('is not followed beyond the limit', async () => {
    api.onList = () => ({ items: rows(10), next_cursor: 'more' });
    expect((await read({ limit: 10 })).cut).toBe(true);
    expect(api.asked).toHaveLength(1);
  });

  it('whose page fails leaves what came before, and says so', async () => {
    api.onList = ({ cursor }) =>
      cursor === undefined ? { items: rows(3), next_cursor: 'two' } : failure('service-error');
    const harvest = await read();
    expect(harvest.rows.size).toBe(3);
    expect(harvest.cut).toBe(true);
    expect(harvest.failure?.code).toBe('service-error');
  });
});

describe('chosen severities and statuses', () => {
  it('are not asked for while the base read is whole', async () => {
    api.onList = () => rows(3);
    await read({ severities: ['high'], statuses: ['open'] });
    expect(api.asked).toHaveLength(1);
    expect(api.asked[0]?.params).toEqual({});
  });

  it('are asked for one by one when it may be cut, and merged', async () => {
    api.onList = ({ severity }) => rows(severity === undefined ? 50 : 7, severity ?? 'base');
    const harvest = await read({ severities: ['high', 'low'] });
    expect(api.asked.map(({ params }) => params.severity)).toEqual([undefined, 'high', 'low']);
    expect(harvest.rows.size).toBe(64);
    expect(harvest.cut).toBe(false);
    expect(harvest.baseCut).toBe(true);
  });

  it('are asked for in pairs when both kinds are chosen, up to a bound', async () => {
    api.onList = ({ severity }) => rows(severity === undefined ? 50 : 1);
    await read({ severities: ['a', 'b'], statuses: ['c', 'd'] });
    expect(api.asked).toHaveLength(5);
    const many = Array.from({ length: 64 }, (_, index) => `s${String(index)}`);
    api.asked.length = 0;
    expect((await read({ severities: many })).cut).toBe(true);
    expect(api.asked).toHaveLength(33);
  });
});

describe('the range', () => {
  it('is sent in the unit of the deployment', async () => {
    await read({ range: '1h' }, 'seconds');
    await read({ range: '1h' }, 'milliseconds');
    await read({ range: '1h' }, 'auto');
    await read({ range: 'all' }, 'seconds');
    const start = Date.UTC(2026, 10, 20, 11, 30);
    expect(api.asked.map(({ params }) => params.startTime)).toEqual([
      start / 1000,
      start,
      undefined,
      undefined,
    ]);
  });

  it('is known to be ignored when rows from before it come; they are kept', async () => {
    api.onList = () => [
      wireIncident('old', '2026-11-01T00:00:00Z'),
      wireIncident('new', '2026-11-20T12:00:00Z'),
    ];
    const harvest = await read({ range: '1h' });
    expect(harvest.rangeIgnored).toBe(true);
    expect(harvest.rows.size).toBe(2);
    expect((await read({ range: '1h' }, 'auto')).rangeIgnored).toBe(false);
  });

  it('includes its bound', async () => {
    api.onList = () => [wireIncident('edge', '2026-11-20T11:30:00Z')];
    expect((await read({ range: '1h' })).rangeIgnored).toBe(false);
  });
});

it('fails with unreadable-answer and the request id when there is no list', async () => {
  api.onList = () => ({ error: 'x' });
  const reader = new IncidentReader({ api, unit: 'auto', stationTime: { stationNow: () => now } });
  const options = { interactive: false, recheck: false, signal: new AbortController().signal };
  expect(await reader.read(all, options)).toMatchObject({
    ok: false,
    failure: { code: 'unreadable-answer', requestId: 'req-1' },
  });
});
