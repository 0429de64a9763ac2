import {
  columnArrayNames,
  columnArrays,
  openRule,
  scaleOf,
  unknownCount,
  type ArraysOf,
  type IncidentColumns,
  type IncidentDictionaries,
  type IncidentFrame,
  type IsOpen,
  type SeverityScale,
} from '../../src-preload/contract/index.ts';
import { KeyIndex } from './keyIndex.ts';

/**
 * The columns a table shows. Ids are not among them: after a change they no longer lie in row
 * order, so they are read through `IncidentTable.idAt`.
 */
export type TableColumns = Omit<IncidentColumns, 'idOffsets' | 'idBytes'>;

/** What a row says. */
export interface RowFacts {
  readonly key: number;
  readonly type: string;
  readonly severity: string;
  readonly status: string;
  /** Unix ms, NaN where unknown. */
  readonly createdAt: number;
  /** Degrees; null where the service gave no place. */
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
}

type Storage = ArraysOf<typeof columnArrays>;

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const emptyDictionaries: IncidentDictionaries = { severity: [], status: [], type: [] };

/**
 * The page's incidents as columns, kept current by frames.
 *
 * A complete frame is adopted as it is: its views become the columns, nothing is copied, and the
 * table owns their buffer from then on. A delta is patched in: a known key is overwritten in its
 * place, a new one is appended (arrays grow by half, so appending costs nothing on average), a
 * removed one is replaced by the last row. So row indices hold for one `revision` only; keys hold
 * for the whole epoch.
 */
export class IncidentTable {
  #storage: Storage = emptyStorage();
  #capacity = 0;
  #length = 0;
  #dictionaries: IncidentDictionaries = emptyDictionaries;
  #idFrom = new Uint32Array(0);
  #idTo = new Uint32Array(0);
  #idBytes = new Uint8Array(0);
  #idUsed = 0;
  #idDropped = 0;
  #index = new KeyIndex(new Uint32Array(0), 0);
  #view: TableColumns | null = null;
  #revision = 0;
  #changedKeys: Uint32Array | null = null;
  #newestKey = 0;
  #scale = scaleOf(null);
  #isOpen = openRule();

  /** Counts applied frames; row indices taken at another revision mean nothing. */
  get revision(): number {
    return this.#revision;
  }

  /** Keys of the rows that the last frame brought or changed; null when it replaced them all. */
  get changedKeys(): Uint32Array | null {
    return this.#changedKeys;
  }

  /**
   * The largest key that was held since the last complete frame, 0 before any. Keys grow and are never used
   * again within an epoch, so what has a larger one came later.
   */
  get newestKey(): number {
    return this.#newestKey;
  }

  get length(): number {
    return this.#length;
  }

  get dictionaries(): IncidentDictionaries {
    return this.#dictionaries;
  }

  /** Which entries of the severity dictionary are one severity, and which is worse. */
  get scale(): SeverityScale {
    return this.#scale;
  }

  /** Which entries of the status dictionary are of an incident that is open. */
  get isOpen(): IsOpen {
    return this.#isOpen;
  }

