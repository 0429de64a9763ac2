const otherName = '(other)';

/**
 * Distinct values of one field as small numbers. Append-only: an index keeps its meaning for the
 * whole epoch, so that a delta needs no translation. After `limit` values the rest shares one
 * entry: a service that sends a new severity with every incident must not grow every frame.
 */
export class Dictionary {
  readonly #limit: number;
  readonly #values: string[] = [];
  readonly #indices = new Map<string, number>();

  constructor(limit = 1000) {
    this.#limit = limit;
  }

  get values(): readonly string[] {
    return this.#values;
  }

  indexOf(value: string): number {
    const known = this.#indices.get(value);
    if (known !== undefined) return known;
    if (this.#values.length >= this.#limit) return this.#other();
    return this.#append(value);
  }

  #append(value: string): number {
    const index = this.#values.push(value) - 1;
    this.#indices.set(value, index);
    return index;
  }

  #other(): number {
    return this.#indices.get(otherName) ?? this.#append(otherName);
  }
}
