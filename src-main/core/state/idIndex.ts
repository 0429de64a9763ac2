const shardBits = 7;
const shardCount = 2 ** shardBits;

/**
 * The slot of each id, over many small maps: one map of a million entries stops the loop for a quarter
 * of a second each time it grows.
 */
export class IdIndex {
  readonly #shards = Array.from({ length: shardCount }, () => new Map<string, number>());
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: string): boolean {
    return this.#shardOf(id).has(id);
  }

  get(id: string): number | undefined {
    return this.#shardOf(id).get(id);
  }

  set(id: string, slot: number): void {
    const shard = this.#shardOf(id);
    const before = shard.size;
    shard.set(id, slot);
    this.#size += shard.size - before;
  }

  delete(id: string): boolean {
    const gone = this.#shardOf(id).delete(id);
    if (gone) this.#size -= 1;
    return gone;
  }

  *ids(): IterableIterator<string> {
    for (const shard of this.#shards) yield* shard.keys();
  }

  /** By its last characters: ids that count up and ids drawn at random both spread by them. */
  #shardOf(id: string): Map<string, number> {
    let mixed = id.length;
    for (let at = Math.max(0, id.length - 4); at < id.length; at += 1) {
      mixed = Math.imul(mixed, 31) + id.charCodeAt(at);
    }
    return this.#shards[Math.imul(mixed, 0x9e37_79b1) >>> (32 - shardBits)] as Map<string, number>;
  }
}
