import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Ledger,
  type Verdict,
  type WindowReading,
} from '../../../../../src-main/core/features/incidents/sync/ledger.ts';
import { edgesFor } from '../../../../../src-main/core/features/incidents/sync/edges.ts';
import { readLedger, writeLedger } from '../../../../../src-main/core/features/incidents/sync/ledgerText.ts';
import {
  mustHold,
  newWindow,
  spanMs,
  type LedgerWindow,
} from '../../../../../src-main/core/features/incidents/sync/window.ts';
import type { IncidentRecord } from '../../../../../src-main/core/state/incident.ts';

const now = 2_000_000_000_000;
const nowTick = now / 1000;
const limit = 200;

/** A row, and how much of a page it takes. */
interface Row {
  readonly record: IncidentRecord;
  readonly weight: number;
  readonly isHidden: boolean;
}

function rowOf(id: string, createdAt: number, weight = 1, isHidden = false): Row {
  const status = weight % 3 === 0 ? 'open' : 'resolved';
  return { record: { id, createdAt, status } as IncidentRecord, weight, isHidden };
}

interface World {
  rows: Row[];
  /** The most rows of a page, or the most weight. */
  cap: number;
  by: 'rows' | 'weight';
  order: 'falling' | 'rising' | 'mixed';
  /** Whether the service compares with the fractions of its unit. */
  exact: boolean;
}

const readingOf = (
  records: readonly IncidentRecord[],
  change: Partial<WindowReading> = {},
): WindowReading => ({
  rows: records,
  unreadable: [],
  unreadableCount: 0,
  largestPage: records.length,
  followed: false,
  cut: false,
  ...change,
});

/** What a service of that world answers for a window of seconds: hidden rows take their part of the page. */
function answer(
  { rows, cap, by, order, exact }: World,
  { from, to }: LedgerWindow,
  turn: number,
): WindowReading {
  const tick = ({ record }: Row): number =>
    exact ? record.createdAt / 1000 : Math.floor(record.createdAt / 1000);
  const matching = rows.filter((row) => tick(row) >= from && tick(row) <= (to ?? nowTick + 86_400));
  const sorted = matching.toSorted(
    (a, b) => (order === 'rising' ? 1 : -1) * (a.record.createdAt - b.record.createdAt),
  );
  const start = order === 'mixed' && sorted.length > 0 ? (turn * 7) % sorted.length : 0;
  let left = cap;
  const page: Row[] = [];
  for (const row of [...sorted.slice(start), ...sorted.slice(0, start)]) {
    left -= by === 'rows' ? 1 : row.weight;
    if (left < 0 || page.length === limit) break;
    page.push(row);
  }
  return readingOf(page.filter(({ isHidden }) => !isHidden).map(({ record }) => record));
}

interface Course {
  readonly known: ReadonlySet<string>;
  readonly verdicts: readonly Verdict[];
  readonly turns: number;
}

/** Reads as the sync does, until nothing is left to be read; each "complete" on the way is held against the world. */
function readAll(ledger: Ledger, world: World, change: (turn: number) => void = () => undefined): Course {
  const known = new Map<string, IncidentRecord>();
  const verdicts: Verdict[] = [];
  for (let turn = 0; turn < 20_000; turn += 1) {
    ledger.confirm();
    const next = ledger.windows.findLast(({ state }) => state === 'unread');
    if (!next) return { known: new Set(known.keys()), verdicts, turns: turn };
    change(turn);
    const window = ledger.askable(next, now + turn);
    if (!window) continue;
    const first = window.wholeAt === null;
    const expected = [...known.values()].filter(({ createdAt }) => mustHold(window, createdAt, 'seconds'));
    const reading = answer(world, window, turn);
    const fresh = reading.rows.filter(({ id }) => !known.has(id));
    for (const record of reading.rows) known.set(record.id, record);
    const verdict = ledger.take(window, reading, limit, now + turn);
    verdicts.push(verdict);
    for (const { createdAt } of fresh) ledger.named(createdAt, window, first, now + turn);
    const returned = new Set(reading.rows.map(({ id }) => id));
    if (verdict === 'whole' && expected.some(({ id }) => !returned.has(id))) {
      ledger.short(window, reading.rows.length, first, now + turn);
    }
  }
  throw new Error('It does not come to an end');
}

