import { describe, expect, it } from 'vitest';
import {
  ListReader,
  listPerSeverity,
  type ListPages,
} from '../../../../../src-main/core/features/incidents/sync/listReader.ts';
import type {
  ListIncidentsParams,
  ServiceAnswer,
} from '../../../../../src-main/core/service/api/infrastructure.ts';
import { momentsOf } from '../../../../../src-main/core/base/failure.ts';
import { otherName } from '../../../../../src-main/core/state/dictionary.ts';
import { LargeAnswerPermit } from '../../../../../src-main/core/service/transport/largeAnswers.ts';
import { ok, type Result } from '../../../../../src-preload/contract/index.ts';
import { weekOfIncidents } from './listService.ts';
import { failure } from './scriptedApi.ts';

const now = Date.UTC(2026, 10, 20, 12, 0, 0);
const lost = failure('unreachable');
const day = { startTime: now / 1_000 - 86_400, endTime: now / 1_000 + 60 };
const all = weekOfIncidents({ count: 900, now }).filter(
  ({ created_at }) => Date.parse(created_at) / 1_000 >= day.startTime,
);
type Wire = (typeof all)[number];
const newest = (a: Wire, b: Wire): number => Date.parse(b.created_at) - Date.parse(a.created_at);

/** Reads from a service whose answers are cut after so many rows each; null comes whole. */
async function read(
  cuts: readonly (number | null)[],
  params: ListIncidentsParams = day,
  order: (a: Wire, b: Wire) => number = newest,
) {
  const asked: ListIncidentsParams[] = [];
  const written: string[] = [];
  const account = {
    ...momentsOf(() => now),
    infrastructure: {
      listIncidents(one: ListIncidentsParams): Promise<Result<ServiceAnswer>> {
        const most = cuts[asked.length] ?? null;
        asked.push(one);
        const { startTime = 0, endTime = Infinity } = one;
        const rows = all
          .filter(({ created_at }) => {
            const at = Date.parse(created_at) / 1_000;
            return at >= startTime && at <= endTime;
          })
          .sort(order);
        const cut = most === null ? {} : { cut: lost };
        const body = most === null ? rows : rows.slice(0, most);
        return Promise.resolve(ok({ body, requestId: 'req-1', responseMs: 1, linkCursor: null, ...cut }));
      },
    },
  };
  const reader = new ListReader(account, () => Promise.resolve(true));
  const result = await reader.read(params, {
    signal: new AbortController().signal,
    permit: new LargeAnswerPermit(),
    mostPages: 20,
    ...{ expectsRows: false, interactive: false, recheck: false, onAnswer: () => undefined },
    onPage: (rows) => {
      written.push(...rows.map(({ id }) => id));
      return Promise.resolve();
    },
  });
  if (!result.ok) throw new Error(result.failure.code);
  return { asked, written, pages: result.value };
}

const idsOf = ({ rows }: ListPages): string[] => rows.map(({ id }) => id).sort();
const everything = all.map(({ id }) => id).sort();

describe('a list of a window that is cut', () => {
  it('is asked for the rest alone, and is whole with it', async () => {
    const { asked, written, pages } = await read([60, 20, null]);
    expect(idsOf(pages)).toEqual(everything);
    expect(new Set(written)).toEqual(new Set(everything));
    expect(pages).toMatchObject({ cut: false, followed: false, failure: null });
    expect(asked.map(({ startTime }) => startTime)).toEqual([day.startTime, day.startTime, day.startTime]);
    const ends = asked.map(({ endTime }) => endTime ?? 0);
    expect(ends).toEqual(ends.toSorted((a, b) => b - a));
    expect(new Set(ends).size).toBe(3);
    // A sum of parts says nothing about the service's pages.
    expect(pages.largestPage).toBeLessThan(everything.length);
  });

  it('is asked for the other end where the oldest come first', async () => {
    const { asked, pages } = await read([40, null], day, (a, b) => newest(b, a));
    expect(idsOf(pages)).toEqual(everything);
    expect(asked[1]?.startTime).toBeGreaterThan(day.startTime);
    expect(asked[1]?.endTime).toBe(day.endTime);
  });

  it.each<[string, ListIncidentsParams, (a: Wire, b: Wire) => number, number]>([
    ['has no bounds', {}, newest, 40],
    ['has no order', day, (a, b) => (a.id < b.id ? -1 : 1), 40],
    ['has one record', day, newest, 1],
  ])('stays cut where it %s, and keeps its rows', async (_, params, order, most) => {
    const { asked, written, pages } = await read([most], params, order);
    expect([asked.length, written.length, pages.rows.length]).toEqual([1, most, most]);
    expect(pages).toMatchObject({ cut: true, failure: lost });
  });
});

it('narrows by the words that are known and by the usual ones', async () => {
  const asked: object[] = [];
  const known = { severities: ['High', otherName], statuses: ['parked'] };
  await listPerSeverity(known, (filter) => {
    asked.push(filter);
    return Promise.resolve(null);
  });
  const severities = ['High', 'critical', 'high', 'medium', 'low'];
  const statuses = [{}, ...['parked', 'open', 'resolved'].map((status) => ({ status }))];
  expect(asked).toEqual(
    severities.flatMap((severity) => statuses.map((status) => ({ severity, ...status }))),
  );
});
