import { describe, expect, it } from 'vitest';
import { momentsOf } from '../../../../../src-main/core/base/failure.ts';
import { Ledger } from '../../../../../src-main/core/features/incidents/sync/ledger.ts';
import { Lists } from '../../../../../src-main/core/features/incidents/sync/lists.ts';
import { Missing } from '../../../../../src-main/core/features/incidents/sync/missing.ts';
import { createTestStore } from '../../../state/storeFixtures.ts';
import { wireIncident } from '../../../state/wireIncident.ts';
import { ScriptedApi } from './scriptedApi.ts';
import { syncDeployment } from './syncDeployment.ts';

const start = Date.UTC(2026, 10, 20, 12, 0, 0);
const intervalMs = 15_000;
const call = {
  signal: new AbortController().signal,
  ...{ interactive: false, recheck: false, onAnswer: () => undefined },
};
const iso = (at: number): string => new Date(at).toISOString();
/** A day ago, in seconds of their own. */
const rows = ['a', 'b', 'c'].map((id, at) => wireIncident(id, iso(start - 86_400_000 + at * 60_000)));

/** What was asked for after three incidents became known, of a service that answers as the test says. */
async function knowing() {
  const api = new ScriptedApi();
  const store = createTestStore();
  const ledger = new Ledger();
  ledger.bounds = { unit: 'seconds', shift: 0, margin: 0, isOdd: false };
  const time = { now: start };
  const account = {
    ...{ infrastructure: api, store, deployment: syncDeployment({ intervalMs }) },
    ...momentsOf(() => time.now),
    line: { readsAtOnce: (most: number) => most, lastRate: null },
  };
  const lists: Lists = new Lists(
    account,
    () => Promise.resolve(true),
    (ids) => {
      missing.returned(ids);
    },
  );
  const missing = new Missing(account, lists, () => ledger);
  const read = async (answer: unknown): Promise<void> => {
    api.onList = () => answer;
    await lists.read({ startTime: 0 }, call, {});
    api.asked.length = 0;
  };
  await read(rows);
  const [window] = ledger.first;
  if (window === undefined) throw new Error('No window');
  return {
    ...{ api, ledger, missing, time, window, read },
    lacks: (ids: readonly string[]) => missing.lacked(ids, { window, rows: 2, first: false }, call),
  };
}

/** The service's own window for `a` has no such row, and later an answer has it. */
async function contradicted(blank: boolean) {
  const known = await knowing();
  const { api, time, read, lacks } = known;
  api.onList = () => (blank ? null : []);
  await lacks(['a']);
  time.now += intervalMs;
  await read(rows);
  return known;
}

describe('an incident that an answer lacked', () => {
  it('is asked for at once, by the window of its second', async () => {
    const { api, lacks, missing } = await knowing();
    api.onList = () => [];
    await lacks(['b']);
    const at = Math.floor(Date.parse(rows[1]?.['created_at'] as string) / 1_000);
    expect(api.asked.map(({ params }) => params)).toEqual([{ startTime: at, endTime: at + 1, limit: 200 }]);
    expect(missing.absences.wasAsked('b')).toBe(true);
  });

  it('makes the answer a cut one when its own window has it', async () => {
    const { api, lacks, ledger } = await knowing();
    api.onList = () => [rows[1]];
    await lacks(['b']);
    expect(ledger.pages).toMatchObject({ strict: true, page: 2 });
  });

  it('proves nothing when its own window has no list, but contradicts it when it returns', async () => {
    expect((await contradicted(true)).missing.absences.isFickle(start + intervalMs)).toBe(true);
  });
});

describe('a service that returned what its own window had lacked', () => {
  it('is not taken for one with smaller pages: what was learned from lacks is learned again', async () => {
    const { api, lacks, ledger, read, time } = await knowing();
    ledger.pages.showed(200);
    api.onList = () => [rows[1]];
    await lacks(['b']);
    expect(ledger.pages.page).toBe(2);
    api.onList = () => [];
    await lacks(['a']);
    time.now += intervalMs;
    await read(rows);
    expect(ledger.pages.page).toBe(25);
    ledger.pages.page = 100;
    ledger.pages.relearn();
    expect(ledger.pages.page).toBe(100);
  });

  it('is asked for what a window lacks only after the fourth lack in a row: replicas differ', async () => {
    const { api, lacks, window } = await contradicted(false);
    api.onList = () => [];
    const asked: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      await lacks(['b']);
      asked.push(api.asked.length);
    }
    expect(window.lacks).toBeGreaterThanOrEqual(5);
    // Lacked once before it was fickle: this one's third is the fourth.
    expect(asked.filter((count) => count === 0)).toHaveLength(2);
    expect(asked.at(-1)).toBeGreaterThan(0);
  });

  it('shows no size of a page by what an answer lacked', async () => {
    const { api, lacks, ledger } = await contradicted(false);
    ledger.pages.showed(200);
    api.onList = () => [rows[1]];
    for (let count = 0; count < 4; count += 1) await lacks(['b']);
    expect(ledger.pages).toMatchObject({ strict: true, page: 200 });
  });

  it('begins to count again after an answer that lacked nothing', async () => {
    const { api, lacks } = await contradicted(false);
    api.onList = () => [];
    for (const ids of [['b'], ['b'], [], ['b'], ['b'], ['b']]) await lacks(ids);
    expect(api.asked).toEqual([]);
    await lacks(['b']);
    expect(api.asked).not.toEqual([]);
  });
});
