import type { Failure, Result } from '../../src-preload/contract/index.ts';

/** Part of a list that the console reads out page by page (contract/verbs.ts: `from`, `count`). */
export interface RowsPage<T> {
  readonly total: number;
  readonly items: readonly T[];
}
export type ReadRows<T> = (from: number, count: number) => Promise<Result<RowsPage<T>>>;
export type RowKey = string | number;

export interface PagedRowsOptions<T> {
  readonly read: ReadRows<T>;
  /** What stays the same of a row while it is in the list, wherever it stands. */
  readonly keyOf: (row: T) => RowKey;
  /** Called after every change of what can be read from here. */
  readonly onChange: () => void;
}

/** Where a row stood that must not move under the operator's eyes. */
export interface ScrollAnchor {
  readonly key: RowKey;
  readonly index: number;
}

/** Under the 200 that a verb answers with; two of them hold every row that a screen shows. */
const pageSize = 100;
/** Pages kept; the farthest from what is shown are forgotten first. */
const mostPages = 40;

interface Page<T> {
  readonly generation: number;
  readonly items: readonly T[];
}

/**
 * Rows of a long list, of which only the pages in view are read. Nothing that is known is taken away
 * before what replaces it has come, and all pages in view are replaced together, so that a list never
 * flickers; at most one reading is running, so that a list which changes a hundred times a second
 * costs no more than the console can answer.
 */
export class PagedRows<T> {
  readonly #options: PagedRowsOptions<T>;
  #pages = new Map<number, Page<T>>();
  #total: number | null = null;
  #failure: Failure | null = null;
  #generation = 0;
  #list = 0;
  #first = 0;
  #last = 0;
  #reading = false;
  /** After a failure nothing is read before something changes or is asked for again. */
  #stopped = false;
  #anchor: ScrollAnchor | null = null;
  #moved: ScrollAnchor | null = null;

  constructor(options: PagedRowsOptions<T>) {
    this.#options = options;
  }

  /** Null until the first answer. */
  get total(): number | null {
    return this.#total;
  }

  /** Why the last reading brought nothing; what was known before is still there. */
  get failure(): Failure | null {
    return this.#failure;
  }

