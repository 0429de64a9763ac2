import { IdTable } from './idTable.ts';
import { grown } from './packedBytes.ts';

/** A number for each id, without a string or an object for any of them: some 60 bytes each. */
export class IdNumbers {
  readonly #ids = new IdTable();
  #numbers = new Float64Array(0);

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
    if (slot >= length) this.#numbers = grown(this.#numbers, new Float64Array(Math.max(1024, length * 2)));
    this.#numbers[slot] = number;
  }

  delete(id: string): void {
    this.#ids.remove(id);
  }
}
