import { mostUnreadable } from '../../../service/api/incidentList.ts';
import type { UnreadableRecord } from '../../../state/incident.ts';
import { defaultPage, largestPage } from '../../../service/api/pageLimits.ts';
import { edgeBeforeNewest, edgesFor, fillingEdges, within } from './edges.ts';
import { PageSize, type PageSizeState } from './pageSize.ts';
import {
  everything,
  isSmallest,
  mayHold,
  newWindow,
  tickMs,
  type LedgerWindow,
  type Span,
  type TickUnit,
} from './window.ts';
import { heldBy, lacked, timesIn, type WindowReading } from './windowReading.ts';

/** How full a window should be: below 1, so that it can grow before its answer is cut. */
const fill = 0.75;
/** How far the newest window reaches back, so that late reports are found at once. */
const recentMs = 600_000;

export type Verdict = 'complete' | 'split' | 'saturated';

export interface LedgerState {
  readonly page: PageSizeState;
  readonly proven: boolean;
  readonly windows: readonly LedgerWindow[];
}

/**
 * Records what was read when, over all time: a row of windows without gaps, and the page size that the reads show.
 * Pure: it sends nothing and has no clock.
 */
export class Ledger {
  readonly page: PageSize;
  #windows: LedgerWindow[];
  #reads = 0;
  #proven: boolean;

  constructor(state: LedgerState | null = null) {
    this.page = new PageSize(state?.page);
    this.#windows = state ? [...state.windows] : [newWindow(everything)];
    this.#proven = state?.proven ?? false;
  }

  get windows(): readonly LedgerWindow[] {
    return this.#windows;
  }

  /** The newest window, which has no end in the future. */
  get recent(): LedgerWindow {
    return this.#windows.at(-1) ?? newWindow(everything);
  }

  /** Whether every window is complete and the page size was proven after that. */
  get isComplete(): boolean {
    return this.#proven && this.#windows.every((window) => window.state === 'complete');
  }

  /** Whether the first reading has ended: every window was read at least once, and the complete ones are proven. */
  get wasRead(): boolean {
    return this.#proven && this.#windows.every(isRead);
  }

  /** Whether a complete window relies on a page size that was not proven since. */
  get needsProof(): boolean {
    const { provenRead } = this.page;
    return this.#windows.some(({ state, proofNeeded }) => state === 'complete' && proofNeeded > provenRead);
  }

  /** How many rows a window should have. */
  get target(): number {
    return Math.max(1, Math.floor(Math.min(this.page.size ?? largestPage, largestPage) * fill));
  }

