import type { UploadState } from '../../../../src-preload/contract/index.ts';
import { isUnsent, type UploadItem } from './item.ts';

/** One item in the list, and what the console remembers of it until it ends. */
export interface Entry {
  readonly id: string;
  item: UploadItem;
  /** `Clock.elapsed()` before which it is not sent. */
  due: number;
  /** The part of `due` that the service asked for: a connection that returns does not shorten it. */
  asked: number;
  /** Failed attempts in a row, for the backoff. */
  failures: number;
}

type Counts = Record<UploadState, number>;

const noCounts = (): Counts => ({
  receiving: 0,
  queued: 0,
  sending: 0,
  waiting: 0,
  sent: 0,
  unproven: 0,
  'needs-decision': 0,
  failed: 0,
});

/** The items in the order of sending. Counts are updated with each change, so that ten thousand items need no walk. */
export class UploadList {
  readonly #byId = new Map<string, Entry>();
  readonly #byDigest = new Map<string, Set<string>>();
  readonly #counts = noCounts();
  #order: Entry[] = [];
  #unsent = 0;
  /** Queued items that the operator has not paused. */
  #ready = 0;

  get size(): number {
    return this.#order.length;
  }

  get unsent(): number {
    return this.#unsent;
  }

  get order(): readonly Entry[] {
    return this.#order;
  }

  /** `blocked`: queued items that are not paused count as waiting. */
  counts(blocked: boolean): Counts {
    const moved = blocked ? this.#ready : 0;
    const { queued, waiting } = this.#counts;
    return { ...this.#counts, queued: queued - moved, waiting: waiting + moved };
  }

  entry(id: string): Entry | undefined {
    return this.#byId.get(id);
  }

  /** Takes all items, in the order of their places. */
  fill(items: readonly UploadItem[]): void {
    const sorted = [...items].sort(
      (a, b) => a.place - b.place || a.addedAt - b.addedAt || (a.id < b.id ? -1 : 1),
    );
    for (const item of sorted) this.#insert(item);
  }

  /** Adds a new item. Its place must be `nextPlace`. */
  add(item: UploadItem): void {
    this.#insert(item);
  }

  get nextPlace(): number {
    return (this.#order.at(-1)?.item.place ?? 0) + 1;
  }

  replace(entry: Entry, item: UploadItem): void {
    this.#count(entry.item, -1);
    entry.item = item;
    this.#count(item, 1);
  }

  remove(entry: Entry): void {
    if (!this.#byId.delete(entry.id)) return;
    this.#order.splice(this.#order.indexOf(entry), 1);
    this.#count(entry.item, -1);
  }

  removeAll(entries: ReadonlySet<Entry>): void {
    this.#order = this.#order.filter((entry) => !entries.has(entry));
    for (const entry of entries) if (this.#byId.delete(entry.id)) this.#count(entry.item, -1);
  }

  /**
   * Moves it to a position in the list, 0 for the first.
   *
   * @returns the items whose number changed: one, or all when there was no number between two.
   */
  move(entry: Entry, to: number): readonly Entry[] {
    const from = this.#order.indexOf(entry);
    const at = Math.min(to, this.#order.length - 1);
    if (from < 0 || from === at) return [];
    this.#order.splice(from, 1);
    this.#order.splice(at, 0, entry);
    const before = this.#order[at - 1]?.item.place;
    const after = this.#order[at + 1]?.item.place;
    const place =
      before === undefined ? (after ?? 1) - 1 : after === undefined ? before + 1 : (before + after) / 2;
    if ((before === undefined || place > before) && (after === undefined || place < after)) {
      this.replace(entry, { ...entry.item, place });
      return [entry];
    }
    this.#order.forEach((other, index) => {
      this.replace(other, { ...other.item, place: index + 1 });
    });
    return this.#order;
  }

  /** Another item with the same bytes, preferably one that was sent. */
  twinOf(sha256: string, id: string): UploadItem | null {
    let twin: UploadItem | null = null;
    for (const otherId of this.#byDigest.get(sha256) ?? []) {
      const other = otherId === id ? undefined : this.#byId.get(otherId)?.item;
      if (other === undefined) continue;
      if (other.phase.state === 'sent') return other;
      twin ??= other;
    }
    return twin;
  }

  #insert(item: UploadItem): void {
    const entry: Entry = { id: item.id, item, due: 0, asked: 0, failures: 0 };
    this.#byId.set(item.id, entry);
    this.#order.push(entry);
    this.#count(item, 1);
  }

  #count(item: UploadItem, by: 1 | -1): void {
    const { state } = item.phase;
    this.#counts[state] += by;
    if (isUnsent(item)) this.#unsent += by;
    if (state === 'queued' && item.paused === false) this.#ready += by;
    if (item.sha256 === null) return;
    const same = this.#byDigest.get(item.sha256);
    if (by === -1) {
      same?.delete(item.id);
      if (same?.size === 0) this.#byDigest.delete(item.sha256);
    } else if (same) same.add(item.id);
    else this.#byDigest.set(item.sha256, new Set([item.id]));
  }
}
