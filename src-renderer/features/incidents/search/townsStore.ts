import { defineStore } from 'pinia';
import { computed, markRaw, shallowRef, watch } from 'vue';
import { language } from '../../../i18n/index.ts';
import { NearestTowns } from './nearestTowns.ts';
import { townsOf } from './townSearch.ts';
import type { TextTerm } from '../../../table/searchQuery.ts';
import { useBridge } from '../../../base/stores/bridge.ts';
import { useMirror } from '../../../base/stores/mirror.ts';
import { useUi } from '../../../base/stores/ui.ts';

/** The most that the console answers at once. */
const mostKeys = 2_000;
/** Of many parts that come one after the other the page draws one a second: each costs a pass over all incidents. */
const drawEveryMs = 1_000;

/**
 * The town nearest to each incident, for grouping, searching and a handover. The console is asked for them in parts, while
 * one of these is on screen: for each incident once, and again when it changes.
 */
export const useTowns = defineStore('towns', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const ui = useUi();

  const known = new NearestTowns();
  /** Counts the changes of what is known. */
  const version = shallowRef(0);
  const missing = shallowRef(false);
  const wanted = computed(
    () => ui.groupBy === 'place' || ui.search.trim() !== '' || ui.overlay === 'hand-over',
  );
  /** An answer from before everything was forgotten is dropped. */
  let round = 0;
  let reading = false;

  function unknownKeys(): number[] {
    known.fit(mirror.table.newestKey);
    return known.unknown(mirror.table.columns.key, mostKeys);
  }
  async function readPart(keys: readonly number[]): Promise<boolean> {
    const mine = round;
    const result = await verbs.readTowns({ keys: [...keys], language: language.value });
    if (mine !== round) return true;
    if (!result.ok) return false;
    known.take(keys, result.value);
    return true;
  }
  async function read(): Promise<void> {
    if (reading) return;
    reading = true;
    let drawnAt = performance.now();
    try {
      for (let keys = unknownKeys(); wanted.value && keys.length > 0; keys = unknownKeys()) {
        if (!(await readPart(keys))) break;
        if (performance.now() - drawnAt < drawEveryMs) continue;
        version.value += 1;
        drawnAt = performance.now();
      }
    } finally {
      reading = false;
      version.value += 1;
      missing.value = wanted.value && unknownKeys().length > 0;
    }
  }
  function want(): void {
    if (!wanted.value || unknownKeys().length === 0) return;
    missing.value = true;
    void read();
  }
  function forget(): void {
    round += 1;
    known.forget();
    version.value += 1;
    want();
  }

  watch([() => mirror.epoch, () => language.value], forget, { flush: 'sync' });
  watch(
    () => mirror.link.state,
    (state) => {
      if (state === 'up') want();
    },
  );
  watch(
    () => mirror.tableRevision,
    () => {
      known.fit(mirror.table.newestKey);
      known.noteChanged(mirror.table.changedKeys);
      want();
    },
    { flush: 'sync' },
  );
  watch(wanted, want, { immediate: true });

  return {
    /** Counts the changes of what is known: read it to be called again. */
    version,
    /** Whether towns that are wanted are still to come. */
    asking: computed(() => missing.value),
    /** As an object, since each call of a store's own function costs more than all that `idOf` does. */
    nearest: markRaw<Pick<NearestTowns, 'idOf'>>(known),
    name: (id: number) => known.nameOf(id),
    /** For each term, the numbers of the towns that it names, singly or by their countries. */
    named: (
      terms: readonly TextTerm[],
      countriesOf: (term: TextTerm) => ReadonlySet<string>,
    ): ReadonlyMap<TextTerm, ReadonlySet<number>> => townsOf(terms, known.named(), countriesOf),
  };
});
