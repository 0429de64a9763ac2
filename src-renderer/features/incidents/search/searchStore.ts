import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowRef, watch } from 'vue';
import { language } from '../../../i18n/index.ts';
import { loadGazetteer } from '../../../base/gazetteer/index.ts';
import { PlaceSearch } from './placeSearch.ts';
import { TableSearch, type SearchContext } from '../../../table/search.ts';
import {
  readSearch,
  type SearchProblem,
  type SearchTerm,
  type TextTerm,
} from '../../../table/searchQuery.ts';
import { useAnchors } from './anchorsStore.ts';
import { useClock } from '../../../base/stores/clock.ts';
import { useMirror } from '../../../base/stores/mirror.ts';
import { useStation } from '../../../base/stores/station.ts';
import { useTowns } from './townsStore.ts';
import { useUi } from '../../../base/stores/ui.ts';

/** What was found, of which words. */
export interface Findings {
  readonly total: number;
  readonly words: readonly { readonly said: string; readonly count: number }[];
}

/** A key stroke is drawn before it is searched for, and a quick one is not searched for. */
const restMs = 16;
/** How long one piece of work may take, in milliseconds. */
const pieceMs = 8;

/** What the search box finds among the rows of the table. */
export const useSearch = defineStore('search', () => {
  const mirror = useMirror();
  const ui = useUi();
  const clock = useClock();
  const station = useStation();
  const anchors = useAnchors();
  const towns = useTowns();

  /** A byte per row, 1 for those found; null while nothing is searched for. */
  const found = shallowRef<Uint8Array | null>(null);
  const findings = shallowRef<Findings | null>(null);
  /** Whether the result is still to come. */
  const searching = shallowRef(false);
  const places = shallowRef<PlaceSearch | null>(null);

  const query = computed(() => readSearch(ui.search));
  const hasStation = computed(() => station.position !== null);
  /** What of the text is searched for: distances need a station. */
  const terms = computed<readonly SearchTerm[]>(() =>
    query.value.terms.filter(({ kind }) => kind !== 'within' || hasStation.value),
  );
  /** In the order of the text. */
  const problems = computed<readonly SearchProblem[]>(() =>
    [
      ...query.value.problems,
      ...query.value.terms.flatMap(({ kind, said }) =>
        kind === 'within' && !hasStation.value ? [{ field: 'within', why: 'no-station', said } as const] : [],
      ),
    ].sort((a, b) => ui.search.indexOf(a.said) - ui.search.indexOf(b.said)),
  );
  const active = computed(() => terms.value.length > 0);
  const distances = computed(() =>
    terms.value.some(({ kind }) => kind === 'within') ? station.distances : null,
  );

  /** The towns that words name, among those that are known to be the nearest to an incident. */
  const named = computed(() => {
    void towns.version;
    return towns.named(terms.value.filter((term) => term.kind === 'text'));
  });

  const context = (): SearchContext => ({
    // Made by whoever reads it: a search without distances must not.
    distances: distances.value,
    now: clock.serverNow(),
    anchored: (term) => anchors.keysOf(term),
    area: (term) => places.value?.area(term) ?? null,
    beside: (term) => {
      const ids = named.value.get(term);
      return ids === undefined ? null : (key) => ids.has(towns.nearest.idOf(key) ?? -1);
    },
  });

  let search: TableSearch | null = null;
  /** The terms that are being searched for. */
  let asked: readonly SearchTerm[] = [];
  /** The terms that the result on screen is of. */
  let answered: readonly SearchTerm[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(): void {
    const result = search?.result(context()) ?? null;
    if (result === null) return;
    found.value = result.found;
    findings.value = {
      total: result.total,
      words: answered.map(({ said }, at) => ({ said, count: result.counts[at] ?? 0 })),
    };
  }

  function work(): void {
    if (search === null) return;
    const ends = performance.now() + pieceMs;
    if (!search.step(() => performance.now() > ends)) {
      timer = setTimeout(work);
      return;
    }
    answered = asked;
    searching.value = false;
    show();
  }

  function stop(): void {
    clearTimeout(timer);
    search = null;
    answered = [];
    found.value = null;
    findings.value = null;
    searching.value = false;
  }

  function start(): void {
    clearTimeout(timer);
    if (!active.value) {
      stop();
      return;
    }
    searching.value = true;
    timer = setTimeout(() => {
      search ??= new TableSearch(mirror.table, context());
      asked = terms.value;
      search.ask(asked, context());
      work();
    }, restMs);
  }

  const needsPlaces = computed(() => terms.value.some((term) => term.kind === 'text' && isOfPlaces(term)));
  async function loadPlaces(): Promise<void> {
    places.value = new PlaceSearch(await loadGazetteer());
  }
  watch(needsPlaces, (needed) => {
    // Without it words are searched for in all else, as before it came.
    if (needed && places.value === null) loadPlaces().catch(() => undefined);
  });

  watch([() => terms.value, () => places.value, () => language.value], start);
  watch([() => anchors.answers, () => towns.version, () => distances.value], () => {
    if (search?.done === true) show();
  });
  // What was created since a moment that moves leaves the result by itself.
  watch(
    () => clock.decasecond,
    () => {
      if (search?.done === true && answered.some(({ kind }) => kind === 'since')) show();
    },
  );
  // At once, since rows are shown by their present numbers.
  watch(
    () => mirror.tableRevision,
    () => {
      if (search === null) return;
      clearTimeout(timer);
      search.tableChanged();
      show();
      if (found.value?.length !== mirror.table.length) found.value = new Uint8Array(mirror.table.length);
      if (!search.done) start();
    },
    { flush: 'sync' },
  );
  watch(
    () => mirror.table,
    () => {
      if (search === null) return;
      stop();
      start();
    },
    { flush: 'sync' },
  );
  onScopeDispose(() => {
    clearTimeout(timer);
  });

  return {
    found,
    findings,
    /** Also while the console is still asked about blockchain records and towns: nothing found is not the answer yet. */
    searching: computed(() => searching.value || anchors.asking || towns.asking),
    problems,
    active,
    clear: () => {
      ui.search = '';
    },
  };
});

const isOfPlaces = ({ field }: TextTerm): boolean => field === null || field === 'place';