  /** Call after `apply`: under another scale or rule every row counts as another one. @returns whether one is another. */
  setScale(scale: SeverityScale, isOpen: IsOpen = this.#isOpen): boolean {
    if (scale === this.#scale && isOpen === this.#isOpen) return false;
    this.#scale = scale;
    this.#isOpen = isOpen;
    this.#changedKeys = null;
    this.#revision += 1;
    return true;
  }

  /** Views of exactly `length` rows on the live arrays; read them again after `apply`. */
  get columns(): TableColumns {
    if (this.#view) return this.#view;
    const view: Record<string, unknown> = { length: this.#length };
    for (const name of columnArrayNames) view[name] = this.#storage[name].subarray(0, this.#length);
    this.#view = view as unknown as TableColumns;
    return this.#view;
  }

  /** The row of a key, -1 when the table does not hold it. */
  indexOfKey(key: number): number {
    return this.#index.get(key);
  }

  /** What a row says, out of the columns and dictionaries; empty and 0 where there is no such row. */
  factsAt(row: number): RowFacts {
    const { key, type, severity, status, createdAt, latitude, longitude } = this.columns;
    const north = latitude[row] ?? Number.NaN;
    return {
      key: key[row] ?? 0,
      type: this.#dictionaries.type[type[row] ?? -1] ?? '',
      severity: this.#dictionaries.severity[severity[row] ?? -1] ?? '',
      status: this.#dictionaries.status[status[row] ?? -1] ?? '',
      createdAt: createdAt[row] ?? 0,
      place: Number.isNaN(north) ? null : { latitude: north, longitude: longitude[row] ?? Number.NaN },
    };
  }

  /** A count of a row; null where it is unknown. */
  countAt(name: 'evidenceCount' | 'anchorCount', row: number): number | null {
    const count = this.columns[name][row] ?? 0;
    return count === unknownCount ? null : count;
  }

  /** Ids as UTF-8: that of a row is `bytes` from `from[row]` up to `to[row]`. Read it again after `apply`. */
  get ids(): { readonly bytes: Uint8Array; readonly from: Uint32Array; readonly to: Uint32Array } {
    return { bytes: this.#idBytes, from: this.#idFrom, to: this.#idTo };
  }

  /** The opaque id of a row, decoded when it is wanted and not before. */
  idAt(index: number): string {
    if (index < 0 || index >= this.#length) return '';
    return decoder.decode(this.#idBytes.subarray(this.#idFrom[index] ?? 0, this.#idTo[index] ?? 0));
  }

  /**
   * The row of an id, -1 when the table does not hold it. Looks at every row (about 2 ms for 100,000):
   * for the one id that has to be found again after keys changed their meaning.
   */
  indexOfId(id: string): number {
    const wanted = encoder.encode(id);
    for (let row = 0; row < this.#length; row += 1) {
      const from = this.#idFrom[row] ?? 0;
      if ((this.#idTo[row] ?? 0) - from !== wanted.length) continue;
      let at = 0;
      while (at < wanted.length && this.#idBytes[from + at] === wanted[at]) at += 1;
      if (at === wanted.length) return row;
    }
    return -1;
  }

  /** The key of an id; null when the table does not hold it. Looks at every row, as `indexOfId` does. */
  keyOfId(id: string): number | null {
    return this.columns.key[this.indexOfId(id)] ?? null;
  }

  /** How much memory the rows take, in bytes: for diagnostics of a console that runs for weeks. */
  get bytesHeld(): number {
    const columns = columnArrayNames.reduce((sum, name) => sum + this.#storage[name].byteLength, 0);
    return columns + this.#idFrom.byteLength + this.#idTo.byteLength + this.#idBytes.byteLength;
  }

  /** Takes a frame over; the caller must not use its arrays afterwards. */
  apply(frame: IncidentFrame): void {
    if (frame.complete) this.#adopt(frame);
    else this.#patch(frame);
    this.#dictionaries = frame.dictionaries;
    this.#changedKeys = frame.complete ? null : frame.columns.key.slice(0, frame.columns.length);
    this.#view = null;
    this.#revision += 1;
  }

  #adopt({ columns }: IncidentFrame): void {
    const storage: Record<string, unknown> = {};
    for (const name of columnArrayNames) storage[name] = columns[name];
    this.#storage = storage as Storage;
    this.#length = columns.length;
    this.#capacity = columns.length;
    this.#idFrom = columns.idOffsets.subarray(0, columns.length) as Uint32Array<ArrayBuffer>;
    this.#idTo = columns.idOffsets.subarray(1, columns.length + 1) as Uint32Array<ArrayBuffer>;
    this.#idBytes = columns.idBytes as Uint8Array<ArrayBuffer>;
    this.#idUsed = columns.idBytes.length;
    this.#idDropped = 0;
    this.#index = new KeyIndex(columns.key, columns.length);
    this.#newestKey = 0;
    for (let row = 0; row < columns.length; row += 1)
      this.#newestKey = Math.max(this.#newestKey, columns.key[row] as number);
  }

  #patch({ columns, removed }: IncidentFrame): void {
    for (const key of removed) this.#remove(key);
    this.#reserve(columns);
    for (let row = 0; row < columns.length; row += 1) {
      const key = columns.key[row] ?? 0;
      const known = this.#index.get(key);
      if (known < 0) this.#appendId(columns, row);
      const target = known < 0 ? this.#length : known;
      for (const name of columnArrayNames) this.#storage[name][target] = columns[name][row] ?? 0;
      if (known >= 0) continue;
      this.#index.set(key, target);
      this.#length += 1;
      this.#newestKey = Math.max(this.#newestKey, key);
    }
  }

  #remove(key: number): void {
    const row = this.#index.get(key);
    if (row < 0) return;
    this.#own(this.#length);
    this.#idDropped += (this.#idTo[row] ?? 0) - (this.#idFrom[row] ?? 0);
    const last = this.#length - 1;
    this.#index.delete(key);
    if (row !== last) {
      for (const name of columnArrayNames) this.#storage[name][row] = this.#storage[name][last] ?? 0;
      this.#idFrom[row] = this.#idFrom[last] ?? 0;
      this.#idTo[row] = this.#idTo[last] ?? 0;
      this.#index.set(this.#storage.key[row] ?? 0, row);
    }
    this.#length = last;
  }

  #appendId(columns: IncidentColumns, row: number): void {
    const bytes = columns.idBytes.subarray(columns.idOffsets[row] ?? 0, columns.idOffsets[row + 1] ?? 0);
    this.#idBytes.set(bytes, this.#idUsed);
    this.#idFrom[this.#length] = this.#idUsed;
    this.#idUsed += bytes.length;
    this.#idTo[this.#length] = this.#idUsed;
  }

  /** Makes room for every row of a delta, were all of them new. */
  #reserve(columns: IncidentColumns): void {
    let unknown = 0;
    for (let row = 0; row < columns.length; row += 1)
      if (this.#index.get(columns.key[row] ?? 0) < 0) unknown += 1;
    if (unknown === 0) return;
    this.#own(this.#length + unknown);
    if (this.#idUsed + columns.idBytes.length <= this.#idBytes.length) return;
    if (this.#idDropped > this.#idUsed / 2) this.#compactIds();
    const bytes = new Uint8Array(Math.ceil((this.#idUsed + columns.idBytes.length) * 1.5));
    bytes.set(this.#idBytes.subarray(0, this.#idUsed));
    this.#idBytes = bytes;
  }

  /** Leaves the adopted views for arrays with spare room, when they are too small or overlap. */
  #own(rows: number): void {
    // An adopted frame's idFrom and idTo are two views on one array: writing one would change the other.
    if (rows <= this.#capacity && this.#idFrom.buffer !== this.#idTo.buffer) return;
    const capacity = Math.ceil(rows * 1.5) + 64;
    const grown: Record<string, unknown> = {};
    for (const name of columnArrayNames) {
      const array = new columnArrays[name](capacity);
      array.set(this.#storage[name].subarray(0, this.#length));
      grown[name] = array;
    }
    this.#storage = grown as Storage;
    const from = new Uint32Array(capacity);
    from.set(this.#idFrom.subarray(0, this.#length));
    const to = new Uint32Array(capacity);
    to.set(this.#idTo.subarray(0, this.#length));
    this.#idFrom = from;
    this.#idTo = to;
    this.#capacity = capacity;
  }

  #compactIds(): void {
    const bytes = new Uint8Array(this.#idUsed - this.#idDropped);
    let used = 0;
    for (let row = 0; row < this.#length; row += 1) {
      const id = this.#idBytes.subarray(this.#idFrom[row] ?? 0, this.#idTo[row] ?? 0);
      bytes.set(id, used);
      this.#idFrom[row] = used;
      used += id.length;
      this.#idTo[row] = used;
    }
    this.#idBytes = bytes;
    this.#idUsed = used;
    this.#idDropped = 0;
  }
}

function emptyStorage(): Storage {
  const storage: Record<string, unknown> = {};
  for (const name of columnArrayNames) storage[name] = new columnArrays[name](0);
  return storage as Storage;
}