  /** Undefined where its page was not read yet. */
  rowAt(index: number): T | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.items[index % pageSize];
  }

  keyAt(index: number): RowKey | null {
    const row = this.rowAt(index);
    return row === undefined ? null : this.#options.keyOf(row);
  }

  /** Where a row stands among the pages that were read; -1 when it is in none. */
  indexOf(key: RowKey): number {
    for (const [number, { items }] of this.#pages) {
      const at = items.findIndex((row) => this.#options.keyOf(row) === key);
      if (at >= 0) return number * pageSize + at;
    }
    return -1;
  }

  /**
   * Says which rows are in view; their pages are read where they are missing or old.
   *
   * @param anchor the row that is being read, so that `takeMoved` can tell where it went.
   */
  show(first: number, last: number, anchor: ScrollAnchor | null): void {
    this.#first = Math.max(0, Math.floor(first / pageSize));
    this.#last = Math.max(this.#first, Math.floor(last / pageSize));
    this.#anchor = anchor;
    this.#pump();
  }

  /** What is known is old: it stays until it was read again. */
  refresh(): void {
    this.#generation += 1;
    this.#stopped = false;
    this.#pump();
  }

  /** Another list begins, of which nothing is known. */
  clear(): void {
    this.#list += 1;
    this.#pages = new Map();
    this.#total = null;
    this.#failure = null;
    this.#first = 0;
    this.#last = 0;
    this.#anchor = null;
    this.#moved = null;
    this.#reading = false;
    this.#options.onChange();
    this.refresh();
  }

  /** Where the row that was being read stands since the last reading; answered once. */
  takeMoved(): ScrollAnchor | null {
    const moved = this.#moved;
    this.#moved = null;
    return moved;
  }

  #pump(): void {
    if (this.#reading || this.#stopped) return;
    const wanted = this.#wanted();
    if (wanted.length === 0) return;
    this.#reading = true;
    void this.#read(wanted);
  }

  /** Pages in view that are missing or old, within the list's end as far as it is known. */
  #wanted(): number[] {
    const end = this.#total === null ? 0 : Math.max(0, Math.ceil(this.#total / pageSize) - 1);
    const wanted: number[] = [];
    for (let page = Math.min(this.#first, end); page <= Math.min(this.#last, end); page += 1) {
      if (this.#pages.get(page)?.generation !== this.#generation) wanted.push(page);
    }
    return wanted;
  }

  async #read(wanted: readonly number[]): Promise<void> {
    const list = this.#list;
    const generation = this.#generation;
    const anchor = this.#anchor;
    const answers = new Map<number, RowsPage<T>>();
    let failure = await this.#ask(wanted, answers);
    if (list !== this.#list) return;
    const total = [...answers.values()].at(-1)?.total ?? 0;
    if (failure === null && anchor !== null && !this.#holds(answers, anchor.key)) {
      // So much came above it that it left the pages in view: it is looked for that much farther down.
      const place = anchor.index + total - (this.#total ?? total);
      const around = [Math.floor(place / pageSize)].filter((page) => page >= 0 && !answers.has(page));
      if (place !== anchor.index) failure = await this.#ask(around, answers);
      if (list !== this.#list) return;
    }
    this.#reading = false;
    this.#failure = failure;
    if (failure !== null) this.#stopped = true;
    else this.#take(answers, total, generation, anchor);
    this.#options.onChange();
    this.#pump();
  }

  /** Reads pages at the same time; answers with the first failure. */
  async #ask(pages: readonly number[], answers: Map<number, RowsPage<T>>): Promise<Failure | null> {
    const results = await Promise.all(pages.map((page) => this.#options.read(page * pageSize, pageSize)));
    for (const [at, result] of results.entries()) {
      if (!result.ok) return result.failure;
      answers.set(pages[at] ?? 0, result.value);
    }
    return null;
  }

  #holds(answers: ReadonlyMap<number, RowsPage<T>>, key: RowKey): boolean {
    return [...answers.values()].some(({ items }) => items.some((row) => this.#options.keyOf(row) === key));
  }

  #take(
    answers: ReadonlyMap<number, RowsPage<T>>,
    total: number,
    generation: number,
    anchor: ScrollAnchor | null,
  ): void {
    this.#total = total;
    for (const [page, { items }] of answers) this.#pages.set(page, { generation, items });
    // The first page of an empty list is known, and empty.
    const end = Math.max(1, Math.ceil(total / pageSize));
    for (const page of this.#pages.keys()) if (page >= end) this.#pages.delete(page);
    const middle = (this.#first + this.#last) / 2;
    const farthest = [...this.#pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const page of farthest.slice(0, Math.max(0, this.#pages.size - mostPages))) this.#pages.delete(page);
    if (anchor === null) return;
    const index = this.#freshIndexOf(anchor.key, generation);
    if (index >= 0 && index !== anchor.index) this.#moved = { key: anchor.key, index };
  }

  /** An old page may still hold the row where it stood before. */
  #freshIndexOf(key: RowKey, generation: number): number {
    for (const [number, page] of this.#pages) {
      if (page.generation !== generation) continue;
      const at = page.items.findIndex((row) => this.#options.keyOf(row) === key);
      if (at >= 0) return number * pageSize + at;
    }
    return -1;
  }
}

/**
 * Lends elements to the rows in view: a row keeps its own as long as it stays, and one that comes takes
 * over that of one that left. Patching an element costs a third of making it, and a row that stays must
 * not hand the keyboard that is in it to its neighbour.
 */
export class Slots {
  #lent = new Map<RowKey, number>();

  /** The slot of each key, in their order. The keys differ from each other. */
  assign(keys: readonly RowKey[]): number[] {
    const staying = new Map<RowKey, number>();
    for (const key of keys) {
      const slot = this.#lent.get(key);
      if (slot !== undefined) staying.set(key, slot);
    }
    const taken = new Set(staying.values());
    let next = 0;
    for (const key of keys) {
      if (staying.has(key)) continue;
      while (taken.has(next)) next += 1;
      taken.add(next);
      staying.set(key, next);
    }
    this.#lent = staying;
    return keys.map((key) => staying.get(key) ?? 0);
  }
}
