import { defineStore } from 'pinia';
import { computed, markRaw, shallowRef, watch } from 'vue';
import type { TownName } from '../../../../src-preload/contract/index.ts';
import { language } from '../../../i18n/index.ts';
import { foldName } from '../../../base/gazetteer/index.ts';
import { townsOf } from './townSearch.ts';
import type { TextTerm } from '../../../table/searchQuery.ts';
import { useBridge } from '../../../base/stores/bridge.ts';
import { useMirror } from '../../../base/stores/mirror.ts';
import { useUi } from '../../../base/stores/ui.ts';

/** The most that the console answers at once. */
const mostKeys = 2_000;
/** Of many parts that come one after the other the page draws one a second: each costs a pass over all incidents. */
const drawEveryMs = 1_000;

/** A town under all that it is called by, folded. */
interface Named extends TownName {
  readonly folded: readonly string[];
}

/**
 * The town that is nearest to each incident, for grouping and searching all of them. The console computes it, part by
 * part, while somebody wants it; each incident is asked for once, and again when it changes.
 */
export const useTowns = defineStore('towns', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const ui = useUi();

  /** By key: the number of a town plus two, 1 for none, 0 while not known. What has changed since stays until it is answered again. */
  let known = new Uint16Array(0);
  /** By key: 1 where the answer is of the incident as it is now. */
  let current = new Uint8Array(0);
  const names = new Map<number, Named>();
  /** Counts the changes of what is known. */
  const version = shallowRef(0);
  const missing = shallowRef(false);
  const wanted = computed(() => ui.groupBy === 'place' || ui.search.trim() !== '');
  /** An answer from before everything was forgotten is dropped. */
  let round = 0;
  let reading = false;

  function fit(): void {
    const { newestKey } = mirror.table;
    if (known.length > newestKey) return;
    const capacity = Math.ceil((newestKey + 1) * 1.25);
    const [ids, now] = [new Uint16Array(capacity), new Uint8Array(capacity)];
    ids.set(known);
    now.set(current);
    [known, current] = [ids, now];
  }
  function unknownKeys(): number[] {
    fit();
    const keys: number[] = [];
    for (const key of mirror.table.columns.key) {
      if (current[key] === 1) continue;
      keys.push(key);
      if (keys.length === mostKeys) break;
    }
    return keys;
  }
  async function readPart(keys: readonly number[]): Promise<boolean> {
    const mine = round;
    const result = await verbs.readTowns({ keys: [...keys], language: language.value });
    if (mine !== round) return true;
    if (!result.ok) return false;
    for (const town of result.value.towns)
      if (!names.has(town.id))
        names.set(town.id, { ...town, folded: [...new Set([town.name, town.english].map(foldName))] });
    keys.forEach((key, at) => {
      known[key] = (result.value.of[at] ?? -1) + 2;
      current[key] = 1;
    });
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
    known.fill(0);
    current.fill(0);
    names.clear();
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
      fit();
      const { changedKeys } = mirror.table;
      if (changedKeys === null) current.fill(0);
      else for (const key of changedKeys) current[key] = 0;
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
    /** In an object, since each call of a store's own function costs more than all that this one does. */
    nearest: markRaw({
      /** The number of the town nearest to an incident, -1 for none, null while it is not known. */
      idOf: (key: number): number | null => {
        const held = known[key] ?? 0;
        return held === 0 ? null : held - 2;
      },
    }),
    name: (id: number): TownName | null => names.get(id) ?? null,
    /** For each term, the numbers of the towns that it names. */
    named: (terms: readonly TextTerm[]): ReadonlyMap<TextTerm, ReadonlySet<number>> =>
      townsOf(terms, names.values()),
  };
});
