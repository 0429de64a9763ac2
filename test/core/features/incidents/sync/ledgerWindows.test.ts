import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../../../src-main/core/features/incidents/sync/ledger.ts';
import {
  everything,
  newWindow,
  type LedgerWindow,
} from '../../../../../src-main/core/features/incidents/sync/window.ts';
import type {
  SeenRow,
  WindowReading,
} from '../../../../../src-main/core/features/incidents/sync/windowReading.ts';
import { mostUnreadable } from '../../../../../src-main/core/service/api/incidentList.ts';

/** Unix milliseconds, and the same in seconds. */
const now = 2_000_000_000_000;
const nowTick = now / 1000;

const bounds = ({ windows }: Ledger) => windows.map(({ from, to }) => [from, to]);

/** A ledger with these windows, whose service has shown pages of `size`. */
function ledgerOf(
  windows: readonly LedgerWindow[],
  { size = 200 as number | null, proven = false, witness = everything } = {},
): Ledger {
  return new Ledger({ page: { size, witness }, proven, windows });
}

/** `count` rows, the first at tick `from`, each next one `step` ticks before it; every third is open. */
const rowsFrom = (from: number, count: number, step = 1): SeenRow[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `r${at}`,
    createdAt: (from - at * step) * 1000,
    open: at % 3 === 0,
  }));

const reading = (rows: readonly SeenRow[], change: Partial<WindowReading> = {}): WindowReading => ({
  rows,
  unreadable: [],
  unreadableCount: 0,
  largestPage: rows.length,
  followed: false,
  cut: false,
  ...change,
});

const complete = (from: number | null, to: number | null, change: Partial<LedgerWindow> = {}): LedgerWindow =>
  newWindow({ from, to }, { state: 'complete', completeAt: now - 9, readAt: now - 9, ...change });

const unreadable = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ json: '{}', key: `${from + at} {}`, reason: { text: 'x' } }));

describe('what a ledger says of itself', () => {
  const unread = newWindow({ from: 10, to: null });
  const failed = complete(10, null, { state: 'failed' });
  const saturated = newWindow({ from: 10, to: null }, { state: 'saturated' });

  it.each([
    ['all complete and proven', complete(10, null), true, { isComplete: true, wasRead: true }],
    ['all complete and not proven', complete(10, null), false, { isComplete: false, wasRead: false }],
    ['one unread', unread, true, { isComplete: false, wasRead: false }],
    ['one failed that was complete before', failed, true, { isComplete: false, wasRead: true }],
    ['one saturated', saturated, true, { isComplete: false, wasRead: true }],
  ])('%s', (_what, window, proven, said) => {
    expect(ledgerOf([complete(null, 10), window], { proven })).toMatchObject(said);
  });

  it('needs a proof where a complete window rests on the page size, and for no other', () => {
    const resting = complete(null, 10, { proofNeeded: 1 });
    expect(ledgerOf([resting, complete(10, null)]).needsProof).toBe(true);
    expect(ledgerOf([complete(null, 10), complete(10, null)]).needsProof).toBe(false);
    const { needsProof } = ledgerOf([newWindow(everything, { state: 'failed', proofNeeded: 5 })]);
    expect(needsProof).toBe(false);
  });

  it.each([
    [null, 150],
    [1_000, 150],
    [100, 75],
    [1, 1],
  ])('after a page of %s fills a window well with %i rows', (size, target) => {
    expect(ledgerOf([newWindow(everything)], { size }).target).toBe(target);
  });
});

