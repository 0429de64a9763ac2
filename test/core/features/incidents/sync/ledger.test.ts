import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ledger, type Verdict } from '../../../../../src-main/core/features/incidents/sync/ledger.ts';
import { readLedger, writeLedger } from '../../../../../src-main/core/features/incidents/sync/ledgerText.ts';
import { spanMs, type LedgerWindow } from '../../../../../src-main/core/features/incidents/sync/window.ts';
import type { WindowReading } from '../../../../../src-main/core/features/incidents/sync/windowReading.ts';
import { largestPage } from '../../../../../src-main/core/service/api/pageLimits.ts';

const now = 2_000_000_000_000;

interface Row {
  readonly id: string;
  readonly createdAt: number;
  readonly open: boolean;
}

interface World {
  rows: Row[];
  cap: number;
  order: 'falling' | 'rising' | 'mixed';
  /** Whether the service compares with the fractions of its unit. */
  exact: boolean;
}

/** What a service of that world answers for a window of seconds. */
function answer({ rows, cap, order, exact }: World, { from, to }: LedgerWindow, turn: number): WindowReading {
  const tick = ({ createdAt }: Row): number => (exact ? createdAt / 1000 : Math.floor(createdAt / 1000));
  const matching = rows.filter((row) => tick(row) >= (from ?? -Infinity) && tick(row) <= (to ?? Infinity));
  const sorted = matching.toSorted((a, b) => (order === 'rising' ? 1 : -1) * (a.createdAt - b.createdAt));
  const start = order === 'mixed' && sorted.length > 0 ? (turn * 7) % sorted.length : 0;
  const turned = [...sorted.slice(start), ...sorted.slice(0, start)].slice(0, Math.min(cap, largestPage));
  return {
    rows: turned,
    unreadable: [],
    unreadableCount: 0,
    largestPage: turned.length,
    followed: false,
    cut: false,
  };
}

/** Reads windows until none is unread and the page size was shown after the last; gives what is known then. */
function readAll(ledger: Ledger, world: World, change: (turn: number) => void = () => undefined) {
  const known = new Set<string>();
  const verdicts: Verdict[] = [];
  let turn = 0;
  const take = (window: LedgerWindow): void => {
    change(turn);
    const reading = answer(world, window, turn);
    for (const { id } of reading.rows) known.add(id);
    verdicts.push(ledger.take(window, reading, 'seconds', now + turn));
    turn += 1;
  };
  for (;;) {
    if (turn > 20_000) throw new Error('It does not come to an end');
    const window = ledger.windows.find(({ state }) => state === 'unread');
    if (window) {
      take(window);
      continue;
    }
    if (!ledger.needsProof) return { known, verdicts, yielding: turn };
    const { witness } = ledger.page;
    if (!witness) throw new Error('A proof is needed and there is no witness');
    change(turn);
    const reading = answer(world, { ...witness } as LedgerWindow, turn);
    for (const { id } of reading.rows) known.add(id);
    ledger.takeWitness(reading.largestPage, now + turn);
    turn += 1;
  }
}

function expectHonest(ledger: Ledger, { rows }: World, known: ReadonlySet<string>): void {
  const uncertain = ledger.windows
    .filter(({ state }) => state !== 'complete')
    .map((one) => spanMs(one, 'seconds'));
  for (const { id, createdAt } of rows) {
    if (known.has(id)) continue;
    const named = uncertain.some(
      ({ from, to }) => createdAt > (from ?? -Infinity) - 1000 && createdAt < (to ?? Infinity) + 1000,
    );
    if (!named) throw new Error(`${id} of ${String(createdAt)} is missing, and nothing says so`);
  }
}

function expectGapless({ windows }: Ledger): void {
  expect(windows[0]?.from).toBeNull();
  expect(windows.at(-1)?.to).toBeNull();
  for (const [index, window] of windows.entries()) {
    const next = windows[index + 1];
    if (next) expect(window.to).toBe(next.from);
    if (window.from !== null && window.to !== null) expect(window.to).toBeGreaterThan(window.from);
  }
}