  /**
   * Takes an answer to `window`, given at server time `now` for times in `unit` (null while it is unknown: then no
   * window can be split).
   *
   * An answer is complete when it has no row, when its cursors were followed to the end, or when it is below the
   * requested limit and below a page that the service has shown. An answer with the size of a usual cap is split once
   * to check it.
   */
  take(window: LedgerWindow, reading: WindowReading, unit: TickUnit | null, now: number): Verdict {
    const count = reading.rows.length + reading.unreadableCount;
    this.#reads += 1;
    Object.assign(window, {
      busy: false,
      failures: 0,
      retryAt: null,
      readAt: now,
      rows: count,
      open: reading.rows.filter(({ open }) => open).length,
      unreadable: reading.unreadable,
      unreadableCount: reading.unreadableCount,
      proofNeeded: 0,
    });
    const checked = window.check;
    window.check = null;
    if (checked && lacked(checked, reading.rows)) this.contradicted(checked.rows, checked.span, now);
    const shown = this.page.size ?? 0;
    if (this.page.shown(reading.largestPage, window, this.#reads, now)) this.#settle();
    const whole = count === 0 || (reading.followed && !reading.cut);
    // Without a unit no window counts as complete.
    const below = unit !== null && !reading.cut && count < largestPage && count < shown;
    const doubtful = below && count >= defaultPage && count % defaultPage === 0 && checked === null;
    if (whole || (below && !doubtful)) {
      window.state = 'complete';
      window.completeAt = now;
      window.proofNeeded = whole ? 0 : this.#reads;
      this.#settle();
      if (unit !== null) this.#carve(window, reading, unit, now);
      this.#merge(window);
      return 'complete';
    }
    const edges = unit === null ? [] : this.#edges(window, reading, unit, now);
    if (unit !== null && edges.length > 0) {
      const check = doubtful
        ? {
            ids: new Set(reading.rows.map(({ id }) => id)),
            rows: count,
            span: { from: window.from, to: window.to },
            readAt: now,
          }
        : null;
      this.#replace(window, edges, (span) => {
        const { completeAt } = window;
        return newWindow(span, { ...heldBy(reading, span, unit), completeAt, readAt: completeAt, check });
      });
      return 'split';
    }
    if (doubtful && isSmallest(window)) {
      // The smallest window cannot be checked by halves: it relies on the page size that was shown.
      Object.assign(window, { state: 'complete', completeAt: now, proofNeeded: this.#reads });
      this.#settle();
      return 'complete';
    }
    window.state = 'saturated';
    this.#settle();
    return 'saturated';
  }

  /** A read of `window` failed. `own`: because of this window, not of the connection. */
  failed(window: LedgerWindow, own: boolean, retryAt: number): void {
    window.busy = false;
    window.failures += 1;
    window.retryAt = own ? retryAt : null;
    if (own || window.completeAt === null) window.state = 'failed';
  }

  /** Makes the windows that may have an incident of `instant` (Unix ms) due at once. */
  hasten(instant: number, unit: TickUnit): void {
    for (const window of this.#windows) {
      if (window.readAt !== null && mayHold(window, instant, unit)) window.readAt = 0;
    }
  }

  /** Retries all windows that wait after a failure: the connection has changed. */
  clear(): void {
    for (const window of this.#windows) window.retryAt = null;
  }

  /** Splits a window whose answer is too large to be read; false when that is not possible. */
  splitUnseen(window: LedgerWindow, unit: TickUnit, now: number): boolean {
    const edges = edgesFor(window, { times: [], target: this.target, now: Math.floor(now / tickMs(unit)) });
    if (edges.length === 0) return false;
    const { completeAt } = window;
    this.#replace(window, edges, (span) => newWindow(span, { completeAt, readAt: completeAt }));
    return true;
  }

  /** Takes a page of the witness window: it proves the earlier reads, or shows that pages became smaller. */
  takeWitness(rows: number, now: number): 'proven' | 'contradicted' {
    const span = this.page.witness ?? everything;
    this.#reads += 1;
    if (this.page.shown(rows, span, this.#reads, now)) {
      this.#settle();
      return 'proven';
    }
    this.contradicted(rows, span, now);
    return 'contradicted';
  }

  /** Pages may have no more than `rows`: what was read since the last proof has to be read again. */
  contradicted(rows: number, span: Span, now: number): void {
    const { provenRead } = this.page;
    this.page.contradicted(rows, span, now);
    for (const window of this.#windows) {
      if (window.state === 'complete' && window.proofNeeded > provenRead) {
        Object.assign(window, { state: 'unread', completeAt: null, proofNeeded: 0 });
      }
    }
  }

  /** Drops everything before `tick`: it is no longer read. */
  beginAt(tick: number): void {
    const first = this.#windows.findIndex(({ to }) => to === null || to > tick);
    const window = this.#windows[first];
    if (!window || (first === 0 && window.from !== null && window.from >= tick)) return;
    this.#windows = this.#windows.slice(first);
    // Changed in place, because a read of it may be running.
    if (window.from === null || window.from < tick) Object.assign(window, { from: tick });
  }

  /** Drops all windows: the service does not follow their bounds. */
  flatten(): void {
    this.#windows = [newWindow(everything, { readAt: this.recent.readAt })];
    this.#proven = false;
  }

  /** When every window was read and none relies on an old page size, the first reading has ended. */
  #settle(): void {
    if (!this.#proven && this.#windows.every(isRead) && !this.needsProof) this.#proven = true;
  }

  #edges(window: LedgerWindow, reading: WindowReading, unit: TickUnit, now: number): number[] {
    const tick = tickMs(unit);
    // Where pages are followed, a window may have several pages.
    const target = reading.cut ? this.target * 8 : this.target;
    const times = timesIn(reading.rows, tick);
    return edgesFor(window, { times, target, now: Math.floor(now / tick) });
  }

  /**
   * Splits a complete window at times of its answer: the parts of a complete answer are complete. The newest window
   * stays small, because it is read most often; a window of many pages becomes readable in one request.
   */
  #carve(window: LedgerWindow, reading: WindowReading, unit: TickUnit, now: number): void {
    const { rows } = reading;
    const tick = tickMs(unit);
    const { target } = this;
    const isRecent = window.to === null;
    const most = isRecent ? target * 0.4 : largestPage;
    if (rows.length <= most) return;
    const times = timesIn(rows, tick);
    const edges = fillingEdges(times, target);
    if (isRecent) {
      const newest = edgeBeforeNewest(times, target * 0.2);
      edges.push(Math.min(newest, Math.floor((now - recentMs) / tick)));
    }
    const inside = within(window, edges);
    if (inside.length === 0) return;
    const { completeAt, readAt, proofNeeded, unreadable, unreadableCount } = window;
    this.#replace(window, inside, (span) => {
      return newWindow(span, {
        ...heldBy(reading, span, unit),
        state: 'complete',
        completeAt,
        readAt,
        proofNeeded,
        ...(span.to === window.to ? { unreadable, unreadableCount } : {}),
      });
    });
  }