function expectHonest(ledger: Ledger, { rows }: World, known: ReadonlySet<string>): void {
  const uncertain = [
    ...ledger.windows.filter((window) => !ledger.isSettled(window)),
    ...ledger.uncovered,
  ].map((one) => spanMs(one, 'seconds'));
  expect(ledger.isComplete).toBe(uncertain.length === 0);
  for (const { record, isHidden } of rows) {
    if (isHidden || known.has(record.id)) continue;
    const named = uncertain.some(
      ({ from, to }) =>
        record.createdAt > (from ?? -Infinity) - 1000 && record.createdAt < (to ?? Infinity) + 1000,
    );
    if (!named)
      throw new Error(`${record.id} of ${String(record.createdAt)} is missing, and nothing says so`);
  }
}

function expectGapless({ windows }: Ledger): void {
  const first = windows.filter(({ confirms }) => !confirms);
  expect(first[0]?.from).toBe(0);
  expect(first.at(-1)?.to).toBeNull();
  for (const [index, window] of first.entries()) {
    const next = first[index + 1];
    if (next) expect(window.to).toBe(next.from);
  }
  for (const { from, to } of windows) expect(to ?? Infinity).toBeGreaterThan(from);
}

const time = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: now - 600_000_000, max: now - 200_000 }) },
  // Crowds: many in one second, and on its edge.
  { weight: 2, arbitrary: fc.integer({ min: now - 400_002_000, max: now - 400_000_000 }) },
  { weight: 1, arbitrary: fc.constant(now - 300_000_000) },
  { weight: 1, arbitrary: fc.integer({ min: 1_000_000, max: 1_000_000_000 }) },
);
const worldOf = (times: fc.Arbitrary<number>, cap: fc.Arbitrary<number>): fc.Arbitrary<World> =>
  fc
    .record({
      times: fc.array(times, { maxLength: 400 }),
      cap,
      by: fc.constant('rows' as const),
      order: fc.constantFrom('falling' as const, 'rising' as const, 'mixed' as const),
      exact: fc.boolean(),
    })
    .map(({ times: at, ...rest }) => ({
      ...rest,
      rows: at.map((createdAt, index) => rowOf(`r${String(index)}`, createdAt, 1 + (index % 7))),
    }));
const caps = fc.oneof(fc.integer({ min: 10, max: 30 }), fc.constantFrom(50, 73, 100, 150, 200, 1000));
const world = worldOf(time, caps);
const spread = worldOf(fc.integer({ min: now - 600_000_000, max: now - 200_000 }), caps);

