import {
  scaleOf,
  statusClassOf,
  type IncidentDetail,
  type IncidentFrame,
  type SeverityScale,
} from '../../../src-preload/contract/index.ts';
import { Dictionary } from './dictionary.ts';
import { IdIndex } from './idIndex.ts';
import { sameIncident, type IncidentRecord } from './incident.ts';
import type { StoredIncident } from './incidentCache.ts';
import {
  encodeIds,
  gatherColumns,
  makeRowArrays,
  resizedRowArrays,
  type EncodedIds,
  type RowArrays,
} from './rowColumns.ts';

/** When a row was seen. Server time, Unix milliseconds; `arrivedAt` 0 for what a first read brought. */
export interface Sighting {
  readonly seenAt: number;
  readonly arrivedAt: number;
}

const removedLimit = 10_000;

/** Lone surrogates become U+FFFD in UTF-8; done before, so that ids and their bytes agree. */
const wellFormed = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed());

/**
 * The rows that are known, as columns that grow, within one epoch. Slots are used again after a
 * removal, keys never are. A row carries the revision of its last change, so that a delta is
 * computed when it is sent and nothing queues up for a page that sleeps.
 */
export class IncidentTable {
  #rows: RowArrays = makeRowArrays(1024);
  /** Slots ever used: those from here on are untouched. */
  #used = 0;
  #nextKey = 1;
  readonly #free: number[] = [];
  readonly #records: (IncidentRecord | undefined)[] = [];
  /** The id in each slot, well formed. */
  readonly #ids: string[] = [];
  /** The ids of all rows as they were encoded last; null since a row came or went. */
  #allIds: EncodedIds | null = null;
  readonly #slotOfId = new IdIndex();
  /** By key: keys count up from 1 and are never used again. -1 for one that is gone. */
  readonly #slotOfKey: number[] = [-1];
  #removed: { readonly key: number; readonly revision: number }[] = [];
  /** Removals up to this revision are forgotten: a delta from before it cannot be given. */
  #removedFloor = 0;
  #withoutLocation = 0;
  #notReturned = 0;
  readonly #severity: Dictionary;
  readonly #status: Dictionary;
  readonly #type = new Dictionary();