  #replace(window: LedgerWindow, edges: readonly number[], make: (span: Span) => LedgerWindow): void {
    const bounds = [window.from, ...edges, window.to];
    const parts = bounds.slice(1).map((to, index) => make({ from: bounds[index] ?? null, to }));
    const at = this.#windows.indexOf(window);
    if (at >= 0) this.#windows.splice(at, 1, ...parts);
  }

  /** Merges small complete neighbours, so that the ledger stays as small as the service's pages allow. */
  #merge(window: LedgerWindow): void {
    let at = this.#windows.indexOf(window);
    if (at < 0) return;
    for (const step of [-1, 1]) {
      for (;;) {
        const one = this.#windows[Math.min(at, at + step)];
        const other = this.#windows[Math.max(at, at + step)];
        if (!one || !other || !this.#mergeable(one, other)) break;
        const unreadable = joined(one.unreadable, other.unreadable);
        const twice = one.unreadable.length + other.unreadable.length - unreadable.length;
        const merged = newWindow(
          { from: one.from, to: other.to },
          {
            state: 'complete',
            completeAt: Math.min(one.completeAt ?? 0, other.completeAt ?? 0),
            readAt: Math.min(one.readAt ?? 0, other.readAt ?? 0),
            rows: one.rows + other.rows,
            open: one.open + other.open,
            proofNeeded: Math.max(one.proofNeeded, other.proofNeeded),
            unreadable: unreadable.slice(0, mostUnreadable),
            unreadableCount: one.unreadableCount + other.unreadableCount - twice,
          },
        );
        at = Math.min(at, at + step);
        this.#windows.splice(at, 2, merged);
      }
    }
  }

  #mergeable(one: LedgerWindow, other: LedgerWindow): boolean {
    const calm = [one, other].every(({ state, busy, check }) => state === 'complete' && !busy && !check);
    const together = one.rows + other.rows;
    const sliver = Math.min(one.rows, other.rows) <= this.target / 10;
    // Merged, they would look like a full page again, and be split to be checked at every read.
    const doubtful = together >= defaultPage && together % defaultPage === 0;
    return calm && !doubtful && other.to !== null && together <= this.target * (sliver ? 1 : 0.6);
  }
}

/** Each record once: a service may return one without a time in every window. */
function joined(one: readonly UnreadableRecord[], other: readonly UnreadableRecord[]): UnreadableRecord[] {
  const keys = new Set(one.map(({ key }) => key));
  return [...one, ...other.filter(({ key }) => !keys.has(key))];
}

const isRead = ({ state, completeAt }: LedgerWindow): boolean => completeAt !== null || state === 'saturated';
