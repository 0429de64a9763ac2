import { hash } from 'node:crypto';
import { Yielding } from '../../base/yielding.ts';
import { ownAddresses, type EvidenceRecord, type ListedItem } from './evidenceItem.ts';
import { mostItems } from './evidenceReader.ts';

interface Kept {
  readonly item: ListedItem;
  /** The same text for all spellings of its CID. */
  readonly content: string | null;
  readonly addresses: readonly string[];
}

/**
 * The known items, newest first, with their indexes. An item keeps its key while its content is the same. Two items
 * with the same content are one, since a page that shifts during a read shows an item twice.
 */
export class EvidenceCache {
  #items: readonly ListedItem[] = [];
  /** By the content of the item. */
  #kept: ReadonlyMap<string, Kept> = new Map();
  #lastKey = 0;
  #revision = 0;
  #withoutCid = 0;
  #byIncident: ReadonlyMap<string, readonly ListedItem[]> = new Map();
  /** For each content the addresses that its items give. */
  #contents: ReadonlyMap<string, readonly string[]> = new Map();
  readonly #gateways: readonly string[];

  constructor({ gateways }: { readonly gateways: readonly string[] }) {
    this.#gateways = gateways;
  }

  get items(): readonly ListedItem[] {
    return this.#items;
  }

  /** Grows with every change. */
  get revision(): number {
    return this.#revision;
  }

  get withoutCid(): number {
    return this.#withoutCid;
  }

  /**
   * Takes the result of a reading. `complete`: items that are missing from it are gone; otherwise they may only not
   * have been reached, and stay.
   *
   * @returns whether anything changed.
   */
  async take(records: readonly EvidenceRecord[], complete: boolean): Promise<boolean> {
    const kept = new Map<string, Kept>();
    const contents = new Map<string, readonly string[]>();
    const keep = (identity: string, one: Kept): void => {
      kept.set(identity, one);
      if (one.content === null) return;
      const before = contents.get(one.content);
      if (before === undefined || before.length === 0) contents.set(one.content, one.addresses);
    };
    const yielding = new Yielding();
    for (const { content, ...record } of records) {
      if (yielding.over) await yielding.next();
      const identity = identityOf(record);
      if (kept.has(identity)) continue;
      // The known object, so that the memory of the one just read is freed.
      keep(identity, this.#kept.get(identity) ?? this.#fresh(record, content));
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

  /** The CIDs of the items of these incidents, or of all; each spelling once. */
  cids(incidentIds: readonly string[] | null): string[] {
    const list = incidentIds?.flatMap((id) => this.#byIncident.get(id) ?? []) ?? this.#items;
    return [...new Set(list.flatMap(({ cid }) => (cid === null ? [] : [cid])))];
  }

  /** Addresses under the gateways that items give for a content. */
  addressesOf(content: string): readonly string[] {
    return this.#contents.get(content) ?? [];
  }

  #fresh(record: Omit<ListedItem, 'key'>, content: string | null): Kept {
    const found = content === null ? none : ownAddresses(record.fields, this.#gateways);
    const addresses = found.length === 0 ? none : found;
    return { item: { key: this.#nextKey(), ...record }, content, addresses };
  }

  #nextKey(): number {
    this.#lastKey += 1;
    return this.#lastKey;
  }
}

/** The items of each incident, in the order of the list. */
async function indexed(items: readonly ListedItem[]): Promise<ReadonlyMap<string, readonly ListedItem[]>> {
  const byIncident = new Map<string, ListedItem[]>();
  const yielding = new Yielding();
  for (const item of items) {
    if (yielding.over) await yielding.next();
    if (item.incidentId === null) continue;
    const list = byIncident.get(item.incidentId);
    if (list) list.push(item);
    else byIncident.set(item.incidentId, [item]);
  }
  return byIncident;
}

/** One empty list for all: there may be 100,000 items. */
const none: readonly string[] = [];

const identityOf = ({ cid, fields }: Omit<ListedItem, 'key'>): string =>
  hash('sha256', JSON.stringify([cid, fields]), 'base64');

const sameOrder = (a: readonly ListedItem[], b: readonly ListedItem[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/** By time, then in the service's order. Items without a time come last. */
const newestFirst = (items: readonly ListedItem[]): ListedItem[] =>
  items.toSorted((a, b) => (b.at ?? Number.NEGATIVE_INFINITY) - (a.at ?? Number.NEGATIVE_INFINITY) || 0);
