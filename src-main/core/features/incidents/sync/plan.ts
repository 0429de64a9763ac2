import type { LedgerWindow } from './window.ts';

/** What decides which window is read next. Times are server time in Unix milliseconds. */
export interface PlanFacts {
  readonly now: number;
  /** The interval at which the newest window is read. */
  readonly intervalMs: number;
  /** Windows that end before this tick come later, as the operator does not look at them; null for none. */
  readonly preferFrom: number | null;
  /** The tick from which on incidents count as recent. */
  readonly recentFrom: number;
  /** What is open or recent and was read before this instant is due: an operator has asked. */
  readonly freshFrom: number;
}

export interface Choice {
  /** The window to read now; null when none is due. */
  readonly window: LedgerWindow | null;
  /** When the first one will be due; null when one is, or none ever will be. */
  readonly dueAt: number | null;
}

/** The longest time that a window waits after failed reads. */
export const longestPauseMs = 600_000;

const hotIntervals = 2;
const coldIntervals = 40;
const saturatedIntervals = 20;

/** The time between two reads of a window: short for what is recent or open, longer for what is settled. */
function restMs(window: LedgerWindow, { intervalMs, recentFrom }: PlanFacts): number {
  if (window.state === 'saturated') return saturatedIntervals * intervalMs;
  return (isHot(window, recentFrom) ? hotIntervals : coldIntervals) * intervalMs;
}

const isHot = ({ open, to }: LedgerWindow, recentFrom: number): boolean =>
  open > 0 || to === null || to > recentFrom;

/** When a window that was read is due again. A read in the future was timed by a clock since corrected. */
function dueAt(window: LedgerWindow, facts: PlanFacts): number {
  const { readAt } = window;
  if (readAt === null || readAt > facts.now + 60_000) return facts.now;
  // An instant to come was asked for by a clock since corrected: nothing read now would be fresh enough.
  const asked = facts.freshFrom <= facts.now && readAt < facts.freshFrom;
  if (asked && isHot(window, facts.recentFrom)) return facts.now;
  return readAt + restMs(window, facts);
}

/**
 * Chooses among the windows but the newest, which has a turn of its own: first those not read, the
 * ones that the operator looks at before the others and the newest first; then the one that has
 * waited longest, measured by the rest it may have. So nothing waits for ever.
 */
export function chooseWindow(windows: readonly LedgerWindow[], facts: PlanFacts): Choice {
  let unread: LedgerWindow | null = null;
  let waiting: LedgerWindow | null = null;
  let longest = 1;
  let earliest = Infinity;
  for (let at = windows.length - 1; at >= 0; at -= 1) {
    const window = windows[at] as LedgerWindow;
    if (window.busy || at === windows.length - 1) continue;
    // A pause that would last longer than any was timed by a clock since corrected.
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

const prefers = ({ to }: LedgerWindow, { preferFrom }: PlanFacts): boolean =>
  preferFrom === null || to === null || to >= preferFrom;

/**
 * When every window will have been read once more, as estimated; null while some were never read.
 * Bounded by the rest that windows may have, and by the requests of a minute.
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
