import { grown } from './packedBytes.ts';

const removedLimit = 10_000;
/** The slot of a key whose row is gone. */
const noSlot = 0xff_ff_ff_ff;

/** The keys of rows. They count up from 1 and are never reused, so that a removed one can be reported for a while. */
export class RowKeys {
  #next = 1;
  #slotOf = new Uint32Array(1024).fill(noSlot, 0, 1);
  #removed: { readonly key: number; readonly revision: number }[] = [];
  /** Removals up to this revision are forgotten. */
  #floor = 0;

  /** Gives the row in a slot its key. */
  give(slot: number): number {
    const key = this.#next++;
    if (key >= this.#slotOf.length) this.#slotOf = grown(this.#slotOf, new Uint32Array(key * 2));
    this.#slotOf[key] = slot;
    return key;
  }

  /** -1 for a key that is unknown or gone. */
  slotOf(key: number): number {
    const slot = key < this.#next ? this.#slotOf[key] : undefined;
    return slot === undefined || slot === noSlot ? -1 : slot;
  }

  remove(key: number, revision: number): void {
    this.#slotOf[key] = noSlot;
    this.#removed.push({ key, revision });
    if (this.#removed.length > removedLimit) this.#forget();
  }

  /** The keys that were removed after a revision; null when that is no longer known. */
  removedSince(revision: number): Uint32Array | null {
    if (revision < this.#floor) return null;
    return Uint32Array.from(
      this.#removed.filter((entry) => entry.revision > revision),
      ({ key }) => key,
    );
  }

  #forget(): void {
    const kept = this.#removed.slice(-removedLimit / 2);
    const last = this.#removed[this.#removed.length - kept.length - 1];
    this.#floor = last?.revision ?? 0;
    this.#removed = kept;
  }
}