describe('an answer', () => {
  it('is written down whole, and clears what failed before', () => {
    const window = newWindow({ from: 0, to: 100 }, { busy: true, failures: 3, retryAt: 7, proofNeeded: 4 });
    const ledger = ledgerOf([window]);
    const set = unreadable(2);
    const answer = reading(rowsFrom(50, 4), { unreadable: set, unreadableCount: 2 });
    expect(ledger.take(window, answer, 'seconds', now)).toBe('complete');
    expect(window).toEqual(
      complete(0, 100, {
        completeAt: now,
        readAt: now,
        rows: 6,
        open: 2,
        unreadable: set,
        unreadableCount: 2,
        proofNeeded: 1,
      }),
    );
  });

  it('of unreadable records is split where the present is', () => {
    const ledger = new Ledger();
    expect(ledger.take(ledger.recent, reading([], { unreadableCount: 200 }), 'seconds', now)).toBe('split');
    expect(bounds(ledger)).toEqual([
      [null, nowTick],
      [nowTick, null],
    ]);
  });

  it('without a unit is not trusted, nor split or parted', () => {
    const window = newWindow(everything);
    const ledger = ledgerOf([window]);
    expect(ledger.take(window, reading(rowsFrom(50, 10)), null, now)).toBe('saturated');
    const many = reading(rowsFrom(nowTick, 900), { followed: true });
    expect(ledger.take(window, many, null, now)).toBe('complete');
    expect(ledger.windows).toHaveLength(1);
  });

  it('whose pages were not followed to their end is not whole, however few rows it has', () => {
    const window = newWindow({ from: 0, to: 100 });
    const cut = reading(rowsFrom(50, 10), { followed: true, cut: true });
    expect(ledgerOf([window]).take(window, cut, 'seconds', now)).toBe('split');
  });

  it('that was cut while pages are followed is split into few parts', () => {
    const window = newWindow({ from: 0, to: 100_000 });
    const ledger = ledgerOf([window]);
    ledger.take(window, reading(rowsFrom(99_999, 200, 50), { followed: true, cut: true }), 'seconds', now);
    expect(ledger.windows).toHaveLength(2);
  });

  const smallest = { from: 100, to: 101 };
  const crowd = (count: number): SeenRow[] => rowsFrom(100, count, 0);

  it.each([
    [30, 'complete', 'little'],
    [60, 'complete', 'no multiple of a usual cap'],
    [100, 'split', 'a multiple of one'],
    [200, 'split', 'a full page'],
  ])('of %i rows is %s at once: %s', (count, verdict) => {
    const window = newWindow({ from: 0, to: 5_000 });
    const ledger = ledgerOf([window], { size: 1_000 });
    expect(ledger.take(window, reading(rowsFrom(4_000, count)), 'seconds', now)).toBe(verdict);
    // Only what may be whole is compared with its parts.
    expect(ledger.windows.filter(({ check }) => check !== null).length > 0).toBe(count === 100);
  });

  it('that is the part of one to be checked is not checked again, and a full page is never whole', () => {
    const check = {
      ids: new Set(rowsFrom(4_000, 200).map(({ id }) => id)),
      rows: 200,
      span: everything,
      readAt: now,
    };
    const window = newWindow({ from: 0, to: 5_000 }, { check });
    const ledger = ledgerOf([window], { size: 1_000 });
    expect(ledger.take(window, reading(rowsFrom(4_000, 100)), 'seconds', now)).toBe('complete');
    expect(window.check).toBeNull();
    const full = newWindow({ from: 0, to: 5_000 }, { check });
    expect(ledgerOf([full], { size: 1_000 }).take(full, reading(rowsFrom(4_000, 200)), 'seconds', now)).toBe(
      'split',
    );
  });

  it('that shows more than the one that it was split from makes that one the witness', () => {
    const window = newWindow({ from: 1_000, to: 5_000 });
    const ledger = ledgerOf([window]);
    ledger.take(window, reading(rowsFrom(4_000, 100)), 'seconds', now);
    const part = ledger.windows.find(({ check }) => check !== null) as LedgerWindow;
    const unknown = { id: 'unknown', createdAt: 2_000_000, open: false };
    ledger.take(part, reading([unknown]), 'seconds', now + 1);
    expect(ledger.page).toMatchObject({ size: 100, witness: { from: 1_000, to: 5_000 } });
  });

  it('that looks cut and cannot be checked by halves rests on the page size', () => {
    const window = newWindow(smallest);
    const ledger = ledgerOf([window]);
    expect(ledger.take(window, reading(crowd(100)), 'seconds', now)).toBe('complete');
    expect(window).toMatchObject({ state: 'complete', completeAt: now, proofNeeded: 1 });
    expect(ledger).toMatchObject({ needsProof: true, wasRead: false });
  });

  it('that fills a page and cannot be split is saturated, which ends the first reading too', () => {
    const window = newWindow(smallest);
    const ledger = ledgerOf([complete(null, 100), window, complete(101, null)]);
    expect(ledger.take(window, reading(crowd(200)), 'seconds', now)).toBe('saturated');
    expect(window.state).toBe('saturated');
    expect(ledger.wasRead).toBe(true);
  });

  it('that shows a larger page proves what was read before, also where it is split itself', () => {
    const window = complete(10, null);
    const ledger = ledgerOf([complete(null, 10, { proofNeeded: 1 }), window], { size: 50 });
    expect(ledger.wasRead).toBe(false);
    expect(ledger.take(window, reading(rowsFrom(nowTick, 200)), 'seconds', now)).toBe('split');
    expect(ledger.wasRead).toBe(true);
  });

  it('ends no first reading while another window is unread, or rests on the page size', () => {
    const window = newWindow({ from: null, to: 10 });
    const unread = ledgerOf([window, newWindow({ from: 10, to: null })]);
    unread.take(window, reading([]), 'seconds', now);
    expect(unread.wasRead).toBe(false);
    const resting = ledgerOf([newWindow({ from: 0, to: 10 })]);
    resting.take(resting.recent, reading(rowsFrom(5, 3)), 'seconds', now);
    expect(resting.wasRead).toBe(false);
    expect(resting.takeWitness(200, now + 1)).toBe('proven');
    expect(resting.wasRead).toBe(true);
  });

  it('to a window that is no more in the ledger changes no other', () => {
    const gone = newWindow({ from: 0, to: 5_000 });
    const ledger = ledgerOf([complete(null, 10, { rows: 90 }), complete(10, null)]);
    expect(ledger.take(gone, reading(rowsFrom(4_000, 200)), 'seconds', now)).toBe('split');
    ledger.take(gone, reading([]), 'seconds', now);
    expect(bounds(ledger)).toEqual([
      [null, 10],
      [10, null],
    ]);
  });
});

