import {
  scaleOf,
  statusClassOf,
  unknownCount,
  type IncidentDetail,
  type IncidentFrame,
  type SeverityScale,
} from '../../../src-preload/contract/index.ts';
import type { WantedText } from './anchorSearch.ts';
import { Dictionary } from './dictionary.ts';
import { IdTable } from './idTable.ts';
import { isUnreadable, sameIncident, type IncidentRecord } from './incident.ts';
import type { StoredIncident } from './incidentCache.ts';
import { IncidentPacker } from './incidentPack.ts';
import { PackedBytes } from './packedBytes.ts';
import { gatherColumns, makeRowArrays, resizedRowArrays, type RowArrays } from './rowColumns.ts';
import { RowKeys } from './rowKeys.ts';

/** When a row was seen. Server time, Unix milliseconds; `arrivedAt` is 0 for rows of a first read. */
export interface Sighting {
  readonly seenAt: number;
  readonly arrivedAt: number;
}

/** Called with a row's content before it is overwritten. */
type HearBefore = (before: IncidentRecord) => void;

/**
 * The known rows of one epoch, as columns that grow. Slots are reused after a removal, keys never are. A row has the
 * revision of its last change, so that a delta is computed when it is sent, and nothing queues up for a page that
 * sleeps.
 *
 * An incident consists of columns, entries of dictionaries, and bytes for the rest: as objects, a million of them took
 * three times the memory, which the garbage collector had to scan. A record is made when it is needed.
 */
export class IncidentTable {
  #rows: RowArrays = makeRowArrays(1024);
  /** Gives each row its slot. */
  readonly #ids: IdTable;
  /** The part of each row outside of the columns. */
  readonly #rest: PackedBytes;
  readonly #packer = new IncidentPacker();
  readonly #keys = new RowKeys();
  #withoutLocation = 0;
  #notReturned = 0;
  readonly #severity: Dictionary;
  readonly #status: Dictionary;
  readonly #type = new Dictionary();

  /**
   * @param scale its ranked severities always get a number each, whatever others come.
   *
   * @param chunkBytes the size of the chunks that bytes are packed into.
   */
  constructor(scale: () => SeverityScale = () => scaleOf(null), chunkBytes?: number) {
    this.#ids = new IdTable(chunkBytes);
    this.#rest = new PackedBytes(chunkBytes);
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
    return this.#ids.size;
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
    return this.#ids.has(id);
  }

  ids(): IterableIterator<string> {
    return this.#ids.ids();
  }

  recordOf(id: string): IncidentRecord | undefined {
    const slot = this.#ids.slotOf(id);
    return slot < 0 ? undefined : this.#recordIn(slot);
  }

  /** The service returned, at `seenAt`, what was created between two instants, but for what is no longer returned. */
  saw({ from, to }: { readonly from: number; readonly to: number }, seenAt: number): void {
    const { createdAt, notReturned, lastSeenAt } = this.#rows;
    for (let slot = 0; slot < this.#ids.slots; slot += 1) {
      const at = createdAt[slot] as number;
      if (at >= from && at <= to && notReturned[slot] === 0) lastSeenAt[slot] = seenAt;
    }
  }

