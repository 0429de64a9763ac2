import { newWindow, type LedgerWindow } from './window.ts';

export interface MergeRule {
  /** How many rows a window should have. */
  readonly target: number;
  /** The widest window that the service accepts, ticks; null for any. */
  readonly widest: number | null;
}

/** Merges a window of a split with its small whole neighbours, so that the ledger stays as small as pages allow. */
export function mergeAround(split: LedgerWindow[], window: LedgerWindow, rule: MergeRule): void {
  let at = split.indexOf(window);
  if (at < 0) return;
  for (const step of [-1, 1]) {
    for (;;) {
      const one = split[Math.min(at, at + step)];
      const other = split[Math.max(at, at + step)];
      if (!one || !other || !isMergeable(one, other, rule)) break;
      at = Math.min(at, at + step);
      split.splice(at, 2, merged(one, other));
    }
  }
}

/** One with records that were set aside stays: they may be of both, and count once. */
function isMergeable(one: LedgerWindow, other: LedgerWindow, { target, widest }: MergeRule): boolean {
  const calm = [one, other].every(
    ({ state, busy, unreadableCount }) => state === 'whole' && !busy && unreadableCount === 0,
  );
  const isSliver = Math.min(one.rows, other.rows) <= target / 10;
  const isNarrow = (other.to ?? Infinity) - one.from <= (widest ?? Infinity);
  return calm && isNarrow && other.to !== null && one.rows + other.rows <= target * (isSliver ? 1 : 0.6);
}

function merged(one: LedgerWindow, other: LedgerWindow): LedgerWindow {
  const isUnmet = one.otherAt === null || other.otherAt === null;
  return newWindow(
    { from: one.from, to: other.to },
    {
      state: 'whole',
      wholeAt: Math.min(one.wholeAt ?? 0, other.wholeAt ?? 0),
      readAt: Math.min(one.readAt ?? 0, other.readAt ?? 0),
      otherAt: isUnmet ? null : Math.min(one.otherAt ?? 0, other.otherAt ?? 0),
      rows: one.rows + other.rows,
      open: one.open + other.open,
      times: [...one.times, ...other.times],
    },
  );
}
