import type { IncidentDetail, IncidentFrame } from '../../../src-preload/contract/index.ts';
import type { IncidentRecord } from '../domain/incident.ts';
import { sameValue } from '../domain/json.ts';
import { Dictionary } from './dictionary.ts';
import {
  encodeIds,
  gatherColumns,
  makeRowArrays,
  resizedRowArrays,
  type EncodedIds,
  type RowArrays,
} from './rowColumns.ts';

/** When a row was seen. Station time, Unix milliseconds; `arrivedAt` 0 for what a first read brought. */
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
  readonly #slotOfId = new Map<string, number>();
  readonly #slotOfKey = new Map<number, number>();
  #removed: { readonly key: number; readonly revision: number }[] = [];
  /** Removals up to this revision are forgotten: a delta from before it cannot be given. */
  #removedFloor = 0;
  #withoutLocation = 0;
  readonly #severity = new Dictionary();
  readonly #status = new Dictionary();
  readonly #type = new Dictionary();

  get count(): number {
    return this.#slotOfId.size;
  }

  get withoutLocation(): number {
    return this.#withoutLocation;
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
    return this.#slotOfId.keys();
  }

  recordOf(id: string): IncidentRecord | undefined {
    const slot = this.#slotOfId.get(wellFormed(id));
    return slot === undefined ? undefined : this.#records[slot];
  }

  /**
   * Inserts or replaces one row. A row that says what it said before is only noted as seen.
   *
   * @returns whether anything changed.
   */
  upsert(record: IncidentRecord, { seenAt, arrivedAt }: Sighting, revision: number): boolean {
    const id = wellFormed(record.id);
    const known = this.#slotOfId.get(id);
    if (known !== undefined) {
      this.#rows.lastSeenAt[known] = seenAt;
      if (sameValue(this.#records[known], record)) return false;
      if (this.#records[known]?.location === null) this.#withoutLocation -= 1;
      this.#write(known, record, revision);
      return true;
    }
    const slot = this.#take();
    const rows = this.#rows;
    rows.key[slot] = this.#nextKey;
    rows.alive[slot] = 1;
    rows.firstSeenAt[slot] = seenAt;
    rows.lastSeenAt[slot] = seenAt;
    rows.arrivedAt[slot] = arrivedAt;
    this.#ids[slot] = id;
    this.#allIds = null;
    this.#slotOfId.set(id, slot);
    this.#slotOfKey.set(this.#nextKey, slot);
    this.#nextKey += 1;
    this.#write(slot, record, revision);
    return true;
  }

  remove(id: string, revision: number): boolean {
    const known = wellFormed(id);
    const slot = this.#slotOfId.get(known);
    if (slot === undefined) return false;
    const key = this.#rows.key[slot] ?? 0;
    if (this.#records[slot]?.location === null) this.#withoutLocation -= 1;
    this.#slotOfId.delete(known);
    this.#ids[slot] = '';
    this.#allIds = null;
    this.#slotOfKey.delete(key);
    this.#rows.alive[slot] = 0;
    this.#records[slot] = undefined;
    this.#free.push(slot);
    this.#removed.push({ key, revision });
    if (this.#removed.length > removedLimit) this.#forgetRemovals();
    return true;
  }

  /** One incident in full; null when the key is not (or no longer) known. */
  detail(key: number): IncidentDetail | null {
    const slot = this.#slotOfKey.get(key);
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
    };
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