describe('a read that failed', () => {
  it.each([
    ['of its own', true, null, { state: 'failed', retryAt: 77 }],
    ['of its own, complete before', true, now, { state: 'failed', retryAt: 77 }],
    ['of the link', false, null, { state: 'failed', retryAt: null }],
    ['of the link, complete before', false, now, { state: 'complete', retryAt: null }],
  ])('%s', (_what, own, completeAt, after) => {
    const window = newWindow(everything, {
      state: completeAt === null ? 'unread' : 'complete',
      completeAt,
      busy: true,
      failures: 2,
      retryAt: 5,
    });
    ledgerOf([window]).failed(window, own, 77);
    expect(window).toMatchObject({ ...after, busy: false, failures: 3 });
  });

  it('is tried again at once where the link is cleared', () => {
    const ledger = ledgerOf([complete(null, 10, { retryAt: 5 }), complete(10, null, { retryAt: 6 })]);
    ledger.clear();
    expect(ledger.windows.map(({ retryAt }) => retryAt)).toEqual([null, null]);
  });

  it('as its answer is too large halves the window, which stays as complete as it was', () => {
    const ledger = ledgerOf([complete(0, 100, { readAt: now })]);
    expect(ledger.splitUnseen(ledger.recent, 'seconds', now)).toBe(true);
    expect(ledger.windows).toEqual([
      newWindow({ from: 0, to: 50 }, { completeAt: now - 9, readAt: now - 9 }),
      newWindow({ from: 50, to: 100 }, { completeAt: now - 9, readAt: now - 9 }),
    ]);
    const open = new Ledger();
    expect(open.splitUnseen(open.recent, 'seconds', now + 999)).toBe(true);
    expect(bounds(open)).toEqual([
      [null, nowTick],
      [nowTick, null],
    ]);
    const smallest = ledgerOf([complete(4, 5)]);
    expect(smallest.splitUnseen(smallest.recent, 'seconds', now)).toBe(false);
    expect(smallest.windows).toHaveLength(1);
  });
});

it('an incident that was heard of makes due the windows that may hold it, where they were read', () => {
  const ledger = ledgerOf([
    complete(null, 10, { readAt: null }),
    complete(null, 20, { readAt: 5 }),
    complete(30, null, { readAt: 6 }),
  ]);
  ledger.hasten(9_000, 'seconds');
  expect(ledger.windows.map(({ readAt }) => readAt)).toEqual([null, 0, 6]);
});

