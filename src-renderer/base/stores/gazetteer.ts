import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { Gazetteer } from '../gazetteer/index.ts';
import { useBridge } from './bridge.ts';

/** The bundled places by name. The console sends the list of towns, 1.8 MB, at the first search. */
export const useGazetteer = defineStore('gazetteer', () => {
  const { verbs } = useBridge();
  const places = shallowRef<Gazetteer | null>(null);
  let loading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const [{ default: file }, answer] = await Promise.all([
      import('../../../build/assets/gazetteer/countries.json'),
      verbs.readTownList({}),
    ]);
    if (answer.ok) places.value = new Gazetteer({ countries: file.countries, towns: answer.value.towns });
  }

  return {
    /** Null until it was loaded: without it places are not found, all else is. */
    places,
    /** Once; again after it failed. */
    async load(): Promise<void> {
      loading ??= places.value === null ? read() : Promise.resolve();
      await loading.catch(() => undefined);
      loading = null;
    },
  };
});
