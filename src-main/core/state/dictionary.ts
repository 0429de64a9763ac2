/** The entry for values beyond the limit. */
export const otherName = '(other)';

/**
 * Distinct values of one field as small numbers. Append-only: an index keeps its meaning for the whole epoch, so that a
 * delta needs no translation. After `limit` values all others share one entry: a service that sends a new severity with
 * every incident must not make every frame larger. Values that must always stay distinct are `reserved`: few, and added
 * whatever came before.
 */
export class Dictionary {
  readonly #limit: number;
  readonly #values: string[] = [];
  readonly #indices = new Map<string, number>();

  readonly #reservedFor: (value: string) => string | null;

  /** @param reservedFor the reserved value that replaces a value beyond the limit; null for none. */
  constructor(limit = 1000, reservedFor: (value: string) => string | null = () => null) {
    this.#limit = limit;
    this.#reservedFor = reservedFor;
  }

  get values(): readonly string[] {
    return this.#values;
  }

  indexOf(value: string): number {
    const known = this.#indices.get(value);
    if (known !== undefined) return known;
    return this.#values.length < this.#limit ? this.#append(value) : this.#shared(value);
  }

  #append(value: string): number {
    const index = this.#values.push(value) - 1;
    this.#indices.set(value, index);
    return index;
  }

  #shared(value: string): number {
    const name = this.#reservedFor(value) ?? otherName;
    return this.#indices.get(name) ?? this.#append(name);
  }
}
