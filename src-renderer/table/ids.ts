import { fold } from './fold.ts';
import type { IncidentTable } from './table.ts';

const encoder = new TextEncoder();
const fnvStart = 0x811c9dc5;
const fnvPrime = 0x01000193;

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = fnvStart;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), fnvPrime);
  return hash >>> 0;
}

/**
 * The keys of some incidents that are known by their ids. Each row is looked at once: keys count up within
 * an epoch and are never used again, so after a change only rows with later keys are new.
 */
export class IdKeys {
  #wanted: ReadonlySet<string> = new Set();
  /** By the hash of an id's bytes. */
  #byHash = new Map<number, string[]>();
  #lengths = new Set<number>();
  #found = new Map<string, number>();
  #lookedAt = -1;
  #epoch: string | null = null;

  /** Key by id, of those that the table holds or held in this epoch. Another map after each change. */
  update(table: IncidentTable, epoch: string | null, ids: readonly string[]): ReadonlyMap<string, number> {
    if (epoch !== this.#epoch) {
      this.#epoch = epoch;
      this.#found = new Map();
      this.#lookedAt = -1;
    }
    if (ids.some((id) => !this.#wanted.has(id))) this.#lookedAt = -1;
    if (this.#lookedAt < 0 || ids.length !== this.#wanted.size) this.#want(ids);
    this.#look(table);
    return new Map(this.#found);
  }

  #want(ids: readonly string[]): void {
    this.#wanted = new Set(ids);
    this.#byHash = new Map();
    this.#lengths = new Set();
    for (const id of this.#wanted) {
      const bytes = encoder.encode(id);
      const hash = hashOf(bytes, 0, bytes.length);
      this.#lengths.add(bytes.length);
      this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), id]);
    }
    for (const id of [...this.#found.keys()]) if (!this.#wanted.has(id)) this.#found.delete(id);
  }

  #look(table: IncidentTable): void {
    const { key } = table.columns;
    const { bytes, from, to } = table.ids;
    let latest = this.#lookedAt;
    for (let row = 0; row < table.length; row += 1) {
      const own = key[row] ?? 0;
      if (own <= this.#lookedAt) continue;
      if (own > latest) latest = own;
      const [start, end] = [from[row] ?? 0, to[row] ?? 0];
      if (!this.#lengths.has(end - start)) continue;
      const ids = this.#byHash.get(hashOf(bytes, start, end));
      const id = ids?.find((one) => one === table.idAt(row));
      if (id !== undefined) this.#found.set(id, own);
    }
    this.#lookedAt = latest;
  }
}

/** Every byte as it is compared: capital letters of ASCII as small ones. */
const folded = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));
const ascii = 0x80;

/**
 * Tells whether the id of a row holds a folded text, from the id's bytes: ids are ASCII as a rule, and only
 * one that is not is decoded. What it answers holds until the table's next frame.
 */
export function idMatcher(table: IncidentTable, text: string): (row: number) => boolean {
  const wanted = new TextEncoder().encode(text);
  const first = wanted[0] ?? 0;
  const { bytes, from, to } = table.ids;
  return (row) => {
    const end = to[row] as number;
    const last = end - wanted.length;
    let every = 0;
    for (let at = from[row] as number; at < end; at += 1) {
      const byte = bytes[at] as number;
      every |= byte;
      if (folded[byte] !== first || at > last) continue;
      let next = 1;
      while (next < wanted.length && folded[bytes[at + next] as number] === wanted[next]) next += 1;
      if (next === wanted.length) return true;
    }
    return every >= ascii && fold(table.idAt(row)).includes(text);
  };
}
