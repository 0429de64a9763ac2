const loadLimit = 0.6;
const emptySlot = 0;

/**
 * Where each key's row is: a hash table with open addressing in two typed arrays.
 *
 * A `Map` of 100,000 numbers takes ten times as long to build, and it is built again for every
 * complete frame. Deleting shifts the following entries back, so no tombstones gather over a shift
 * of many hours.
 */
export class KeyIndex {
  #keys: Uint32Array;
  /** Row index plus one; 0 marks a free slot. */
  #rows: Uint32Array;
  #mask: number;
  #size = 0;

  constructor(keys: Uint32Array, length: number) {
    const capacity = KeyIndex.#capacityFor(length);
    this.#keys = new Uint32Array(capacity);
    this.#rows = new Uint32Array(capacity);
    this.#mask = capacity - 1;
    for (let row = 0; row < length; row += 1) this.set(keys[row] ?? 0, row);
  }

  /** The row of `key`, -1 when there is none. */
  get(key: number): number {
    let slot = this.#slotOf(key);
    for (;;) {
      const row = this.#rows[slot] ?? emptySlot;
      if (row === emptySlot) return -1;
      if (this.#keys[slot] === key) return row - 1;
      slot = (slot + 1) & this.#mask;
    }
  }

  set(key: number, row: number): void {
    if (this.#size + 1 > (this.#mask + 1) * loadLimit) this.#grow();
    let slot = this.#slotOf(key);
    while (this.#rows[slot] !== emptySlot) {
      if (this.#keys[slot] === key) {
        this.#rows[slot] = row + 1;
        return;
      }
      slot = (slot + 1) & this.#mask;
    }
    this.#keys[slot] = key;
    this.#rows[slot] = row + 1;
    this.#size += 1;
  }

  delete(key: number): void {
    let hole = this.#slotOf(key);
    while (this.#keys[hole] !== key || this.#rows[hole] === emptySlot) {
      if (this.#rows[hole] === emptySlot) return;
      hole = (hole + 1) & this.#mask;
    }
    let next = hole;
    for (;;) {
      next = (next + 1) & this.#mask;
      const row = this.#rows[next] ?? emptySlot;
      if (row === emptySlot) break;
      const home = this.#slotOf(this.#keys[next] ?? 0);
      const distanceToHole = (next - hole) & this.#mask;
      const distanceToHome = (next - home) & this.#mask;
      if (distanceToHome >= distanceToHole) {
        this.#keys[hole] = this.#keys[next] ?? 0;
        this.#rows[hole] = row;
        hole = next;
      }
    }
    this.#rows[hole] = emptySlot;
    this.#size -= 1;
  }

  #grow(): void {
    const keys = this.#keys;
    const rows = this.#rows;
    const capacity = (this.#mask + 1) * 2;
    this.#keys = new Uint32Array(capacity);
    this.#rows = new Uint32Array(capacity);
    this.#mask = capacity - 1;
    this.#size = 0;
    for (let slot = 0; slot < rows.length; slot += 1) {
      const row = rows[slot] ?? emptySlot;
      if (row !== emptySlot) this.set(keys[slot] ?? 0, row - 1);
    }
  }

  #slotOf(key: number): number {
    return (Math.imul(key, 0x9e_37_79_b1) >>> 7) & this.#mask;
  }

  static #capacityFor(length: number): number {
    let capacity = 64;
    while (capacity * loadLimit < length * 1.25 + 1) capacity *= 2;
    return capacity;
  }
}
