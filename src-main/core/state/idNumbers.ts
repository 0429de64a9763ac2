import { IdTable } from './idTable.ts';

/** The largest number of each array type. Larger numbers use the next type. */
const widths = [
  { most: 0xff_ff, Numbers: Uint16Array },
  { most: 0xff_ff_ff_ff, Numbers: Uint32Array },
  { most: Number.MAX_SAFE_INTEGER, Numbers: Float64Array },
] as const;

/** A whole number from 0 on for each id, without a string or an object per id: about 45 bytes each. */
export class IdNumbers {
  readonly #ids = new IdTable();
  #width: (typeof widths)[number] = widths[0];
  #numbers: Uint16Array | Uint32Array | Float64Array = new Uint16Array(0);

  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  get(id: string): number | undefined {
    const slot = this.#ids.slotOf(id);
    return slot < 0 ? undefined : this.#numbers[slot];
  }

  set(id: string, number: number): void {
    const slot = this.#ids.add(id);
    const { length } = this.#numbers;
    if (slot >= length || number > this.#width.most) {
      this.#width = widths.find(({ most }) => number <= most && most >= this.#width.most) ?? this.#width;
      const more = slot < length ? length : Math.max(1024, length * 2);
      const { Numbers } = this.#width;
      const numbers = new Numbers(more);
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    this.#numbers[slot] = number;
  }

  delete(id: string): void {
    this.#ids.remove(id);
  }
}