const time = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: now - 600_000_000, max: now - 200_000 }) },
  // Crowds: many in one second, and on its edge.
  { weight: 2, arbitrary: fc.integer({ min: now - 400_002_000, max: now - 400_000_000 }) },
  { weight: 1, arbitrary: fc.constant(now - 300_000_000) },
  { weight: 1, arbitrary: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }) },
);
const world: fc.Arbitrary<World> = fc
  .record({
    times: fc.array(time, { maxLength: 400 }),
    cap: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constantFrom(50, 73, 100, 150, 200, 1000)),
    order: fc.constantFrom('falling' as const, 'rising' as const, 'mixed' as const),
    exact: fc.boolean(),
  })
  .map(({ times, ...rest }) => ({
    ...rest,
    rows: times.map((createdAt, index) => ({ id: `r${String(index)}`, createdAt, open: index % 3 === 0 })),
  }));

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

  it('does so also when the cap becomes smaller at any moment', () => {
    fc.assert(
      fc.property(world, fc.nat(60), fc.integer({ min: 1, max: 120 }), (one, moment, smaller) => {
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

  it('is the same after it was kept and restored', () => {
    fc.assert(
      fc.property(world, (one) => {
        const ledger = new Ledger();
        readAll(ledger, one);
        const facts = { unit: 'seconds' as const, lastReadAt: now, incidents: 3, keptFrom: null };
        const text = writeLedger(ledger, facts);
        const kept = readLedger(text);
        if (!kept) throw new Error('It cannot be read');
        expect(writeLedger(new Ledger(kept.state), facts)).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  it('starts empty from a text that is damaged in any place, or is whole', () => {
    const ledger = new Ledger();
    const rows = Array.from({ length: 700 }, (_, index) => ({
      id: `r${String(index)}`,
      createdAt: now - 1_000_000 * index,
      open: false,
    }));
    readAll(ledger, { rows, cap: 200, order: 'falling', exact: true });
    const text = writeLedger(ledger, { unit: 'seconds', lastReadAt: now, incidents: 700, keptFrom: null });
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom('', '9', '-', 'null', ',', '[', 'e9'),
        (at, put) => {
          const kept = readLedger(text.slice(0, at) + put + text.slice(at + 1));
          if (kept) expectGapless(new Ledger(kept.state));
        },
      ),
      { numRuns: 1000 },
    );
    expect(readLedger('')).toBeNull();
    expect(readLedger('{"version":2}')).toBeNull();
    expect(readLedger(text)).not.toBeNull();
  });

  it('stays small: neighbours that hold little become one', () => {
    const rows = Array.from({ length: 400 }, (_, index) => ({
      id: `r${String(index)}`,
      createdAt: now - 300_000 - index * 1000,
      open: false,
    }));
    const ledger = new Ledger();
    const { yielding } = readAll(ledger, { rows, cap: 200, order: 'falling', exact: true });
    expect(yielding).toBeLessThan(40);
    expect(ledger.windows.length).toBeLessThan(12);
  });

  it('splits an answer of the size of a usual cap to check it, and learns that it was cut', () => {
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      id: `r${String(index)}`,
      createdAt: now - 1_000_000 - index * 50_000,
      open: false,
    }));
    const one: World = { rows, cap: 200, order: 'mixed', exact: true };
    const ledger = new Ledger();
    readAll(ledger, one);
    one.cap = 50;
    const full = ledger.windows.find(({ rows: held, to }) => held > 60 && to !== null);
    if (!full) throw new Error('No window is full enough');
    expect(ledger.take(full, answer(one, full, 1), 'seconds', now + 1_000_000)).toBe('split');
    // Its parts alone show that the whole was cut, before any window is asked to prove the page size.
    for (const part of ledger.windows.filter(({ check }) => check !== null)) {
      ledger.take(part, answer(one, part, 5), 'seconds', now + 1_000_001);
    }
    expect(ledger.page.size).toBe(50);
    const { known } = readAll(ledger, one);
    expect(ledger.page.size).toBe(50);
    expect(known.size).toBeGreaterThan(60);
  });

  it('takes no answer at or above the limit asked for as whole, however large a page it has seen', () => {
    const ledger = new Ledger();
    const page = (count: number, from: number): WindowReading => ({
      rows: Array.from({ length: count }, (_, index) => ({
        id: `r${String(from + index)}`,
        createdAt: now - 300_000 - (from + index) * 10_000,
        open: false,
      })),
      unreadable: [],
      unreadableCount: 0,
      largestPage: count,
      followed: false,
      cut: false,
    });
    ledger.take(ledger.recent, page(1_000, 0), 'seconds', now);
    expect(ledger.page.size).toBe(1_000);
    const window = ledger.windows[0] as LedgerWindow;
    expect(ledger.take(window, page(201, 1_000), 'seconds', now + 1)).toBe('split');
    expect(ledger.take(ledger.windows[0] as LedgerWindow, page(199, 1_000), 'seconds', now + 2)).toBe(
      'complete',
    );
  });

  it('takes a list that was followed by cursor to its end as whole, and parts it for the next reads', () => {
    const ledger = new Ledger();
    const rows = Array.from({ length: 900 }, (_, index) => ({
      id: `r${String(index)}`,
      createdAt: now - 1_000_000 - index * 10_000,
      open: index === 0,
    }));
    const reading = {
      rows,
      unreadable: [],
      unreadableCount: 0,
      largestPage: 200,
      followed: true,
      cut: false,
    };
    expect(ledger.take(ledger.recent, reading, 'seconds', now)).toBe('complete');
    expectGapless(ledger);
    expect(ledger.isComplete).toBe(true);
    expect(Math.max(...ledger.windows.map((window) => window.rows))).toBeLessThan(largestPage);
    expect(ledger.recent.rows).toBeLessThan(60);
    expect(new Ledger().take(ledger.recent, { ...reading, cut: true }, 'seconds', now)).not.toBe('complete');
  });

  it('reads nothing before the instant from which on incidents are kept', () => {
    const ledger = new Ledger();
    const rows = Array.from({ length: 700 }, (_, index) => ({
      id: `r${String(index)}`,
      createdAt: now - 300_000 - index * 1_000_000,
      open: false,
    }));
    readAll(ledger, { rows, cap: 200, order: 'falling', exact: true });
    const from = Math.floor(now / 1000) - 200_000;
    ledger.beginAt(from);
    expect(ledger.windows[0]?.from).toBe(from);
    expect(ledger.isComplete).toBe(true);
    ledger.beginAt(from - 500);
    expect(ledger.windows[0]?.from).toBe(from);
  });
});
