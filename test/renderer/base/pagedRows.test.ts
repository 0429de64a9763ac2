import { describe, expect, it } from 'vitest';
import { failed, ok, type Failure, type Result } from '../../../src-preload/contract/index.ts';
import { PagedRows, type RowsPage } from '../../../src-renderer/base/pagedRows.ts';

interface Row {
  readonly id: string;
  readonly word: string;
}
const failure: Failure = {
  code: 'bridge-lost',
  sentence: { text: 'Gone.' },
  remedy: null,
  status: null,
  requestId: null,
  words: null,
  at: 0,
  retryAt: null,
};

/** A list at the other end, whose answers come when the test lets them. */
function open(list: Row[], { held = false } = {}) {
  const asked: { from: number; settle: () => void }[] = [];
  let changes = 0;
  let broken = false;
  const rig = {
    list,
    asked,
    held,
    breakOff: (now: boolean) => {
      broken = now;
    },
    changes: () => changes,
    rows: new PagedRows<Row>({
      read: (from, count) =>
        new Promise<Result<RowsPage<Row>>>((resolve) => {
          const settle = (): void =>
            resolve(
              broken
                ? failed(failure)
                : ok({ total: rig.list.length, items: rig.list.slice(from, from + count) }),
            );
          asked.push({ from, settle });
          if (!rig.held) settle();
        }),
      keyOf: ({ id }) => id,
      onChange: () => {
        changes += 1;
      },
    }),
  };
  return rig;
}
const listOf = (length: number, first = 0): Row[] =>
  Array.from({ length }, (_, at) => ({ id: `r${first + at}`, word: 'old' }));
/** Until what is under way has settled: promises only, no timer is involved. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('a list that is read page by page', () => {
  it('reads the pages in view, and no others', async () => {
    const { rows, asked } = open(listOf(10_000));
    rows.refresh();
    await settled();
    expect(rows.total).toBe(10_000);
    rows.show(5_030, 5_060, null);
    await settled();
    expect(asked.map(({ from }) => from)).toEqual([0, 5_000]);
    expect(rows.rowAt(5_040)?.id).toBe('r5040');
    expect(rows.rowAt(7_000)).toBeUndefined();
    rows.show(5_010, 5_050, null);
    await settled();
    expect(asked).toHaveLength(2);
  });

  it('keeps what is shown until what replaces it has come, and replaces all of it at once', async () => {
    const rig = open(listOf(300));
    const { rows, asked } = rig;
    rows.refresh();
    await settled();
    rows.show(90, 110, null);
    await settled();
    rig.list = rig.list.map((row) => ({ ...row, word: 'new' }));
    rig.held = true;
    rows.refresh();
    const [first, second] = asked.slice(-2);
    expect([first?.from, second?.from]).toEqual([0, 100]);
    first?.settle();
    await settled();
    expect(rows.rowAt(95)?.word).toBe('old');
    second?.settle();
    await settled();
    expect([rows.rowAt(95)?.word, rows.rowAt(105)?.word]).toEqual(['new', 'new']);
  });

  it('has one reading under way however often the list changes, and ends on the last state', async () => {
    const rig = open(listOf(50));
    rig.rows.refresh();
    await settled();
    rig.held = true;
    rig.rows.refresh();
    for (let change = 0; change < 100; change += 1) rig.rows.refresh();
    expect(rig.asked).toHaveLength(2);
    rig.list = listOf(50, 1_000);
    rig.asked[1]?.settle();
    await settled();
    expect(rig.asked).toHaveLength(3);
    rig.asked[2]?.settle();
    await settled();
    expect(rig.asked).toHaveLength(3);
    expect(rig.rows.rowAt(0)?.id).toBe('r1000');
  });

  it('reads an empty list once', async () => {
    const { rows, asked } = open([]);
    rows.refresh();
    await settled();
    expect(rows.total).toBe(0);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['a few', 3],
    ['more than a screen', 250],
    ['more than two pages', 1_730],
  ])('finds the row that is being read again when %s came above it', async (_, arrivals) => {
    const rig = open(listOf(2_000));
    const { rows } = rig;
    rows.refresh();
    await settled();
    rows.show(440, 460, { key: 'r445', index: 445 });
    await settled();
    expect(rows.takeMoved()).toBeNull();
    rig.list = [...listOf(arrivals, 100_000), ...rig.list];
    rows.refresh();
    await settled();
    expect(rows.takeMoved()).toEqual({ key: 'r445', index: 445 + arrivals });
    expect(rows.takeMoved()).toBeNull();
  });

  it('stays where it is when the row that was read is gone', async () => {
    const rig = open(listOf(300));
    rig.rows.refresh();
    await settled();
    rig.rows.show(10, 30, { key: 'r12', index: 12 });
    rig.list = rig.list.filter(({ id }) => id !== 'r12');
    rig.rows.refresh();
    await settled();
    expect(rig.rows.takeMoved()).toBeNull();
    expect(rig.rows.total).toBe(299);
    expect(rig.rows.rowAt(12)?.id).toBe('r13');
  });

  it('shows what it knew when a reading fails, and tries again only when asked', async () => {
    const rig = open(listOf(20));
    rig.rows.refresh();
    await settled();
    rig.breakOff(true);
    rig.rows.refresh();
    await settled();
    expect(rig.rows.failure).toEqual(failure);
    expect(rig.rows.rowAt(3)?.id).toBe('r3');
    rig.rows.show(0, 19, null);
    await settled();
    expect(rig.asked).toHaveLength(2);
    rig.breakOff(false);
    rig.rows.refresh();
    await settled();
    expect(rig.rows.failure).toBeNull();
  });

  it('drops the answer that another list still gets', async () => {
    const rig = open(listOf(20), { held: true });
    rig.rows.refresh();
    rig.list = listOf(5, 700);
    rig.rows.clear();
    expect(rig.asked).toHaveLength(2);
    rig.list = listOf(20);
    rig.asked[0]?.settle();
    await settled();
    expect(rig.rows.total).toBeNull();
    rig.list = listOf(5, 700);
    rig.asked[1]?.settle();
    await settled();
    expect(rig.rows.total).toBe(5);
    expect(rig.rows.rowAt(0)?.id).toBe('r700');
  });

  it('forgets pages far from what is shown, so that memory does not grow with the list', async () => {
    const { rows } = open(listOf(10_000));
    rows.refresh();
    await settled();
    for (let at = 0; at < 10_000; at += 100) {
      rows.show(at, at + 20, null);
      await settled();
    }
    const held = Array.from({ length: 10_000 }, (_, at) => at).filter((at) => rows.rowAt(at) !== undefined);
    expect(held.length).toBeLessThanOrEqual(4_000);
    expect(held).toContain(9_999);
    expect(rows.indexOf('r9999')).toBe(9_999);
    expect(rows.indexOf('r0')).toBe(-1);
  });
});
