import type { TownName, VerbReply } from '../../../../src-preload/contract/index.ts';
import { foldName } from '../../../base/gazetteer/index.ts';
import type { FindableTown } from './townSearch.ts';

/** The number of a town is held plus two, so that 0 says that nothing is known and 1 that there is none. */
const shift = 2;

/** Which town is the nearest to each incident, as far as the console has answered: two plain arrays by the incident's key. */
export class NearestTowns {
  /** What changed since keeps its town until the console answers again. */
  #towns = new Uint16Array(0);
  /** 1 where the answer is of the incident as it is now. */
  #current = new Uint8Array(0);
  readonly #names = new Map<number, TownName & FindableTown>();

  /** Makes room for keys up to the newest one. */
  fit(newestKey: number): void {
    if (this.#towns.length > newestKey) return;
    const capacity = Math.ceil((newestKey + 1) * 1.25);
    const [towns, current] = [new Uint16Array(capacity), new Uint8Array(capacity)];
    towns.set(this.#towns);
    current.set(this.#current);
    [this.#towns, this.#current] = [towns, current];
  }

  /** Those of the keys whose town is to be asked for, `most` of them. They must fit. */
  unknown(keys: Iterable<number>, most: number): number[] {
    const unknown: number[] = [];
    for (const key of keys) {
      if (this.#current[key] === 1) continue;
      unknown.push(key);
      if (unknown.length === most) break;
    }
    return unknown;
  }

  /** Takes over what the console answered to these keys. */
  take(keys: readonly number[], { towns, of }: VerbReply<'readTowns'>): void {
    for (const town of towns)
      if (!this.#names.has(town.id))
        this.#names.set(town.id, {
          ...town,
          folded: [...new Set([town.name, town.english].map(foldName))],
        });
    keys.forEach((key, at) => {
      this.#towns[key] = (of[at] ?? -1) + shift;
      this.#current[key] = 1;
    });
  }

  /** Incidents that are others now, by their keys; null for any of them. */
  noteChanged(keys: Iterable<number> | null): void {
    if (keys === null) this.#current.fill(0);
    else for (const key of keys) this.#current[key] = 0;
  }

  /** Keys and names mean something else from now on. */
  forget(): void {
    this.#towns.fill(0);
    this.#current.fill(0);
    this.#names.clear();
  }

  /** The number of the town nearest to an incident, -1 for none, null while it is not known. */
  idOf(key: number): number | null {
    const held = this.#towns[key] ?? 0;
    return held === 0 ? null : held - shift;
  }

  nameOf(id: number): TownName | null {
    return this.#names.get(id) ?? null;
  }

  /** The towns known so far, each under all that it is called by. */
  named(): Iterable<FindableTown> {
    return this.#names.values();
  }
}
