import { expect, it, onTestFinished } from 'vitest';
import { ok } from '../../../../../src-preload/contract/index.ts';
import { sleep } from '../../../../../src-main/core/base/sleep.ts';
import { testStart } from '../../../../support/clock.ts';
import { ListService, weekOfIncidents } from './listService.ts';
import { createSyncRig, wasRead, type SyncRig } from './syncRig.ts';

interface Read {
  readonly from: number;
  readonly to: number;
  readonly isNewest: boolean;
  readonly rows: number;
}

const least = 7_500;
const stepMs = 2_500;
const mostSteps = 400;

/** A sync whose lists take 7.5 s each, on a line with room for `atOnce`, whose rows have so many bytes. */
async function open(atOnce: number, rowBytes = 0): Promise<{ readonly sr: SyncRig; readonly reads: Read[] }> {
  const service = new ListService(weekOfIncidents({ count: 1_000, now: testStart }));
  const reads: Read[] = [];
  const sr = await createSyncRig(service, {
    line: { readsAtOnce: (most) => Math.min(atOnce, most), lastRate: 8_000 },
    api: {
      async listIncidents({ startTime, endTime, limit }, call) {
        const from = sr.clock.elapsed();
        await sleep(sr.clock, least, call?.signal ?? new AbortController().signal);
        const isNewest = endTime === undefined || endTime * 1_000 > sr.clock.wallNow();
        const asked = Object.entries({ start_time: startTime, end_time: endTime, limit });
        const given = asked.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
        const { body } = service.answer(Object.fromEntries(given) as Record<string, string>);
        const rows = (body as unknown[]).length;
        reads.push({ from, to: sr.clock.elapsed(), isNewest, rows });
        return ok({ body, requestId: null, responseMs: least, linkCursor: null, bytes: rows * rowBytes });
      },
    },
  });
  onTestFinished(() => sr.close());
  sr.sync.start({ ledger: null });
  for (let steps = 0; !wasRead(sr) && steps < mostSteps; steps += 1) await sr.clock.advance(stepMs);
  return { sr, reads };
}

/** The most reads that ran at one time. */
const mostAtOnce = (reads: readonly Read[]): number =>
  Math.max(...reads.map(({ from }) => reads.filter((one) => one.from <= from && from < one.to).length));

it.each([
  [1, 2],
  [4, 5],
])(
  'the first reading runs as many reads as the line has room for, beside the newest: %d',
  async (n, most) => {
    const { sr, reads } = await open(n);
    expect(sr.known()).toHaveLength(1_000);
    expect(mostAtOnce(reads)).toBeLessThanOrEqual(most);
    expect(mostAtOnce(reads)).toBeGreaterThanOrEqual(n);
  },
);

it('what is read again leaves most of a slow line to others, and the newest window half of it', async () => {
  const { sr, reads } = await open(1);
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += stepMs) await sr.clock.advance(stepMs);
  };
  await pass(600_000);
  reads.length = 0;
  await pass(600_000);
  const busy = (of: readonly Read[]): number => of.reduce((ms, { from, to }) => ms + to - from, 0);
  const newest = reads.filter(({ isNewest }) => isNewest);
  expect(newest.length).toBeGreaterThan(25);
  expect(busy(newest)).toBeLessThan(0.6 * 600_000);
  expect(busy(reads.filter(({ isNewest }) => !isNewest))).toBeLessThan(0.4 * 600_000);
  expect(sr.meta().freshness).toBe('fresh');
});

it('reads twice without the pauses between polls, however long those are', async () => {
  const service = new ListService(weekOfIncidents({ count: 1_712, now: testStart }));
  const sr = await createSyncRig(service, { intervalMs: 600_000, requestsPerMinute: 120 });
  onTestFinished(() => sr.close());
  sr.sync.start({ ledger: null });
  await sr.pass(59_000);
  expect(sr.state()).toMatchObject({ uncertain: { count: 0 } });
  expect(sr.state().completeAsOf).not.toBeNull();
});

it.each([
  ['packed', 70, 150],
  ['plain', 400, 60],
])('windows have the rows that the line brings in some seconds: %s', async (_, rowBytes, most) => {
  const { reads } = await open(2, rowBytes);
  // But for the plain list, which shows how long a row is.
  const rows = reads.filter(({ isNewest }) => !isNewest).map((one) => one.rows);
  expect(rows.length).toBeGreaterThan(10);
  const sorted = rows.toSorted((a, b) => a - b);
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 0;
  expect(usual).toBeGreaterThan(0.4 * most);
  expect(usual).toBeLessThan(1.1 * most);
});
