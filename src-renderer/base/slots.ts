import type { RowKey } from './pagedRows.ts';

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
