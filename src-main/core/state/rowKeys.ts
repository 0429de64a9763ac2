import { grown } from './packedBytes.ts';

const removedLimit = 10_000;
/** Of a key whose row is gone. */
const noSlot = 0xff_ff_ff_ff;

/** The keys of rows: they count up from 1 and are never used again, so that one that is gone can be named for a while. */
export class RowKeys {
  #next = 1;
  #slotOf = new Uint32Array(1024).fill(noSlot, 0, 1);
  #removed: { readonly key: number; readonly revision: number }[] = [];
  /** Removals up to this revision are forgotten. */
  #floor = 0;

  /** The key of the row in a slot, from now on. */
  give(slot: number): number {
    const key = this.#next++;
    if (key >= this.#slotOf.length) this.#slotOf = grown(this.#slotOf, new Uint32Array(key * 2));
    this.#slotOf[key] = slot;
    return key;
  }

  /** -1 for a key that is not, or no longer, known. */
  slotOf(key: number): number {
    const slot = key < this.#next ? this.#slotOf[key] : undefined;
    return slot === undefined || slot === noSlot ? -1 : slot;
  }

  remove(key: number, revision: number): void {
    this.#slotOf[key] = noSlot;
    this.#removed.push({ key, revision });
    if (this.#removed.length > removedLimit) this.#forget();
  }

  /** The keys that were removed after a revision; null where that is no longer known. */
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
