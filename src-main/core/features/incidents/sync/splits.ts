import { coverageOf } from './confirming.ts';
import { everything, newWindow, overlaps, type LedgerWindow, type Span } from './window.ts';

/** The two splits of all time: the first is a row of windows without gaps, the second has other edges and confirms it. */
export class Splits {
  first: LedgerWindow[];
  second: LedgerWindow[];
  #uncovered: readonly LedgerWindow[] | null = null;

  constructor(windows: readonly LedgerWindow[]) {
    this.first = windows.filter(({ confirms }) => !confirms);
    this.second = windows.filter(({ confirms }) => confirms);
  }

  /** The windows of both: the second, then the first, each from the oldest on. */
  get windows(): readonly LedgerWindow[] {
    return [...this.second, ...this.first];
  }

  /** The newest window of the first, which has no end in the future. */
  get recent(): LedgerWindow {
    return this.first.at(-1) ?? newWindow(everything);
  }

  /** Where the newest window begins, ticks. */
  get newest(): number {
    return this.first.at(-2)?.to ?? 0;
  }

  /** How many windows have all time once. */
  get size(): number {
    return this.first.length;
  }

  /** Whole windows of the first whose time the second does not have yet. */
  get uncovered(): readonly LedgerWindow[] {
    if (this.#uncovered === null) {
      const isCovered = coverageOf(this.second);
      this.#uncovered = this.first.filter((window) => window.state === 'whole' && !isCovered(window));
    }
    return this.#uncovered;
  }

  /** A window has changed. */
  changed(): void {
    this.#uncovered = null;
  }

  /** Adds windows to the second. */
  add(windows: readonly LedgerWindow[]): void {
    this.second = [...this.second, ...windows].sort((a, b) => a.from - b.from);
    this.changed();
  }

  /** Drops the windows of the second in the time of a span. */
  unconfirm(span: Span = everything): void {
    this.second = this.second.filter((other) => !overlaps(other, span));
    this.changed();
  }

  /** Puts the parts of a window between `edges` in its place, as `make` makes them. */
  replace(
    window: LedgerWindow,
    edges: readonly number[],
    make: (span: Span) => LedgerWindow,
  ): readonly LedgerWindow[] {
    const bounds = [window.from, ...edges, window.to];
    const parts = bounds.slice(1).map((to, index) => make({ from: bounds[index] ?? 0, to }));
    const split = window.confirms ? this.second : this.first;
    const at = split.indexOf(window);
    if (at >= 0) split.splice(at, 1, ...parts);
    // What confirms the parts has edges where their rows are.
    if (!window.confirms && parts.some(({ state }) => state === 'unread')) this.unconfirm(window);
    this.changed();
    return parts;
  }

  /** A window was read: those of the other split in its time need not be read so soon. */
  met(window: LedgerWindow, now: number): void {
    const others = window.confirms ? this.first : this.second;
    for (const other of others) if (overlaps(other, window)) other.otherAt = now;
  }

  /** Drops everything before `tick`: it is no longer read. */
  beginAt(tick: number): void {
    const isAfter = ({ to }: LedgerWindow): boolean => to === null || to > tick;
    this.first = this.first.filter(isAfter);
    this.second = this.second.filter(isAfter);
    // Changed in place, because a read of it may be running.
    for (const window of this.windows) if (window.from < tick) Object.assign(window, { from: tick });
    this.changed();
  }

  /** Drops all windows. */
  flatten(): void {
    this.first = [newWindow(everything, { readAt: this.recent.readAt })];
    this.unconfirm();
  }
}
