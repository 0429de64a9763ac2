import { hash } from 'node:crypto';
import { contentOf } from './cid/parse.ts';
import type { EvidenceRecord, ListedItem } from './evidenceItem.ts';
import { mostItems } from './evidenceReader.ts';

/** How many items are put away before the event loop gets its turn. */
const chunk = 1_000;

interface Kept {
  readonly item: ListedItem;
  /** The text that is the same for every spelling of its CID. */
  readonly content: string | null;
}

/**
 * The items that are known, newest first, and how they are found. An item keeps its key as long as it
 * says the same; two that say the same in everything are one, since a page that shifts while it is
 * read shows an item twice.
 */
export class EvidenceCache {
  #items: readonly ListedItem[] = [];
  /** By what an item says. */
  #kept: ReadonlyMap<string, Kept> = new Map();
  #lastKey = 0;
  #revision = 0;
  #withoutCid = 0;
  #byIncident: ReadonlyMap<string, readonly ListedItem[]> = new Map();
  /** Of the CIDs, each once for all its spellings. */
  #contents: ReadonlySet<string> = new Set();

  get items(): readonly ListedItem[] {
    return this.#items;
  }

  /** Counts up with every change. */
  get revision(): number {
    return this.#revision;
  }

  get withoutCid(): number {
    return this.#withoutCid;
  }

  /**
   * Takes what was read. `complete`: what is not among it is gone; else it may only not have been
   * reached, and stays.
   *
   * @returns whether anything changed.
   */
  async take(records: readonly EvidenceRecord[], complete: boolean): Promise<boolean> {
    const kept = new Map<string, Kept>();
    const contents = new Set<string>();
    const keep = (identity: string, one: Kept): void => {
      kept.set(identity, one);
      if (one.content !== null) contents.add(one.content);
    };
    for (const [index, { content, ...record }] of records.entries()) {
      if (index > 0 && index % chunk === 0) await turn();
      const identity = identityOf(record);
      if (kept.has(identity)) continue;
      // The known object itself, so that the memory of the one just read is given back.
      keep(identity, this.#kept.get(identity) ?? { item: { key: this.#nextKey(), ...record }, content });
    }
    if (!complete) {
      for (const [identity, known] of this.#kept) {
        if (kept.size >= mostItems) break;
        if (!kept.has(identity)) keep(identity, known);
      }
    }
    this.#kept = kept;
    this.#contents = contents;
    const items = newestFirst([...kept.values()].map(({ item }) => item));
    if (sameOrder(items, this.#items)) return false;
    const byIncident = await indexed(items);
    this.#items = items;
    this.#byIncident = byIncident;
    this.#withoutCid = items.reduce((count, { cid }) => count + (cid === null ? 1 : 0), 0);
    this.#revision += 1;
    return true;
  }

  read(
    incidentId: string | null,
    from: number,
    count: number,
  ): { readonly total: number; readonly items: ListedItem[] } {
    const list = incidentId === null ? this.#items : (this.#byIncident.get(incidentId) ?? []);
    return { total: list.length, items: list.slice(from, from + count) };
  }

  /** The CIDs of one incident's items, or of all, each spelling once. */
  cids(incidentId: string | null): string[] {
    const list = incidentId === null ? this.#items : (this.#byIncident.get(incidentId) ?? []);
    return [...new Set(list.flatMap(({ cid }) => (cid === null ? [] : [cid])))];
  }

  /** Whether an item has one of these CIDs, however they are spelt. */
  holds(cids: readonly string[]): boolean {
    return cids.some((cid) => {
      const content = contentOf(cid);
      return content !== null && this.#contents.has(content);
    });
  }

  #nextKey(): number {
    this.#lastKey += 1;
    return this.#lastKey;
  }
}

/** The items of each incident, in the order of the list. */
async function indexed(items: readonly ListedItem[]): Promise<ReadonlyMap<string, readonly ListedItem[]>> {
  const byIncident = new Map<string, ListedItem[]>();
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % chunk === 0) await turn();
    if (item.incidentId === null) continue;
    const list = byIncident.get(item.incidentId);
    if (list) list.push(item);
    else byIncident.set(item.incidentId, [item]);
  }
  return byIncident;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const identityOf = ({ cid, fields }: Omit<ListedItem, 'key'>): string =>
  hash('sha256', JSON.stringify([cid, fields]), 'base64');

const sameOrder = (a: readonly ListedItem[], b: readonly ListedItem[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/** By time, and in the service's order where times are the same; items without one come last. */
const newestFirst = (items: readonly ListedItem[]): ListedItem[] =>
  items.toSorted((a, b) => (b.at ?? Number.NEGATIVE_INFINITY) - (a.at ?? Number.NEGATIVE_INFINITY) || 0);
