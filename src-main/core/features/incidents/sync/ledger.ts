import { largestPage } from '../../../service/api/pageLimits.ts';

import { confirming } from './confirming.ts';
import { edgesFor, endsOf, evenEdges, newestShare, quantiles, within } from './edges.ts';
import type { ListPages } from './listReader.ts';
import { mergeAround } from './merging.ts';
import { PageSize } from './pageSize.ts';
import { Splits } from './splits.ts';
import type { Bounds } from './unitProbe.ts';
import {
  aheadMs,
  endsAt,
  everything,
  factsOf,
  factsWithin,
  dayMs,
  isInside,
  isSmallest,
  mayHold,
  mustHold,
  newWindow,
  overlaps,
  settledMs,
  tickMs,
  timesIn,
  type LedgerWindow,
  type TickUnit,
} from './window.ts';

/** How far the newest window reaches back, so that late reports are found at once. */
const recentMs = 600_000;
/** After so many answers that may be cut a window is read as rarely as one that cannot be split. */
const mostPauses = 5;
/** So many more answers of a window that was whole may be cut before it is read in parts. */
const mostRetries = 3;
/** The most parts in which a window is read instead. */
const mostParts = 8;
/** So many times as long as it is before the oldest incident a time without rows need not be read in parts. */
const growth = 4;
/** So many times the rows that a window should have are no reason yet to read it in parts. */
const mostOver = 1.2;
/** So long after the last contradiction what it taught is forgotten, where nothing is complete since, milliseconds. */
const forgetMs = 3_600_000;
/** How many of the widest windows before the oldest known incident are read, where the service limits their width. */
const mostStepsBack = 60;

export type Verdict = 'whole' | 'split' | 'saturated';

/** The part of an answer that the ledger needs. */
export type WindowReading = Pick<
  ListPages,
  'rows' | 'unreadable' | 'unreadableCount' | 'largestPage' | 'followed' | 'cut'
>;

export interface LedgerState {
  /** How the service follows bounds; null while that is not known. */
  readonly bounds: Bounds | null;
  readonly page: number | null;
  readonly strict: boolean;
  readonly widest: number | null;
  readonly accepted: number;
  readonly wasRead: boolean;
  readonly windows: readonly LedgerWindow[];
}

const nothing = (): LedgerState => ({
  ...{ bounds: null, page: null, strict: false, widest: null, accepted: 0, wasRead: false },
  windows: [newWindow(everything)],
});

/**
 * Records what was read when, over all time, in two splits of it: the first is a row of windows without gaps, the second
 * has other edges and confirms the first. No number of rows proves an answer whole. What is known is complete where both
 * splits were read whole and neither has an incident that the other lacked. After one contradiction the second split
 * begins again, in windows small enough for the shortest page that was seen.
 *
 * Pure: it sends nothing and has no clock. Every `now` is server time.
 */
export class Ledger extends Splits {
  /** What the service has shown of the size of its pages. */
  readonly pages: PageSize;
  /** Null until an incident is known. */
  bounds: Bounds | null;
  /** The widest window that the service may accept, and the widest that it did, ticks. */
  #widest: number | null;
  #accepted: number;
  #oldest = Infinity;
  /** Rows in a tick, as the last answer shows. */
  #density = 0;
  /** Answers for long windows lacked incidents by whose time nothing can be told: they may have only the last day. */
  #mayGiveADay = false;
  #wasRead: boolean;
  #wasReadTwice = false;
  #wasComplete = false;
  /** Server time of the last answer that contradicted an earlier one of the same windows: those before prove nothing. */
  #unsettledAt = -Infinity;
  /** Server time since which nothing was complete and no answer contradicted another; null where short answers prove. */
  #stuckSince: number | null = null;

  constructor(state = nothing()) {
    super(state.windows);
    this.pages = new PageSize(state);
    this.bounds = state.bounds;
    this.#widest = state.widest;
    this.#accepted = state.accepted;
    this.#wasRead = state.wasRead;
  }

