import { describe, expect, test } from 'vitest';
import type { WireIncident } from '../support/training/index.ts';
import { testStart } from '../support/clock.ts';
import { scene } from './support.ts';

const at = (row: WireIncident): number => Date.parse(row.created_at);
const ids = (rows: readonly WireIncident[]): string[] => rows.map((row) => row.id);
interface Wrapped {
  readonly incidents: WireIncident[];
  readonly next_cursor?: string;
}

describe.each([
  ['seconds', 1000],
  ['milliseconds', 1],
] as const)('bounds in %s', (timestampUnit, unit) => {
  test('start_time and end_time are inclusive and select exactly what lies between', async () => {
    const { server, list } = await scene({ switches: { timestampUnit } });
    const start = testStart - 3_600_000;
    const end = testStart - 1_800_000;
    const onStart = server.addIncident({ id: 'on-start', created_at: new Date(start).toISOString() });
    const onEnd = server.addIncident({ id: 'on-end', created_at: new Date(end).toISOString() });
    server.addIncident({ id: 'before', created_at: new Date(start - 1).toISOString() });
    server.addIncident({ id: 'after', created_at: new Date(end + 1).toISOString() });
    const all = await list();
    const window = await list(`?start_time=${start / unit}&end_time=${end / unit}`);
    expect(ids(window)).toEqual(ids(all.filter((row) => at(row) >= start && at(row) <= end)));
    expect(ids(window)).toEqual(expect.arrayContaining([onStart.id, onEnd.id]));
    expect(ids(window)).not.toContain('before');
    expect(ids(window)).not.toContain('after');
    expect(ids(await list(`?start_time=${start / unit}`))).toEqual(
      ids(all.filter((row) => at(row) >= start)),
    );
    expect(ids(await list(`?end_time=${end / unit}`))).toEqual(ids(all.filter((row) => at(row) <= end)));
  });
});

test('severity and status select, alone and together; an unknown value selects none', async () => {
  const { list } = await scene();
  const all = await list();
  for (const severity of ['low', 'medium', 'high', 'critical']) {
    const wanted = ids(all.filter((row) => row.severity === severity));
    expect(wanted).not.toHaveLength(0);
    expect(ids(await list(`?severity=${severity}`))).toEqual(wanted);
  }
  for (const status of ['open', 'resolved']) {
    expect(ids(await list(`?status=${status}`))).toEqual(ids(all.filter((row) => row.status === status)));
  }
  expect(ids(await list('?severity=high&status=open'))).toEqual(
    ids(all.filter((row) => row.severity === 'high' && row.status === 'open')),
  );
  expect(await list('?severity=HIGH')).toEqual([]);
});

test('limit cuts, zero is nothing, and without it all come', async () => {
  const { list } = await scene();
  const all = await list();
  expect(ids(await list('?limit=10'))).toEqual(ids(all.slice(0, 10)));
  expect(await list('?limit=0')).toEqual([]);
  expect(await list('?limit=2147483647')).toHaveLength(all.length);
});

test('an enforced page limit caps what is asked for and what is not; one not enforced does not', async () => {
  const { server, list } = await scene({ switches: { pageLimit: 50, pageLimitEnforced: true } });
  expect(await list()).toHaveLength(50);
  expect(await list('?limit=1000')).toHaveLength(50);
  expect(await list('?limit=7')).toHaveLength(7);
  await server.set({ pageLimitEnforced: false });
  expect(await list()).toHaveLength(1712);
  expect(await list('?limit=1000')).toHaveLength(1000);
});

test('the order is a switch, and the shuffle belongs to the seed', async () => {
  const first = await scene();
  const times = async (): Promise<number[]> => (await first.list()).map(at);
  expect(await times()).toEqual((await times()).toSorted((a, b) => b - a));
  await first.server.set({ order: 'oldest-first' });
  expect(await times()).toEqual((await times()).toSorted((a, b) => a - b));
  await first.server.set({ order: 'shuffled' });
  const shuffled = ids(await first.list());
  expect(await times()).not.toEqual((await times()).toSorted((a, b) => a - b));
  const again = await scene({ switches: { order: 'shuffled' } });
  expect(ids(await again.list())).toEqual(shuffled);
  const other = await scene({ seed: 8, withoutLocation: 0, switches: { order: 'shuffled' } });
  expect(ids(await other.list())).not.toEqual(shuffled.filter((id) => !id.startsWith('tr-')));
});

test.each([
  'start_time=yesterday',
  'start_time=1.5',
  'end_time=',
  'end_time=9223372036854775808',
  'limit=-1',
  'limit=2147483648',
  'limit=ten',
  'severity=low&severity=high',
])('the malformed query %s is refused', async (query) => {
  const { ask } = await scene();
  const response = await ask(`/incidents?${query}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: expect.any(String) as string });
});

describe.each(['newest-first', 'oldest-first', 'shuffled'] as const)('cursor, %s', (order) => {
  test('pages cover all exactly once, while others arrive and change', async () => {
    const { server, list, ask } = await scene({
      switches: { order, wrapWithCursor: true, pageLimit: 100, pageLimitEnforced: true },
    });
    await server.set({ wrapWithCursor: false, pageLimitEnforced: false });
    const before = ids(await list());
    await server.set({ wrapWithCursor: true, pageLimitEnforced: true });
    const seen: string[] = [];
    let query = '?limit=5000';
    for (let pages = 0; ; pages += 1) {
      expect(pages).toBeLessThan(30);
      const page = (await (await ask(`/incidents${query}`)).json()) as Wrapped;
      expect(page.incidents.length).toBeLessThanOrEqual(100);
      seen.push(...ids(page.incidents));
      if (page.next_cursor === undefined) break;
      query = `?limit=5000&cursor=${encodeURIComponent(page.next_cursor)}`;
      server.addIncident();
      server.changeIncident(before[pages] ?? '', { status: 'resolved' });
    }
    expect(new Set(seen).size).toBe(seen.length);
    const known = new Set(before);
    expect(seen.filter((id) => known.has(id))).toEqual(before);
  });
});

test('a wrapped list pages by the page limit, filters every page, and says when it is the last', async () => {
  const { server, ask } = await scene({ switches: { wrapWithCursor: true, pageLimit: 60 } });
  const first = (await (await ask('/incidents?severity=high')).json()) as Wrapped;
  expect(first.incidents).toHaveLength(60);
  const rest = (await (
    await ask(`/incidents?severity=high&cursor=${first.next_cursor ?? ''}`)
  ).json()) as Wrapped;
  expect([...first.incidents, ...rest.incidents].every((row) => row.severity === 'high')).toBe(true);
  expect(rest).not.toHaveProperty('next_cursor');
  expect((await ask('/incidents?cursor=nonsense')).status).toBe(400);
  await server.set({ order: 'oldest-first' });
  expect((await ask(`/incidents?cursor=${first.next_cursor ?? ''}`)).status).toBe(400);
});