describe('a ledger', () => {
  it('knows all, or names every window in which something is missing, whatever the data and the cap', () => {
    fc.assert(
      fc.property(world, (one) => {
        const ledger = new Ledger();
        const { known } = readAll(ledger, one);
        expectHonest(ledger, one, known);
        expectGapless(ledger);
        expect(ledger.wasRead).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('does so where pages are cut by weight, or hide rows after the limit', () => {
    fc.assert(
      fc.property(spread, fc.integer({ min: 2, max: 9 }), (one, most) => {
        const rows = one.rows.map((row, at) => ({ ...row, isHidden: at % 2 === 0 && most % 2 === 0 }));
        const by = most % 2 === 0 ? 'rows' : 'weight';
        const hiding: World = {
          ...one,
          rows,
          by,
          cap: most * 15,
          order: one.order === 'mixed' ? 'falling' : one.order,
        };
        const ledger = new Ledger();
        const { known } = readAll(ledger, hiding);
        expectHonest(ledger, hiding, known);
        expectGapless(ledger);
      }),
      { numRuns: 300 },
    );
  });

  it('does so also when the cap becomes smaller at any moment', () => {
    fc.assert(
      fc.property(spread, fc.nat(60), fc.integer({ min: 10, max: 120 }), (one, moment, smaller) => {
        const ledger = new Ledger();
        const changing = { ...one };
        const { known } = readAll(ledger, changing, (turn) => {
          if (turn === moment) changing.cap = Math.min(one.cap, smaller);
        });
        expectHonest(ledger, one, known);
        expectGapless(ledger);
      }),
      { numRuns: 300 },
    );
  });

  it('is the same after it was stored and restored', () => {
    fc.assert(
      fc.property(world, (one) => {
        const ledger = new Ledger();
        readAll(ledger, one);
        const facts = {
          limit,
          lastReadAt: now,
          incidents: 3,
          keptFrom: null,
        };
        const text = writeLedger(ledger.state, facts);
        const kept = readLedger(text);
        if (!kept) throw new Error('It cannot be read');
        const restored = new Ledger(kept.state);
        expect(writeLedger(restored.state, facts)).toBe(text);
        expect(restored.isComplete).toBe(ledger.isComplete);
      }),
      { numRuns: 100 },
    );
  });

  it('starts empty from a text that is damaged in any place or of another version, or is whole', () => {
    const ledger = new Ledger();
    const rows = Array.from({ length: 700 }, (_, index) =>
      rowOf(`r${String(index)}`, now - 1_000_000 * index),
    );
    readAll(ledger, { rows, cap: 200, by: 'rows', order: 'falling', exact: true });
    const facts = {
      limit,
      lastReadAt: now,
      incidents: 700,
      keptFrom: null,
    };
    const text = writeLedger(ledger.state, facts);
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom('', '9', '-', 'null', ',', '[', 'e9'),
        (at, put) => {
          const kept = readLedger(text.slice(0, at) + put + text.slice(at + 1));
          if (!kept) return;
          const first = new Ledger(kept.state).windows.filter(({ confirms }) => !confirms);
          for (const [index, window] of first.entries()) {
            expect(window.to).toBe(first[index + 1]?.from ?? null);
          }
        },
      ),
      { numRuns: 1000 },
    );
    expect(readLedger('')).toBeNull();
    expect(readLedger(text.replace('"version":4', '"version":3'))).toBeNull();
    expect(readLedger(text)).not.toBeNull();
  });

  it('stays small: neighbours that hold little become one', () => {
    const rows = Array.from({ length: 400 }, (_, index) =>
      rowOf(`r${String(index)}`, now - 300_000 - index * 1000),
    );
    const ledger = new Ledger();
    const { turns } = readAll(ledger, { rows, cap: 200, by: 'rows', order: 'falling', exact: true });
    expect(turns).toBeLessThan(50);
    expect(ledger.windows.length).toBeLessThan(16);
  });
});

const whole = (from: number, to: number | null, change: Partial<LedgerWindow> = {}): LedgerWindow =>
  newWindow({ from, to }, { state: 'whole', wholeAt: now - 300_000, readAt: now - 300_000, ...change });

const ledgerOf = (...windows: LedgerWindow[]): Ledger =>
  new Ledger({ bounds: null, page: 200, strict: false, widest: null, accepted: 0, wasRead: true, windows });

describe('what a ledger says of itself', () => {
  it('is not complete after one read, however few rows it had', () => {
    const ledger = ledgerOf(whole(0, 1000, { rows: 2 }), whole(1000, null));
    expect(ledger.isComplete).toBe(false);
    expect(ledger.uncovered).toHaveLength(2);
    ledger.confirm();
    const second = ledger.windows.filter(({ confirms }) => confirms);
    expect(second.every(({ from, to }) => from !== 1000 && to !== 1000)).toBe(true);
    expect(ledger.isComplete).toBe(false);
    for (const window of second) ledger.take(window, readingOf([]), limit, now);
    expect(ledger.isComplete).toBe(true);
  });

  it('is not complete where the service says that there is more, and asks no further where parts bring nothing', () => {
    const ledger = ledgerOf(newWindow({ from: 0, to: null }));
    const { record } = rowOf('a', now - 5_000_000);
    const more = readingOf([record], { cut: true });
    expect(ledger.take(ledger.recent, more, limit, now)).toBe('split');
    // The same request may bring the rest.
    expect(ledger.windows).toHaveLength(1);
    expect(ledger.take(ledger.recent, more, limit, now)).toBe('split');
    const part = ledger.windows.find(({ to }) => to !== null && to * 1000 >= record.createdAt);
    if (!part) throw new Error('There is no part with it');
    expect(ledger.take(part, more, limit, now)).toBe('saturated');
    expect(ledger.isComplete).toBe(false);
  });

  it('reads a window again whose answer lacked what another one named, and is strict once it is short', () => {
    const at = 300_000;
    const ledger = ledgerOf(whole(0, 1000, { rows: 40 }), whole(1000, null));
    ledger.confirm();
    const by = ledger.windows.find((window) => window.confirms && mustHold(window, at, 'seconds'));
    if (!by) throw new Error('No window confirms it');
    ledger.take(by, readingOf([rowOf('new', at).record]), limit, now);
    ledger.named(at, by, true, now);
    const [window] = ledger.windows.filter(({ confirms }) => !confirms);
    expect(window?.state).toBe('unread');
    if (!window) return;
    ledger.take(window, readingOf([]), limit, now);
    ledger.short(window, 0, true, now);
    expect(ledger.pages.strict).toBe(true);
    expect(ledger.windows.some(({ confirms }) => confirms)).toBe(false);
    expect(ledger.windows.filter(({ state }) => state === 'unread').length).toBeGreaterThan(1);
  });

  it('does not say a word again that was wrong before every window was read whole once more', () => {
    const ledger = ledgerOf(
      whole(0, 1000),
      whole(1000, null),
      whole(0, 500, { confirms: true }),
      whole(500, null, { confirms: true }),
    );
    expect(ledger.isComplete).toBe(true);
    ledger.unsettle(now - 1);
    for (const window of ledger.windows) {
      expect(ledger.isComplete).toBe(false);
      ledger.take(window, readingOf([]), limit, now);
    }
    expect(ledger.isComplete).toBe(true);
  });

  it('takes an answer that was short for the size of pages, unless it may be older than what it lacks', () => {
    const ledger = ledgerOf(whole(0, 1000, { rows: 150 }), whole(1000, null));
    const [window] = ledger.windows;
    if (!window) throw new Error('It has no window');
    const short = (rows: number | null): void => ledger.short(window, rows, true, now);
    short(null);
    expect(ledger.pages.page).toBe(200);
    short(40);
    expect([ledger.pages.page, ledger.pages.target, ledger.pages.largest]).toEqual([40, 30, 10]);
    short(60);
    expect(ledger.pages.page).toBe(40);
    short(2);
    expect([ledger.pages.page, ledger.pages.target]).toEqual([2, 1]);
  });

  it('takes no second for whole that has as many incidents as an answer that was cut', () => {
    const rows = readingOf(['a', 'b', 'c', 'd', 'e'].map((id, at) => rowOf(id, 1_000_000 + at).record));
    const ledger = ledgerOf(whole(0, 1000), newWindow({ from: 1000, to: 1001 }), whole(1001, null));
    const [old, second] = ledger.windows;
    if (!old || !second) throw new Error('It has no such window');
    ledger.short(old, 5, true, now);
    expect(ledger.take(second, rows, limit, now)).toBe('saturated');
    expect(ledger.take(second, readingOf(rows.rows.slice(0, 4)), limit, now)).toBe('whole');
    const calm = ledgerOf(whole(0, 1000), newWindow({ from: 1000, to: 1001 }), whole(1001, null));
    expect(calm.take(calm.windows[1] ?? second, rows, limit, now)).toBe('whole');
  });

  it('is never complete once an answer without a row was cut', () => {
    const ledger = ledgerOf(whole(0, 1000), whole(1000, null));
    const readAll = (): void => {
      for (let left = 20; left > 0 && !ledger.isComplete; left -= 1) {
        ledger.confirm();
        for (const window of ledger.windows) ledger.take(window, readingOf([]), limit, now);
      }
    };
    readAll();
    expect(ledger.isComplete).toBe(true);
    for (const [rows, isComplete] of [
      [1, true],
      [0, false],
    ] as const) {
      const [window] = ledger.windows.filter(({ confirms }) => !confirms);
      if (window) ledger.short(window, rows, false, now - 1);
      readAll();
      expect(ledger.isComplete).toBe(isComplete);
    }
  });

  it('forgets what one bad moment taught after an hour without another, where that leads nowhere', () => {
    const rows = [0, 200, 400, 600, 600, 600].map((at, index) =>
      rowOf(`i-${String(index)}`, now - 7_200_000 + at * 1000),
    );
    const world: World = { rows, cap: 40, by: 'rows', order: 'falling', exact: false };
    const ledger = new Ledger();
    const minute = 60_000;
    const badMoment = (at: number): void => {
      const { recent } = ledger;
      ledger.short(recent, 2, false, at);
      readAll(ledger, world);
    };
    readAll(ledger, world);
    expect([ledger.isComplete, ledger.wasRead]).toEqual([true, true]);
    // Three incidents of one second are as many as the answer that was cut.
    badMoment(now - 1);
    ledger.reconsider(now + 30 * minute);
    badMoment(now + 31 * minute);
    ledger.reconsider(now + 90 * minute);
    expect([ledger.isComplete, ledger.pages.page]).toEqual([false, 2]);
    ledger.reconsider(now + 91 * minute);
    expect([ledger.isComplete, ledger.wasRead, ledger.windows.length]).toEqual([false, true, 1]);
  });

  it('lets a contradiction count as of the present that a clock hours ahead dated', () => {
    const ledger = ledgerOf(whole(0, 1000), whole(1000, null));
    const hour = 3_600_000;
    const readAll = (at: number): void => {
      ledger.reconsider(at);
      ledger.confirm();
      for (const window of ledger.windows) ledger.take(window, readingOf([]), limit, at);
    };
    ledger.unsettle(now + 25 * hour);
    ledger.reconsider(now + hour);
    expect(ledger.isComplete).toBe(false);
    readAll(now + hour + 1);
    expect(ledger.isComplete).toBe(true);
  });

  it('begins again with the present size of pages', () => {
    const ledger = ledgerOf(whole(0, 1000), whole(1000, 1001, { state: 'saturated' }), whole(1001, null));
    ledger.doubt();
    ledger.reconsider(now - 3_600_001);
    ledger.reconsider(now - 1);
    const rows = [rowOf('a', 1_000_000), rowOf('b', 1_000_000)];
    readAll(ledger, { rows, cap: 40, by: 'rows', order: 'falling', exact: false });
    expect(ledger.isComplete).toBe(true);
    for (const at of [now, now + 3_600_001, now + 7_200_002]) ledger.reconsider(at);
    expect(ledger.windows.length).toBeGreaterThan(1);
  });

  it.each([
    [1, 'unread'],
    [40, 'whole'],
  ] as const)(
    'reads a time without rows in parts where an answer of %i rows was cut and more than that are usual: %s',
    (rows, state) => {
      const records = Array.from({ length: 10 }, (_, at) =>
        rowOf(`i-${String(at)}`, 1_000_000 + at * 90_000),
      );
      const windows = [
        newWindow({ from: 0, to: 2000 }),
        whole(2000, 9000),
        whole(9000, null),
        whole(2000, 9000, { confirms: true }),
      ];
      const ledger = new Ledger({ ...ledgerOf(...windows).state, strict: true });
      const windowAt = (at: number, confirms: boolean): LedgerWindow => {
        const window = ledger.windows.find((one) => one.confirms === confirms && one.from === at);
        if (!window) throw new Error('It has no such window');
        return window;
      };
      ledger.take(windowAt(0, false), readingOf(records.map(({ record }) => record)), limit, now);
      ledger.short(windowAt(2000, true), rows, true, now);
      ledger.take(windowAt(2000, true), readingOf([]), limit, now);
      expect(windowAt(2000, true).state).toBe(state);
    },
  );

  it('confirms the time before all that is known apart, as long as that reaches back', () => {
    const times = [nowTick - 299, nowTick - 250, nowTick - 201];
    const ledger = ledgerOf(whole(0, nowTick - 100, { rows: 20, times }), whole(nowTick - 100, null));
    ledger.confirm();
    expect(ledger.windows[0]).toMatchObject({ confirms: true, from: 0, to: nowTick - 498 });
  });

  it('confirms an old window with few rows beside them', () => {
    const change = { times: [200, 250, 300] };
    const edgesWith = (rows: number): (number | null)[] => {
      const ledger = ledgerOf(whole(0, 100), whole(100, 1000, { ...change, rows }), whole(1000, null));
      ledger.confirm();
      return ledger.windows.filter(({ confirms }) => confirms).map(({ to }) => to);
    };
    expect(edgesWith(9)).toEqual(expect.arrayContaining([199, 301]));
    expect(edgesWith(10)).not.toContain(199);
  });

  it('plans no window for the years to come, where the oldest come first', () => {
    const times = Array.from({ length: 100 }, (_, index) => 1000 + index * 10);
    const edges = edgesFor({ from: 0, to: null }, { times, target: 50, now: 3000, recentFrom: 2400 });
    expect(edges.at(-1)).toBe(2400);
    expect(edges.length).toBeGreaterThan(1);
  });

  it('confirms the smallest window by a wider one', () => {
    const ledger = ledgerOf(
      whole(0, 1000, { state: 'saturated' }),
      whole(1000, 1001),
      whole(1001, null, { state: 'saturated' }),
    );
    ledger.confirm();
    expect(ledger.windows.find(({ confirms }) => confirms)).toMatchObject({ from: 999, to: 1002 });
  });
});

describe('the first reading', () => {
  const evenly = (count: number, cap: number): World => ({
    rows: Array.from({ length: count }, (_, index) => rowOf(String(index), now - 300_000 * (index + 1))),
    ...{ cap, by: 'rows', order: 'falling', exact: false },
  });
  const begun = (world: World): Ledger => {
    const ledger = new Ledger();
    ledger.bounds = { unit: 'seconds', shift: 0, margin: 0, isOdd: false };
    ledger.begin(answer(world, newWindow({ from: 0, to: null }), 0), now);
    return ledger;
  };

  it('asks for as much as a page has, where incidents are as dense as before', () => {
    const world = evenly(2_000, limit);
    const ledger = begun(world);
    const { known, verdicts } = readAll(ledger, world);
    expect(known.size).toBe(2_000);
    expect(verdicts.filter((verdict) => verdict !== 'whole')).toEqual([]);
    expect(ledger.isComplete).toBe(true);
  });

  it('asks for all of an emptier time at once', () => {
    const world = evenly(400, limit);
    const ledger = begun(world);
    readAll(ledger, world);
    expect(ledger.size).toBeLessThan(15);
  });

  it('counts on no page that the service has not shown', () => {
    const world = evenly(2_000, limit - 1);
    const ledger = begun(world);
    const wide = ledger.first[0] ?? newWindow({ from: 0, to: 1 });
    expect(ledger.askable(wide, now)).toBe(wide);
    expect(readAll(ledger, world).known.size).toBe(2_000);
  });
});

describe('a service that refuses a range', () => {
  it('is asked for its newer part, never again for one as wide, and not for the time long before all that is known', () => {
    const week = 7 * 86_400;
    const ledger = new Ledger();
    let refusals = 0;
    for (let turn = 0; turn < 500; turn += 1) {
      const next = ledger.windows.findLast(({ state }) => state === 'unread');
      if (!next) break;
      const window = ledger.askable(next, now);
      if (!window) continue;
      if ((window.to ?? nowTick + 86_400) - window.from > week) {
        refusals += 1;
        expect(ledger.refused(window, now)).toBe(true);
      } else ledger.take(window, readingOf([]), limit, now);
    }
    expect(refusals).toBeLessThan(20);
    expectGapless(ledger);
    expect(ledger.windows.every(({ state }) => state === 'whole' || state === 'saturated')).toBe(true);
    expect(ledger.windows.filter(({ state }) => state === 'whole').length).toBeGreaterThan(10);
    expect(ledger.isComplete).toBe(false);
  });

  it('for one second is asked for everything around it', () => {
    const ledger = ledgerOf(whole(0, 1000), newWindow({ from: 1000, to: 2000 }), whole(2000, null));
    ledger.take(ledger.recent, readingOf([]), limit, now);
    for (let turn = 0; turn < 100; turn += 1) {
      const window = ledger.windows.find(({ state }) => state === 'unread');
      if (!window) break;
      if (window.from > 1500 || (window.to ?? 0) < 1500) ledger.take(window, readingOf([]), limit, now);
      else if (!ledger.refused(window, now)) ledger.failed(window, true, now + 1);
    }
    expect(
      ledger.windows.filter(({ state }) => state === 'failed').map(({ from, to }) => [from, to]),
    ).toEqual([
      [1499, 1500],
      [1500, 1501],
    ]);
  });
});

describe('a read that failed', () => {
  it.each([
    ['of its own', true, null, { state: 'failed', retryAt: 77 }],
    ['of its own, whole before', true, now, { state: 'failed', retryAt: 77 }],
    ['of the link', false, null, { state: 'failed', retryAt: null }],
    ['of the link, whole before', false, now, { state: 'whole', retryAt: null }],
  ])('%s', (_what, own, wholeAt, after) => {
    const window = newWindow(
      { from: 0, to: null },
      { state: wholeAt === null ? 'unread' : 'whole', wholeAt, busy: true, failures: 2, retryAt: 5 },
    );
    ledgerOf(window).failed(window, own, 77);
    expect(window).toMatchObject({ ...after, busy: false, failures: 3 });
  });
});

describe('retention', () => {
  it('reads nothing before the instant from which on incidents are stored', () => {
    const ledger = ledgerOf(
      whole(0, 100),
      whole(100, 200),
      whole(200, null),
      whole(50, 150, { confirms: true }),
    );
    ledger.beginAt(120);
    expect(ledger.windows.map(({ from, to }) => [from, to])).toEqual([
      [120, 150],
      [120, 200],
      [200, null],
    ]);
  });
});