describe('a page size that does not hold', () => {
  it('has only those windows read again that rest on it, since it was last shown', () => {
    const proven = complete(0, 10, { proofNeeded: 1 });
    const resting = complete(10, 20, { proofNeeded: 2 });
    const failed = complete(20, 30, { state: 'failed', proofNeeded: 9 });
    const free = complete(30, 40);
    const shown = newWindow({ from: 40, to: 41 });
    const ledger = ledgerOf([proven, resting, failed, free, shown], { proven: true });
    // The first read shows a full page: what rests on read 1 is proven by it.
    ledger.take(shown, reading(rowsFrom(40, 200, 0)), 'seconds', now);
    expect(ledger.takeWitness(120, now + 1)).toBe('contradicted');
    expect(ledger.page).toMatchObject({ size: 120, witness: { from: 40, to: 41 }, provenAt: now + 1 });
    expect(resting).toEqual(newWindow({ from: 10, to: 20 }, { readAt: now - 9 }));
    expect(ledger.windows.map(({ state }) => state)).toEqual([
      ...['complete', 'unread', 'failed', 'complete', 'saturated'],
    ]);
    expect(failed).toMatchObject({ completeAt: now - 9, proofNeeded: 9 });
  });

  it('is asked of everything where nothing has shown one', () => {
    const ledger = new Ledger();
    expect(ledger.takeWitness(5, now)).toBe('proven');
    expect(ledger.page.witness).toEqual(everything);
  });
});

describe('an earliest time', () => {
  const three = (): Ledger => ledgerOf([complete(null, 10), complete(10, 20), complete(20, null)]);

  it.each([
    [
      5,
      [
        [5, 10],
        [10, 20],
        [20, null],
      ],
    ],
    [
      10,
      [
        [10, 20],
        [20, null],
      ],
    ],
    [
      15,
      [
        [15, 20],
        [20, null],
      ],
    ],
    [25, [[25, null]]],
  ])('of %i leaves %j', (tick, left) => {
    const ledger = three();
    ledger.beginAt(tick);
    expect(bounds(ledger)).toEqual(left);
  });

  it('cuts a window in place, as a read of it may be under way', () => {
    const ledger = three();
    const [, window] = ledger.windows;
    ledger.beginAt(12);
    expect(ledger.windows[0]).toBe(window);
    ledger.beginAt(14);
    expect(window?.from).toBe(14);
    ledger.beginAt(3);
    expect(window?.from).toBe(14);
  });

  it('behind every window leaves them', () => {
    const ledger = ledgerOf([complete(0, 10)]);
    ledger.beginAt(30);
    expect(bounds(ledger)).toEqual([[0, 10]]);
  });
});

it('a service that follows no windows has one, which was read when the present was, and nothing is proven', () => {
  const ledger = ledgerOf([complete(null, 10), complete(10, null, { readAt: 42 })], { proven: true });
  ledger.flatten();
  expect(ledger.windows).toEqual([newWindow(everything, { readAt: 42 })]);
  expect(ledger.wasRead).toBe(false);
  Object.assign(ledger.recent, { state: 'complete', completeAt: now });
  expect(ledger.isComplete).toBe(false);
});

