import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { Gazetteer } from '../gazetteer/index.ts';
import { useBridge } from './bridge.ts';

/** The bundled places by name. The console sends the list of towns, 1.8 MB, once: for the map, or for a search. */
export const useGazetteer = defineStore('gazetteer', () => {
  const { verbs } = useBridge();
  const places = shallowRef<Gazetteer | null>(null);
  let towns: Promise<readonly string[]> | null = null;
  let loading: Promise<void> | null = null;

  async function askTowns(): Promise<readonly string[]> {
    const answer = await verbs.readTownList({});
    if (!answer.ok) throw new Error(answer.failure.code);
    return answer.value.towns;
  }

  function readTowns(): Promise<readonly string[]> {
    towns ??= askTowns().catch((error: unknown) => {
      towns = null;
      throw error;
    });
    return towns;
  }

  async function read(): Promise<void> {
    const [{ default: file }, lines] = await Promise.all([
      import('../../../build/assets/gazetteer/countries.json'),
      readTowns(),
    ]);
    places.value = new Gazetteer({ countries: file.countries, towns: lines });
  }

  return {
    /** Null until it was loaded: without it places are not found, all else is. */
    places,
    /** The towns, a line for each (build/towns.ts); rejects where the console does not answer with them. */
    readTowns,
    /** Once; again after it failed. */
    async load(): Promise<void> {
      loading ??= places.value === null ? read() : Promise.resolve();
      await loading.catch(() => undefined);
      loading = null;
    },
  };
});
