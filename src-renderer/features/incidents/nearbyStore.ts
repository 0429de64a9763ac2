import { defineStore } from 'pinia';
import { shallowRef, watch } from 'vue';
import type { LengthUnits, NearbyPlace } from '../../../src-preload/contract/index.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useCoordinates } from '../../base/stores/coordinates.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { language, t } from '../../i18n/index.ts';
import { wholeLength } from '../../base/units.ts';

/** `12 km NW of Vienna, AT`, or `Vienna, AT`. */
export function nearbyText({ town: name, country, metres, from }: NearbyPlace, units: LengthUnits): string {
  const town = country === '' ? name : `${name}, ${country}`;
  return from === null
    ? town
    : t(`coordinates.nearby.${from}`, { distance: wholeLength(metres, units), town });
}

/** The most that the console names in one answer. */
const mostKeys = 200;
/** Beyond it all names are forgotten before the next ones are asked for, and those that are shown are asked for again. */
const mostKnown = 20_000;

/**
 * The names of places, asked for as incidents are shown: the console finds the nearest town of each once, and a page
 * that scrolls asks for some dozens.
 */
export const useNearby = defineStore('nearby', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const coordinates = useCoordinates();

  /** By key; null where the console gave none. What has changed since stays until it is answered again. */
  const known = new Map<number, NearbyPlace | null>();
  /** Keys whose answer is of the incident as it is now. */
  const current = new Set<number>();
  const wanted = new Set<number>();
  const asking = new Set<Promise<void>>();
  /** Counts the changes of `known`. */
  const version = shallowRef(0);
  /** Counts the times that everything is forgotten: an answer from before is dropped. */
  let round = 0;

  async function ask(keys: readonly number[]): Promise<void> {
    const mine = round;
    const result = await verbs.readNearby({ keys: [...keys], language: language.value });
    if (mine !== round) return;
    for (const key of keys) known.set(key, null);
    if (result.ok) for (const place of result.value.places) known.set(place.key, place);
    version.value += 1;
  }
  async function flush(): Promise<void> {
    const keys = [...wanted];
    wanted.clear();
    for (const key of keys) current.add(key);
    const parts = Array.from({ length: Math.ceil(keys.length / mostKeys) }, (_, at) =>
      keys.slice(at * mostKeys, (at + 1) * mostKeys),
    );
    for (const part of parts) {
      const answer = ask(part);
      asking.add(answer);
      void answer.finally(() => asking.delete(answer));
    }
    await Promise.all(asking);
  }
  function makeRoom(): void {
    if (known.size <= mostKnown) return;
    known.clear();
    current.clear();
  }
  function want(key: number): void {
    if (current.has(key)) return;
    if (wanted.size === 0) {
      makeRoom();
      queueMicrotask(() => void flush());
    }
    wanted.add(key);
  }

  function forget(): void {
    round += 1;
    known.clear();
    current.clear();
    version.value += 1;
  }
  watch([() => mirror.epoch, () => language.value], forget, { flush: 'sync' });
  // What failed while the link was down is asked for again.
  watch(
    () => mirror.link.state,
    (state) => {
      if (state === 'up') forget();
    },
  );
  watch(
    () => mirror.tableRevision,
    () => {
      const { changedKeys } = mirror.table;
      if (changedKeys === null) current.clear();
      else for (const key of changedKeys) current.delete(key);
      version.value += 1;
    },
    { flush: 'sync' },
  );

  /** The name of an incident's place; empty until the console has said it, null where it has none to say. */
  function nameOf(key: number): string | null {
    void version.value;
    want(key);
    const place = known.get(key);
    return place ? nearbyText(place, coordinates.units) : place === null ? null : '';
  }

  return {
    nameOf,
    /** The same for a row; its coordinates, in degrees, where no name can be had. */
    text: (key: number, latitude: number, longitude: number): string =>
      nameOf(key) ?? coordinates.brief(latitude, longitude),
    /** Asks for the places of many; `nameOf` has them afterwards. */
    load: async (keys: readonly number[]): Promise<void> => {
      makeRoom();
      for (const key of keys) if (!current.has(key)) wanted.add(key);
      await flush();
    },
  };
});