describe('a complete window that is large', () => {
  const take = (rows: readonly SeenRow[], span = everything, change: Partial<WindowReading> = {}): Ledger => {
    const ledger = ledgerOf([newWindow(span)]);
    ledger.take(ledger.recent, reading(rows, { followed: true, largestPage: 1, ...change }), 'seconds', now);
    return ledger;
  };

  it('is parted in the present from two fifths of a good filling on, and elsewhere from a page on', () => {
    expect(take(rowsFrom(nowTick, 60)).windows).toHaveLength(1);
    expect(take(rowsFrom(nowTick, 61)).windows).toHaveLength(2);
    const past = { from: 0, to: 5_000 };
    expect(take(rowsFrom(4_000, 200), past).windows).toHaveLength(1);
    expect(take(rowsFrom(4_000, 201), past).windows).toHaveLength(2);
  });

  it('keeps ten minutes in the window of the present, or its newest rows where those are older', () => {
    expect(take(rowsFrom(nowTick, 61)).recent.from).toBe(nowTick - 600);
    // The 30 newest of them, a minute each.
    expect(take(rowsFrom(nowTick - 3_600, 61, 60)).recent.from).toBe(nowTick - 3_600 - 29 * 60);
  });

  it('has parts that say what they hold, the last of them also what could not be read', () => {
    const set = unreadable(1);
    const ledger = take(rowsFrom(nowTick, 61), everything, { unreadable: set, unreadableCount: 1 });
    expect(ledger.windows).toEqual([
      complete(null, nowTick - 600, { completeAt: now, readAt: now }),
      complete(nowTick - 600, null, {
        completeAt: now,
        readAt: now,
        rows: 61,
        open: 21,
        unreadable: set,
        unreadableCount: 1,
      }),
    ]);
  });

  it('keeps in its parts that they rest on the page size', () => {
    const ledger = ledgerOf([newWindow(everything)]);
    ledger.take(ledger.recent, reading(rowsFrom(nowTick, 61)), 'seconds', now);
    expect(ledger.windows.map(({ proofNeeded }) => proofNeeded)).toEqual([1, 1]);
  });
});

describe('neighbours', () => {
  /** The bounds after `count` rows came for the first of three windows whose second holds `held`. */
  function after(count: number, held: number, change: Partial<LedgerWindow> = {}): unknown[] {
    const first = newWindow({ from: null, to: 1_000 });
    const ledger = ledgerOf([
      first,
      complete(1_000, 2_000, { rows: held, ...change }),
      complete(2_000, null),
    ]);
    ledger.take(first, reading(rowsFrom(900, count)), 'seconds', now);
    return bounds(ledger);
  }
  const merged = [
    [null, 2_000],
    [2_000, null],
  ];
  const apart = [
    [null, 1_000],
    [1_000, 2_000],
    [2_000, null],
  ];

  it.each([
    ['nothing at all', 0, 0, merged],
    ['little', 10, 20, merged],
    ['three fifths of a good filling', 40, 50, merged],
    ['more than that', 41, 50, apart],
    ['a sliver of a tenth beside much', 15, 130, merged],
    ['more than a sliver beside much', 16, 129, apart],
    ['a sliver beside what it would overfill', 10, 141, apart],
    ['together a usual cap', 20, 30, apart],
    ['together one less than a usual cap', 20, 29, merged],
    ['together one more than a usual cap', 20, 31, merged],
    ['a sliver, and together two usual caps', 10, 90, apart],
  ])('that hold %s: %i and %i', (_what, count, held, left) => {
    expect(after(count, held)).toEqual(left);
  });

  it.each([
    ['is being read', { busy: true }],
    ['is to be checked', { check: { ids: new Set<string>(), rows: 1, span: everything, readAt: now } }],
    ['is not complete', { state: 'failed' as const }],
  ])('stay apart where one %s', (_what, change) => {
    expect(after(5, 5, change)).toEqual(apart);
  });

  it('are joined with all that they know, in both directions', () => {
    const middle = newWindow({ from: 1_000, to: 2_000 });
    const ledger = ledgerOf([
      complete(null, 1_000, {
        completeAt: now - 5,
        readAt: now - 20,
        rows: 3,
        open: 1,
        proofNeeded: 7,
        unreadable: unreadable(mostUnreadable - 1),
        unreadableCount: 1_000,
      }),
      middle,
      complete(2_000, 3_000, {
        completeAt: now - 10,
        readAt: now - 8,
        rows: 4,
        open: 2,
        proofNeeded: 2,
        unreadable: unreadable(5, 500),
        unreadableCount: 5,
      }),
      complete(3_000, null),
    ]);
    ledger.take(middle, reading(rowsFrom(1_500, 2)), 'seconds', now);
    expect(ledger.windows).toEqual([
      complete(null, 3_000, {
        completeAt: now - 10,
        readAt: now - 20,
        rows: 9,
        open: 4,
        proofNeeded: 7,
        unreadable: [...unreadable(mostUnreadable - 1), ...unreadable(1, 500)],
        unreadableCount: 1_005,
      }),
      complete(3_000, null),
    ]);
  });
});
