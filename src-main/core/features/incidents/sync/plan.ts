import type { LedgerWindow } from './window.ts';

/** The facts that decide which window is read next. Times are server time in Unix milliseconds. */
export interface PlanFacts {
  readonly now: number;
  /** The interval at which the newest window is read. */
  readonly intervalMs: number;
  /** Windows that end before this tick come later, because the operator's view does not show them. */
  readonly preferFrom: number;
  /** The tick from which on incidents count as recent. */
  readonly recentFrom: number;
  /**
   * Windows that are open, recent or have records that could not be read are due if they were read before this instant:
   * the operator asked for a refresh.
   */
  readonly freshFrom: number;
}

export interface Choice {
  /** The window to read now; null when none is due. */
  readonly window: LedgerWindow | null;
  /** When the next window will be due; null when one is due now, or none ever will be. */
  readonly dueAt: number | null;
}

/** The longest wait of a window after failed reads, milliseconds. */
export const longestPauseMs = 600_000;

const hotIntervals = 2;
const coldIntervals = 40;
const saturatedIntervals = 20;

/** The time between two reads of a window: short when it is recent, has open incidents or lacks known ones. */
function restMs(window: LedgerWindow, { intervalMs, recentFrom }: PlanFacts): number {
  if (window.state === 'saturated') return Math.min(saturatedIntervals, 2 ** window.failures) * intervalMs;
  return (isHot(window, recentFrom) ? hotIntervals : coldIntervals) * intervalMs;
}

const isHot = ({ open, to, lacks }: LedgerWindow, recentFrom: number): boolean =>
  open > 0 || lacks > 0 || to === null || to > recentFrom;

/** When a window is due again. A read time in the future came from a clock that has been corrected since. */
function dueAt(window: LedgerWindow, facts: PlanFacts): number {
  const { readAt, otherAt, confirms, unreadableCount } = window;
  if (readAt === null || readAt > facts.now + 60_000) return facts.now;
  // A requested instant in the future came from a wrong clock: no read now would be fresh enough for it.
  const asked = facts.freshFrom <= facts.now && readAt < facts.freshFrom;
  if (asked && !confirms && (unreadableCount > 0 || isHot(window, facts.recentFrom))) return facts.now;
  const rest = restMs(window, facts);
  // The two splits take turns, so that each incident is read about once in a rest. Neighbours of the other split cannot
  // put it off without end.
  if (otherAt === null || otherAt > facts.now) return readAt + rest;
  const isNext = otherAt > readAt || (otherAt === readAt && !confirms);
  return Math.min(readAt + 2 * rest, isNext ? otherAt + rest : Infinity);
}

/**
 * Chooses the next window; the newest one has a separate turn. First come windows that were not read, those in the
 * operator's view before the others and the newest first. Then comes the window that is overdue the longest, relative
 * to its interval, so that none waits without end.
 */
export function chooseWindow(windows: readonly LedgerWindow[], facts: PlanFacts): Choice {
  let unread: LedgerWindow | null = null;
  let waiting: LedgerWindow | null = null;
  let longest = 1;
  let earliest = Infinity;
  for (let at = windows.length - 1; at >= 0; at -= 1) {
    const window = windows[at] as LedgerWindow;
    if (window.busy || at === windows.length - 1) continue;
    // A longer wait than the longest came from a wrong clock.
    if (
      window.retryAt !== null &&
      window.retryAt > facts.now &&
      window.retryAt - facts.now <= longestPauseMs
    ) {
      earliest = Math.min(earliest, window.retryAt);
      continue;
    }
    if (window.state === 'unread' || window.state === 'failed') {
      if (prefers(window, facts)) return { window, dueAt: null };
      unread ??= window;
      continue;
    }
    const due = dueAt(window, facts);
    if (due > facts.now) {
      earliest = Math.min(earliest, due);
      continue;
    }
    const waited = 1 + (facts.now - due) / restMs(window, facts);
    if (waiting && waited <= longest) continue;
    longest = waited;
    waiting = window;
  }
  const window = unread ?? waiting;
  return { window, dueAt: window || earliest === Infinity ? null : earliest };
}

const prefers = ({ to }: LedgerWindow, { preferFrom }: PlanFacts): boolean => to === null || to >= preferFrom;

/**
 * The estimated time by which every window will have been read once more; null while some were never read. Depends on
 * the windows' intervals and on the requests per minute.
 */
export function roundEnd(
  windows: readonly LedgerWindow[],
  facts: PlanFacts,
  requestsPerMinute: number,
): number | null {
  let end = facts.now;
  for (const window of windows) {
    if (window.readAt === null) return null;
    end = Math.max(end, dueAt(window, facts));
  }
  return Math.max(end, facts.now + (windows.length / requestsPerMinute) * 60_000);
}