  /** @param scale whose ranked severities are told apart however many others come. */
  constructor(scale: () => SeverityScale = () => scaleOf(null)) {
    const entries = 1000;
    this.#severity = new Dictionary(entries, (text) => {
      const { known, name } = scale().classOf(text);
      return known ? name : null;
    });
    this.#status = new Dictionary(entries, (text) => {
      const { known, name } = statusClassOf(text);
      return known ? name : null;
    });
  }

  get count(): number {
    return this.#slotOfId.size;
  }

  get withoutLocation(): number {
    return this.#withoutLocation;
  }

  /** How many rows are marked as no longer returned. */
  get notReturned(): number {
    return this.#notReturned;
  }

  get severities(): readonly string[] {
    return this.#severity.values;
  }

  get statuses(): readonly string[] {
    return this.#status.values;
  }

  has(id: string): boolean {
    return this.#slotOfId.has(wellFormed(id));
  }

  ids(): IterableIterator<string> {
    return this.#slotOfId.ids();
  }

  recordOf(id: string): IncidentRecord | undefined {
    const slot = this.#slotOfId.get(wellFormed(id));
    return slot === undefined ? undefined : this.#records[slot];
  }

  /** Ids of the incidents created between two instants, both inclusive, Unix milliseconds; null for no bound. */
  idsBetween(from: number | null, to: number | null): string[] {
    const { alive, createdAt } = this.#rows;
    const ids: string[] = [];
    const [low, high] = [from ?? -Infinity, to ?? Infinity];
    for (let slot = 0; slot < this.#used; slot += 1) {
      const at = createdAt[slot] as number;
      if (at >= low && at <= high && alive[slot] === 1) ids.push(this.#ids[slot] ?? '');
    }
    return ids;
  }

  idsNotReturned(): string[] {
    const ids: string[] = [];
    if (this.#notReturned === 0) return ids;
    for (let slot = 0; slot < this.#used; slot += 1) {
      if (this.#rows.notReturned[slot] === 1) ids.push(this.#ids[slot] ?? '');
    }
    return ids;
  }

  /** One incident as it is kept on this computer; null when it is not known. */
  stored(id: string): StoredIncident | null {
    return this.#storedIn(this.#slotOfId.get(wellFormed(id)));
  }

  /** The same by its key. */
  storedByKey(key: number): StoredIncident | null {
    return this.#storedIn(this.#slotOfKey[key]);
  }

  #storedIn(slot: number | undefined): StoredIncident | null {
    const record = slot === undefined ? undefined : this.#records[slot];
    if (slot === undefined || !record) return null;
    const since = this.#rows.notReturnedSince[slot] ?? Number.NaN;
    return {
      record,
      firstSeenAt: this.#rows.firstSeenAt[slot] ?? 0,
      lastSeenAt: this.#rows.lastSeenAt[slot] ?? 0,
      arrivedAt: this.#rows.arrivedAt[slot] ?? 0,
      notReturnedSince: Number.isNaN(since) ? null : since,
    };
  }

  /** Takes a row from the cache, times and mark included; one that is known already stays as it is. */
  restore(stored: StoredIncident, revision: number): boolean {
    const { record, firstSeenAt, lastSeenAt, arrivedAt, notReturnedSince } = stored;
    const id = wellFormed(record.id);
    if (this.#slotOfId.has(id)) return false;
    const slot = this.#insert(id, record, { seenAt: firstSeenAt, arrivedAt }, revision);
    this.#rows.lastSeenAt[slot] = lastSeenAt;
    if (notReturnedSince !== null) this.mark(id, notReturnedSince, revision);
    return true;
  }

  /** Marks a row as no longer returned since an instant of server time; false when it is so already. */
  mark(id: string, since: number, revision: number): boolean {
    const slot = this.#slotOfId.get(wellFormed(id));
    if (slot === undefined || this.#rows.notReturned[slot] === 1) return false;
    this.#rows.notReturned[slot] = 1;
    this.#rows.notReturnedSince[slot] = since;
    this.#rows.changedAt[slot] = revision;
    this.#notReturned += 1;
    return true;
  }

  /**
   * Inserts or replaces one row. A row that came is returned: a mark that said otherwise goes. A row that
   * says what it said before is only noted as seen.
   *
   * @returns whether anything changed.
   */
  upsert(record: IncidentRecord, { seenAt, arrivedAt }: Sighting, revision: number): boolean {
    const id = wellFormed(record.id);
    const known = this.#slotOfId.get(id);
    if (known !== undefined) {
      this.#rows.lastSeenAt[known] = seenAt;
      const before = this.#records[known];
      const wasMarked = this.#unmark(known);
      if (!wasMarked && before && sameIncident(before, record)) return false;
      if (before?.location === null) this.#withoutLocation -= 1;
      this.#write(known, record, revision);
      return true;
    }
    this.#insert(id, record, { seenAt, arrivedAt }, revision);
    return true;
  }

  #insert(id: string, record: IncidentRecord, { seenAt, arrivedAt }: Sighting, revision: number): number {
    const slot = this.#take();
    const rows = this.#rows;
    rows.key[slot] = this.#nextKey;
    rows.alive[slot] = 1;
    rows.firstSeenAt[slot] = seenAt;
    rows.lastSeenAt[slot] = seenAt;
    rows.arrivedAt[slot] = arrivedAt;
    rows.notReturned[slot] = 0;
    rows.notReturnedSince[slot] = Number.NaN;
    this.#ids[slot] = id;
    this.#allIds = null;
    this.#slotOfId.set(id, slot);
    this.#slotOfKey.push(slot);
    this.#nextKey += 1;
    this.#write(slot, record, revision);
    return slot;
  }

  remove(id: string, revision: number): boolean {
    const known = wellFormed(id);
    const slot = this.#slotOfId.get(known);
    if (slot === undefined) return false;
    const key = this.#rows.key[slot] ?? 0;
    this.#unmark(slot);
    if (this.#records[slot]?.location === null) this.#withoutLocation -= 1;
    this.#slotOfId.delete(known);
    this.#ids[slot] = '';
    this.#allIds = null;
    this.#slotOfKey[key] = -1;
    this.#rows.alive[slot] = 0;
    this.#records[slot] = undefined;
    this.#free.push(slot);
    this.#removed.push({ key, revision });
    if (this.#removed.length > removedLimit) this.#forgetRemovals();
    return true;
  }

  /** Slots ever used: `anchorsAt` has an answer for those below. */
  get slots(): number {
    return this.#used;
  }

  /** The blockchain records of the incident in a slot, and its key; null in an empty slot. */
  anchorsAt(slot: number): { readonly key: number; readonly records: readonly string[] } | null {
    const record = this.#records[slot];
    return record ? { key: this.#rows.key[slot] ?? 0, records: record.blockchainRecords } : null;
  }

  /** One incident in full; null when the key is not (or no longer) known. */
  detail(key: number): IncidentDetail | null {
    const slot = this.#slotOfKey[key];
    const record = slot === undefined ? undefined : this.#records[slot];
    if (slot === undefined || !record) return null;
    return {
      key,
      ...record,
      blockchainRecords: [...record.blockchainRecords],
      location: record.location ? { ...record.location } : null,
      otherFields: record.otherFields.map((field) => ({ ...field })),
      firstSeenAt: this.#rows.firstSeenAt[slot] ?? 0,
      lastSeenAt: this.#rows.lastSeenAt[slot] ?? 0,
      notReturnedSince: this.stored(record.id)?.notReturnedSince ?? null,
    };
  }

  location(key: number): { readonly latitude: number; readonly longitude: number } | null {
    const slot = this.#slotOfKey[key];
    return slot === undefined ? null : (this.#records[slot]?.location ?? null);
  }

  /**
   * What changed after revision `base`, or all rows when `base` is null or lies too far back.
   *
   * @returns null when nothing changed.
   */
  frameSince(base: number | null): IncidentFrame | null {
    const complete = base === null || base < this.#removedFloor;
    const slots = this.#changedSlots(complete ? -1 : base);
    const removed = complete ? [] : this.#removed.filter((entry) => entry.revision > base);
    if (!complete && slots.length === 0 && removed.length === 0) return null;
    return {
      complete,
      removed: Uint32Array.from(removed, (entry) => entry.key),
      dictionaries: {
        severity: [...this.#severity.values],
        status: [...this.#status.values],
        type: [...this.#type.values],
      },
      columns: gatherColumns(this.#rows, slots, this.#encodedIds(slots, complete)),
    };
  }

  #unmark(slot: number): boolean {
    if (this.#rows.notReturned[slot] !== 1) return false;
    this.#rows.notReturned[slot] = 0;
    this.#rows.notReturnedSince[slot] = Number.NaN;
    this.#notReturned -= 1;
    return true;
  }

  #encodedIds(slots: Uint32Array, complete: boolean): EncodedIds {
    if (complete && this.#allIds) return this.#allIds;
    const encoded = encodeIds(Array.from(slots, (slot) => this.#ids[slot] ?? ''));
    if (complete) this.#allIds = encoded;
    return encoded;
  }

  #changedSlots(base: number): Uint32Array {
    const { alive, changedAt } = this.#rows;
    const slots = new Uint32Array(this.#used);
    let count = 0;
    for (let slot = 0; slot < this.#used; slot += 1) {
      if (alive[slot] === 1 && (changedAt[slot] ?? 0) > base) slots[count++] = slot;
    }
    return slots.subarray(0, count);
  }

  #take(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#used === this.#rows.key.length) this.#rows = resizedRowArrays(this.#rows, this.#used * 2);
    return this.#used++;
  }

  #write(slot: number, record: IncidentRecord, revision: number): void {
    const rows = this.#rows;
    this.#records[slot] = record;
    rows.createdAt[slot] = record.createdAt;
    rows.latitude[slot] = record.location?.latitude ?? Number.NaN;
    rows.longitude[slot] = record.location?.longitude ?? Number.NaN;
    rows.evidenceCount[slot] = record.evidenceCount;
    rows.anchorCount[slot] = record.blockchainRecords.length;
    rows.severity[slot] = this.#severity.indexOf(record.severity);
    rows.status[slot] = this.#status.indexOf(record.status);
    rows.type[slot] = this.#type.indexOf(record.incidentType);
    rows.changedAt[slot] = revision;
    if (record.location === null) this.#withoutLocation += 1;
  }

  #forgetRemovals(): void {
    const kept = this.#removed.slice(-removedLimit / 2);
    const last = this.#removed[this.#removed.length - kept.length - 1];
    this.#removedFloor = last?.revision ?? 0;
    this.#removed = kept;
  }
}