  /** Ids of the incidents created between two instants, both inclusive, Unix milliseconds; null for no limit. */
  idsBetween(from: number | null, to: number | null): string[] {
    const { createdAt } = this.#rows;
    const ids: string[] = [];
    const [low, high] = [from ?? -Infinity, to ?? Infinity];
    for (let slot = 0; slot < this.#ids.slots; slot += 1) {
      const at = createdAt[slot] as number;
      if (at >= low && at <= high && this.#ids.holds(slot)) ids.push(this.#ids.idAt(slot));
    }
    return ids;
  }

  idsNotReturned(): string[] {
    const ids: string[] = [];
    if (this.#notReturned === 0) return ids;
    for (let slot = 0; slot < this.#ids.slots; slot += 1) {
      if (this.#rows.notReturned[slot] === 1) ids.push(this.#ids.idAt(slot));
    }
    return ids;
  }

  /** One incident as it is stored on this computer; null when it is not known. */
  stored(id: string): StoredIncident | null {
    return this.#storedIn(this.#ids.slotOf(id));
  }

  /** The same by its key. */
  storedByKey(key: number): StoredIncident | null {
    return this.#storedIn(this.#keys.slotOf(key));
  }

  #storedIn(slot: number): StoredIncident | null {
    if (slot < 0) return null;
    const { firstSeenAt, lastSeenAt, arrivedAt } = this.#rows;
    return {
      record: this.#recordIn(slot),
      firstSeenAt: firstSeenAt[slot] as number,
      lastSeenAt: lastSeenAt[slot] as number,
      arrivedAt: arrivedAt[slot] as number,
      notReturnedSince: this.#notReturnedSince(slot),
    };
  }

  #notReturnedSince(slot: number): number | null {
    const { notReturned, notReturnedSince } = this.#rows;
    return notReturned[slot] === 1 ? (notReturnedSince[slot] as number) : null;
  }

  /** Takes a row from the cache, with its times and mark. A known row stays as it is. */
  restore(stored: StoredIncident, revision: number): boolean {
    const { record, firstSeenAt, lastSeenAt, arrivedAt, notReturnedSince } = stored;
    if (this.#ids.has(record.id)) return false;
    const slot = this.#insert(record, { seenAt: firstSeenAt, arrivedAt }, revision);
    this.#rows.lastSeenAt[slot] = lastSeenAt;
    if (notReturnedSince !== null) this.#mark(slot, notReturnedSince, revision);
    return true;
  }

  /** Marks a row as no longer returned since an instant of server time; false when it is marked already. */
  mark(id: string, since: number, revision: number): boolean {
    const slot = this.#ids.slotOf(id);
    return slot >= 0 && this.#mark(slot, since, revision);
  }

  #mark(slot: number, since: number, revision: number): boolean {
    if (this.#rows.notReturned[slot] === 1) return false;
    this.#rows.notReturned[slot] = 1;
    this.#rows.notReturnedSince[slot] = since;
    this.#rows.changedAt[slot] = revision;
    this.#notReturned += 1;
    return true;
  }

  /**
   * Inserts or replaces one row. The service returned it, so its mark is removed. For a row without a change only the
   * time of seeing it is noted.
   *
   * @returns whether anything changed.
   */
  upsert(
    record: IncidentRecord,
    { seenAt, arrivedAt }: Sighting,
    revision: number,
    hear: HearBefore | null = null,
  ): boolean {
    const slot = this.#ids.slotOf(record.id);
    if (slot < 0) {
      this.#insert(record, { seenAt, arrivedAt }, revision);
      return true;
    }
    this.#rows.lastSeenAt[slot] = seenAt;
    const wasMarked = this.#unmark(slot);
    if (!wasMarked && this.#says(slot, record)) return false;
    hear?.(this.#recordIn(slot));
    if (!this.#hasLocation(slot)) this.#withoutLocation -= 1;
    this.#write(slot, record, revision);
    return true;
  }

  #insert(record: IncidentRecord, { seenAt, arrivedAt }: Sighting, revision: number): number {
    const slot = this.#ids.add(record.id);
    if (slot >= this.#rows.key.length) this.#rows = resizedRowArrays(this.#rows, slot * 2);
    const rows = this.#rows;
    rows.key[slot] = this.#keys.give(slot);
    rows.firstSeenAt[slot] = seenAt;
    rows.lastSeenAt[slot] = seenAt;
    rows.arrivedAt[slot] = arrivedAt;
    rows.notReturned[slot] = 0;
    this.#write(slot, record, revision);
    return slot;
  }

  remove(id: string, revision: number): boolean {
    const slot = this.#ids.remove(id);
    if (slot < 0) return false;
    this.#unmark(slot);
    if (!this.#hasLocation(slot)) this.#withoutLocation -= 1;
    this.#rest.clear(slot);
    this.#keys.remove(this.#rows.key[slot] as number, revision);
    return true;
  }

  /** Slots ever used: each of them may have an incident. */
  get slots(): number {
    return this.#ids.slots;
  }

  /** The key of the incident in a slot if one of its blockchain records contains a text, else null. */
  keyWithAnchor(slot: number, wanted: WantedText): number | null {
    if (this.#rows.anchorCount[slot] === 0 || !this.#ids.holds(slot)) return null;
    const run = this.#rest.runOf(slot);
    return run && this.#packer.holdsAnchor(run, wanted) ? (this.#rows.key[slot] as number) : null;
  }

  /** One incident in full; null when the key is not (or no longer) known. */
  detail(key: number): IncidentDetail | null {
    const stored = this.storedByKey(key);
    if (stored === null) return null;
    const { record, firstSeenAt, lastSeenAt, notReturnedSince } = stored;
    return {
      key,
      ...record,
      createdAt: Number.isNaN(record.createdAt) ? null : record.createdAt,
      unreadable: [...record.unreadable],
      blockchainRecords: [...record.blockchainRecords],
      otherFields: [...record.otherFields],
      firstSeenAt,
      lastSeenAt,
      notReturnedSince,
    };
  }

  idOf(key: number): string | null {
    const slot = this.#keys.slotOf(key);
    return slot < 0 ? null : this.#ids.idAt(slot);
  }

  location(key: number): { readonly latitude: number; readonly longitude: number } | null {
    const slot = this.#keys.slotOf(key);
    return slot < 0 ? null : this.#recordIn(slot).location;
  }

  /**
   * The changes after revision `base`; all rows when `base` is null or too old. Valid until the next change.
   *
   * @returns null when nothing changed.
   */
  frameSince(base: number | null): IncidentFrame | null {
    const removed = base === null ? null : this.#keys.removedSince(base);
    const slots = this.#changedSlots(base === null || removed === null ? -1 : base);
    if (removed?.length === 0 && slots.length === 0) return null;
    return {
      complete: removed === null,
      removed: removed ?? new Uint32Array(0),
      dictionaries: {
        severity: [...this.#severity.values],
        status: [...this.#status.values],
        type: [...this.#type.values],
      },
      columns: gatherColumns(this.#rows, slots, this.#ids.gather(slots)),
    };
  }

  #unmark(slot: number): boolean {
    if (this.#rows.notReturned[slot] !== 1) return false;
    this.#rows.notReturned[slot] = 0;
    this.#notReturned -= 1;
    return true;
  }

  #changedSlots(base: number): Uint32Array {
    const { changedAt } = this.#rows;
    const used = this.#ids.slots;
    const slots = new Uint32Array(used);
    let count = 0;
    for (let slot = 0; slot < used; slot += 1) {
      if ((changedAt[slot] as number) > base && this.#ids.holds(slot)) slots[count++] = slot;
    }
    return slots.subarray(0, count);
  }

  #hasLocation(slot: number): boolean {
    return !Number.isNaN(this.#rows.latitude[slot]);
  }

  #recordIn(slot: number): IncidentRecord {
    const rows = this.#rows;
    const location = {
      latitude: rows.latitude[slot] as number,
      longitude: rows.longitude[slot] as number,
    };
    return this.#packer.unpack(
      {
        id: this.#ids.idAt(slot),
        incidentType: this.#type.values[rows.type[slot] as number] ?? '',
        severity: this.#severity.values[rows.severity[slot] as number] ?? '',
        status: this.#status.values[rows.status[slot] as number] ?? '',
        createdAt: rows.createdAt[slot] as number,
        evidenceCount:
          rows.evidenceCount[slot] === unknownCount ? null : (rows.evidenceCount[slot] as number),
        location: this.#hasLocation(slot) ? location : null,
      },
      this.#rest.runOf(slot),
    );
  }

  /** Whether a row equals a record. Nearly all do, so the comparison unpacks nothing. */
  #says(slot: number, record: IncidentRecord): boolean {
    const rows = this.#rows;
    const { location } = record;
    if (
      Object.is(rows.createdAt[slot], record.createdAt) &&
      rows.evidenceCount[slot] === (record.evidenceCount ?? unknownCount) &&
      rows.anchorCount[slot] === anchorCountOf(record) &&
      (location === null
        ? !this.#hasLocation(slot)
        : rows.latitude[slot] === location.latitude && rows.longitude[slot] === location.longitude) &&
      this.#severity.values[rows.severity[slot] as number] === record.severity &&
      this.#status.values[rows.status[slot] as number] === record.status &&
      this.#type.values[rows.type[slot] as number] === record.incidentType
    ) {
      this.#packer.pack(
        record,
        record.id.isWellFormed() ? record : { ...record, id: record.id.toWellFormed() },
      );
      if (this.#rest.equals(slot, this.#packer.bytes, this.#packer.length)) return true;
    }
    return sameIncident(this.#recordIn(slot), record);
  }

  #write(slot: number, record: IncidentRecord, revision: number): void {
    const rows = this.#rows;
    const severity = this.#severity.indexOf(record.severity);
    const status = this.#status.indexOf(record.status);
    const type = this.#type.indexOf(record.incidentType);
    rows.createdAt[slot] = record.createdAt;
    rows.latitude[slot] = record.location?.latitude ?? Number.NaN;
    rows.longitude[slot] = record.location?.longitude ?? Number.NaN;
    rows.evidenceCount[slot] = record.evidenceCount ?? unknownCount;
    rows.anchorCount[slot] = anchorCountOf(record);
    rows.severity[slot] = severity;
    rows.status[slot] = status;
    rows.type[slot] = type;
    rows.changedAt[slot] = revision;
    if (record.location === null) this.#withoutLocation += 1;
    this.#packer.pack(record, {
      id: record.id.isWellFormed() ? record.id : record.id.toWellFormed(),
      severity: this.#severity.values[severity] ?? '',
      status: this.#status.values[status] ?? '',
      incidentType: this.#type.values[type] ?? '',
    });
    this.#rest.set(slot, this.#packer.bytes, this.#packer.length);
  }
}

const anchorCountOf = (record: IncidentRecord): number =>
  isUnreadable(record, 'blockchain_records') ? unknownCount : record.blockchainRecords.length;