  get state(): LedgerState {
    const { bounds, pages, windows, wasRead } = this;
    const { page, strict } = pages;
    return { bounds, page, strict, widest: this.#widest, accepted: this.#accepted, wasRead, windows };
  }

  get unit(): TickUnit {
    return this.bounds?.unit ?? 'seconds';
  }

  /** Whether the last answer of a window is whole, and after all that contradicts it. */
  isSettled({ state, wholeAt }: LedgerWindow): boolean {
    return state === 'whole' && (wholeAt ?? 0) > this.#unsettledAt;
  }

  /** Whether both splits were read whole and agree. */
  get isComplete(): boolean {
    if (this.pages.provesNothing || this.bounds?.isOdd === true) return false;
    const complete = this.windows.every((window) => this.isSettled(window)) && this.uncovered.length === 0;
    this.#wasComplete ||= complete;
    return complete;
  }

  /** Whether the first reading has ended: every window was read at least once. */
  get wasRead(): boolean {
    this.#wasRead ||= this.first.every(({ state, wholeAt }) => wholeAt !== null || state === 'saturated');
    return this.#wasRead;
  }

  /** Whether, once, no window of either split was left to be read first. */
  get wasReadTwice(): boolean {
    this.#wasReadTwice ||= this.wasRead && !this.hasUnread && this.uncovered.length === 0;
    return this.#wasReadTwice;
  }

  get hasUnread(): boolean {
    return this.windows.some(({ state }) => state === 'unread');
  }

  /** Whether another reading may still prove something: a window was contradicted since, or never confirmed. */
  get hasUnsettled(): boolean {
    const isOpen = (window: LedgerWindow): boolean => window.state !== 'saturated' && !this.isSettled(window);
    return this.uncovered.length > 0 || this.windows.some(isOpen);
  }

  /**
   * Takes an answer to `window` for at most `limit` rows.
   *
   * It looks whole when it has no row, when its cursors were followed to the end, or when it is below the limit and below
   * a page that the service has shown, and the service did not say that there is more.
   */
  take(window: LedgerWindow, reading: WindowReading, limit: number | undefined, now: number): Verdict {
    const { rows, cut, followed, unreadable, unreadableCount, largestPage: page } = reading;
    const before = { ...window };
    const count = rows.length + unreadableCount;
    const isFull = !(followed && !cut) && this.pages.isFull(window, count, limit);
    this.pages.showed(page);
    const width = this.#widthOf(window, now);
    this.#accepted = Math.max(this.#accepted, width);
    if (width > (this.#widest ?? Infinity)) this.#widest = null;
    const facts = factsOf(rows, this.unit);
    this.#oldest = Math.min(this.#oldest, facts.times[0] ?? Infinity);
    this.#answered(window, { ...facts, rows: count, unreadable, unreadableCount, readAt: now });
    if (window.to !== null) this.#density = isFull || cut ? densityOf(facts.times) : count / width;
    if (isFull || cut) return this.#takeCut(window, { reading, before, isFull, now });
    Object.assign(window, { state: 'whole', wholeAt: now, claimed: null });
    if (window.to !== null) this.met(window, now);
    this.#carve(window, reading, now);
    if (this.pages.strict && this.#isSuspect(window)) this.#divide(window, now);
    if (!this.pages.strict)
      mergeAround(this.first, window, { target: this.pages.target, widest: this.#widest });
    return 'whole';
  }

  /**
   * Takes an answer that was cut: by its size (`isFull`), or as the service says. Where that says so, the same request
   * may bring the rest, and then parts, as long as one of them has more rows than the larger answer had in its time.
   */
  #takeCut(
    window: LedgerWindow,
    answer: {
      readonly reading: WindowReading;
      readonly before: LedgerWindow;
      readonly isFull: boolean;
      readonly now: number;
    },
  ): Verdict {
    const { reading, before, isFull, now } = answer;
    const { rows, followed } = reading;
    const { failures, claimed, wholeAt, confirms } = before;
    const isClaim = !isFull && !followed;
    if (isClaim && claimed === null) {
      Object.assign(window, { state: 'unread', failures: failures + 1, claimed: 'own' });
      return 'split';
    }
    const isFutile = !isFull && claimed === 'larger' && window.rows <= before.rows;
    // Where parts bring nothing, some more are tried, at growing pauses.
    const isStuck = isFutile && (failures % 2 === 0 || failures > mostPauses);
    const mayRetry = isClaim && wholeAt !== null && failures < mostRetries;
    // Where pages are followed, a window may have several pages.
    const target = followed ? this.pages.target * 8 : this.pages.target;
    const edges =
      isStuck || mayRetry
        ? []
        : edgesFor(window, { times: timesIn(rows, this.unit), target, ...this.#present(now) });
    if (edges.length === 0) {
      // A service that timed out may answer soon.
      const pauses = isFutile || mayRetry ? failures + 1 : mostPauses;
      Object.assign(window, { state: 'saturated', failures: pauses, claimed: mayRetry ? 'own' : claimed });
      return 'saturated';
    }
    const part = {
      confirms,
      wholeAt,
      readAt: wholeAt,
      claimed: isFull ? null : ('larger' as const),
      failures: isFutile ? failures + 1 : 0,
    };
    this.replace(window, edges, (span) =>
      newWindow(span, { ...factsWithin(rows, span, this.unit), ...part }),
    );
    return 'split';
  }

  /** The service says that the answer for a window is as it was. */
  unchanged(window: LedgerWindow, now: number): void {
    this.#answered(window, { state: 'whole', wholeAt: now, readAt: now });
    if (window.to !== null) this.met(window, now);
  }

  #answered(window: LedgerWindow, change: Partial<LedgerWindow>): void {
    Object.assign(window, { busy: false, failures: 0, retryAt: null, ...change });
    this.changed();
  }

  /** Something changed at ticks from `from` to `to`: windows there are read whole, since none is as it was. */
  rowsChanged(from: number, to: number): void {
    for (const window of this.windows)
      if (window.from <= to && from <= (window.to ?? Infinity)) window.validator = null;
  }

  /** Splits all time where the plain list suggests it. */
  begin(reading: WindowReading, now: number): void {
    this.flatten();
    const times = timesIn(reading.rows, this.unit);
    // Of a page that this list need not have filled.
    const edges = edgesFor(this.recent, { times, target: this.pages.target, ...this.#present(now) });
    this.pages.showed(reading.largestPage);
    this.#density = densityOf(times.toSorted((one, other) => one - other));
    this.replace(this.recent, edges, (span) => newWindow(span));
    if (this.bounds?.isOdd === true) this.doubt();
  }

  /** Takes the plain list, where the service follows no window: `whole` if the service itself says that it is. */
  takePlain(reading: WindowReading, whole: boolean, now: number): void {
    const { rows, unreadable, unreadableCount } = reading;
    this.pages.showed(reading.largestPage);
    this.#answered(this.recent, {
      state: whole ? 'whole' : 'saturated',
      wholeAt: whole ? now : null,
      readAt: now,
      rows: rows.length + unreadableCount,
      unreadable,
      unreadableCount,
    });
  }

  /**
   * Takes the creation time (Unix ms) of an incident that was not known before `by` was read. Windows that must have had
   * it are read again: their answers were cut, or it was reported late. `first`: `by` was never read before. Where a
   * creation time says not in which window it is, these are the windows of the other split in the time of `by`.
   */
  named(at: number, by: LedgerWindow, first: boolean, now: number): void {
    const isOdd = this.bounds?.isOdd === true;
    const isBeside = (window: LedgerWindow): boolean =>
      first && window.confirms !== by.confirms && overlaps(window, by);
    const isLong = (window: LedgerWindow): boolean => this.#widthOf(window, now) > dayMs / tickMs(this.unit);
    for (const window of this.windows) {
      const { wholeAt, state } = window;
      if (window === by || state !== 'whole' || wholeAt === null || wholeAt < at + settledMs) continue;
      if (!(isOdd ? isBeside(window) : mustHold(window, at, this.unit))) continue;
      if (window.to === null && at >= wholeAt + aheadMs(window)) continue;
      window.validator = null;
      if (first && this.pages.strict && by.confirms && !window.confirms) {
        const isCut = isOdd && isInside(by, window) && !isLong(window);
        this.#mayGiveADay ||= isOdd && isLong(window);
        this.short(window, isCut ? window.rows : null, first, now);
      } else if (first) Object.assign(window, { state: 'unread' });
      else Object.assign(window, { readAt: 0, otherAt: null });
    }
    this.changed();
  }

  /**
   * An answer of `rows` for a window lacked an incident that the service has. All that rests on such answers has to be
   * confirmed by finer windows, and this one is read in parts. `first`: it was never read before. `rows` is null where
   * another replica may have given the answer, or before the incident was there.
   */
  short(window: LedgerWindow, rows: number | null, first: boolean, now: number): void {
    if (this.#wasComplete || !first) this.unsettle(now);
    if (rows !== null) this.pages.wasCut(rows);
    this.doubt();
    this.#stuckSince = now;
    if (!window.confirms) this.unconfirm(window);
    this.#divide(window, now);
  }

  /** No window counts as whole before finer ones have confirmed it. */
  doubt(): void {
    if (!this.pages.strict) this.unconfirm();
    this.pages.strict = true;
  }

  /**
   * Begins again where short answers prove nothing, nothing is complete and an hour brought no contradiction: one bad
   * moment of a service may have taught a page of two rows, and no split makes two incidents of one second less.
   */
  reconsider(now: number): void {
    if (this.#unsettledAt > now) {
      // A wrong clock dated the contradiction: it counts as of now, and all answers as before it.
      for (const window of this.windows)
        if (window.wholeAt !== null) window.wholeAt = Math.min(window.wholeAt, now);
      this.#unsettledAt = now;
    }
    const since = Math.min(this.#stuckSince ?? now, now);
    this.#stuckSince = this.pages.strict && !this.isComplete ? since : null;
    if (this.#stuckSince === null || now - since < forgetMs) return;
    this.#stuckSince = null;
    this.pages.forget();
    super.flatten();
    this.unsettle(now);
  }

  /** The service contradicted itself: what follows from answers until `now` has to be read once more. */
  unsettle(now: number): void {
    this.#unsettledAt = now;
    this.#wasComplete = false;
    // Each split is read within one rest, without turns.
    for (const window of this.windows) Object.assign(window, { otherAt: null, validator: null });
  }

  /** Adds the windows that confirm what was read once, when nothing is left to be read first. */
  confirm(): void {
    if (this.uncovered.length === 0 || this.first.some(({ state }) => state === 'unread')) return;
    const { uncovered, second, newest } = this;
    const how = { newest, strict: this.pages.strict, target: this.pages.target };
    this.add(confirming(uncovered, second, how));
  }

  /** A read of `window` failed. `own`: because of this window, not of the connection. */
  failed(window: LedgerWindow, own: boolean, retryAt: number): void {
    const { failures, wholeAt, state } = window;
    this.#answered(window, {
      failures: failures + 1,
      retryAt: own ? retryAt : null,
      state: own || wholeAt === null ? 'failed' : state,
    });
  }

  /**
   * The part of a window that the service may accept: the newer one, where it refused wider ones, or where a page would
   * not have all rows of a window that was never read; null where that is too long before the oldest known incident.
   */
  askable(window: LedgerWindow, now: number): LedgerWindow | null {
    const width = this.#widthOf(window, now);
    // One that was too long ago is asked for whole now and then: the refusal may have had another cause.
    const widest = window.state === 'saturated' ? Infinity : (this.#widest ?? Infinity);
    // The newest window grows with the time.
    const accepted = window.to === null ? Math.ceil(widest / 2) : widest;
    const part = Math.min(this.#pageWidth(window, width), width > widest ? accepted : Infinity);
    if (width <= part) return window;
    const end = window.from + width;
    if (end < Math.min(this.#oldest, now / tickMs(this.unit)) - mostStepsBack * widest) {
      this.#answered(window, { state: 'saturated', readAt: now, failures: mostPauses });
      return null;
    }
    const edges = within(window, [end - part]);
    const { confirms } = window;
    return this.replace(window, edges, (span) => newWindow(span, { confirms })).at(-1) ?? null;
  }

  /** The service refused a window: it is asked for in parts. False when that is not possible. */
  refused(window: LedgerWindow, now: number): boolean {
    const width = this.#widthOf(window, now);
    const isTooWide = width > this.#accepted;
    if (isTooWide && window.state === 'saturated') {
      Object.assign(window, { readAt: now, busy: false });
      return true;
    }
    if (isSmallest(window) || (!isTooWide && window.to === null)) return false;
    if (isTooWide) this.#widest = Math.max(1, Math.floor(width / 2));
    const edges = evenEdges(window, [], 2, window.from + width);
    if (edges.length === 0) return false;
    const { wholeAt, confirms } = window;
    this.replace(window, edges, (span) => newWindow(span, { confirms, wholeAt, readAt: wholeAt }));
    return true;
  }

  /** Makes the windows that may have an incident of `instant` (Unix ms) due at once. */
  hasten(instant: number): void {
    for (const window of this.first)
      if (window.readAt !== null && mayHold(window, instant, this.unit))
        Object.assign(window, { readAt: 0, otherAt: null, validator: null });
  }

  /** Retries all windows that wait after a failure: the connection has changed. */
  clear(): void {
    for (const window of this.windows) window.retryAt = null;
  }

  /** Drops all windows. */
  override flatten(): void {
    super.flatten();
    this.#wasRead = false;
  }

  /** The present, and the time that the newest window reaches back to, in ticks. */
  #present(now: number): { readonly now: number; readonly recentFrom: number } {
    const tick = tickMs(this.unit);
    return { now: Math.floor(now / tick), recentFrom: Math.floor((now - recentMs) / tick) };
  }

  #widthOf(window: LedgerWindow, now: number): number {
    return (window.to ?? endsAt(now, aheadMs(window)) / tickMs(this.unit)) - window.from;
  }

  /**
   * How long a part of a window that was never read should be, ticks, for a page to have all its rows: it may be as dense
   * as the last answer. Only where the service has shown the largest page: others may cut by something else than rows.
   */
  #pageWidth({ to, state, readAt, failures, claimed, confirms }: LedgerWindow, width: number): number {
    const isNew = state === 'unread' && readAt === null && failures === 0 && claimed === null;
    if (!isNew || to === null || confirms || this.pages.strict || this.pages.largest < largestPage)
      return Infinity;
    const parts = (width * this.#density) / this.pages.target;
    return parts > mostOver ? Math.max(1, Math.ceil(width / Math.ceil(parts))) : Infinity;
  }

  /**
   * Whether an answer without rows is for a time that usually has more than an answer that was cut. Before the oldest
   * incident it may be as long as that is away.
   */
  #isSuspect({ confirms, from, to, rows }: LedgerWindow): boolean {
    if (!confirms || to === null) return false;
    // Edges beside rows part them, but where those are not in the window's time.
    if (rows > 0 && this.bounds?.isOdd !== true) return false;
    if (rows > this.pages.target) return true;
    const { first, newest } = this;
    const known = first.reduce((sum, window) => sum + window.rows, 0);
    const spacing = Math.max(1, (newest - this.#oldest) / Math.max(1, known));
    const { page } = this.pages;
    const most = this.#mayGiveADay ? dayMs / tickMs(this.unit) : Infinity;
    const usual = Math.min(most, (page === 0 ? 0.25 : ((page ?? 0) + 1) / 2) * spacing);
    return to - from > Math.max(1, usual, growth * (this.#oldest - to));
  }

  /** Reads a window in parts instead. */
  #divide(window: LedgerWindow, now: number): void {
    const { from, rows, times, confirms } = window;
    const parts = Math.min(mostParts, Math.max(2, Math.ceil(rows / this.pages.target)));
    const edges = evenEdges(window, times, parts, from + this.#widthOf(window, now));
    if (edges.length > 0) this.replace(window, edges, (span) => newWindow(span, { confirms }));
    else window.state = 'saturated';
  }

  /**
   * Splits a whole window at times of its answer. The newest window stays small, because it is read most often; a window
   * of many pages becomes readable in one request.
   */
  #carve(window: LedgerWindow, { rows }: WindowReading, now: number): void {
    const { target } = this.pages;
    const { to, times, confirms, state, wholeAt, readAt, otherAt, unreadable, unreadableCount } = window;
    const most = to !== null ? largestPage : confirms ? target : target * newestShare;
    if (rows.length <= most) return;
    const newest = Math.min(times.at(-Math.ceil(target * 0.2)) ?? 0, this.#present(now).recentFrom);
    const edges = quantiles(times, Math.ceil(times.length / target));
    const inside = within(window, [...edges, ...(to === null ? [newest] : [])].map(Math.floor));
    if (inside.length === 0) return;
    this.replace(window, inside, (span) =>
      newWindow(span, {
        ...factsWithin(rows, span, this.unit),
        ...{ confirms, state, wholeAt, readAt, otherAt },
        ...(span.to === to ? { unreadable, unreadableCount } : {}),
      }),
    );
  }
}

/** Rows in a tick, of times that ascend. */
function densityOf(times: readonly number[]): number {
  const [low = 0, high = 0] = endsOf(times);
  return times.length / Math.max(1, high - low);
}
