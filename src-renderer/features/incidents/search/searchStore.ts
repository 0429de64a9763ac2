import { defineStore } from 'pinia';
import { computed, watch } from 'vue';
import { language } from '../../../i18n/index.ts';
import { PlaceSearch } from './placeSearch.ts';
import { useSearchRun } from './searchRun.ts';
import {
  readSearch,
  type SearchProblem,
  type SearchTerm,
  type TextTerm,
} from '../../../table/searchQuery.ts';
import { useAnchors } from './anchorsStore.ts';
import { useGazetteer } from '../../../base/stores/gazetteer.ts';
import { useClock } from '../../../base/stores/clock.ts';
import { useMirror } from '../../../base/stores/mirror.ts';
import { useStation } from '../../../base/stores/station.ts';
import { useTowns } from './townsStore.ts';
import { useUi } from '../../../base/stores/ui.ts';

const isOfPlaces = ({ field }: TextTerm): boolean => field === null || field === 'place';

const none: ReadonlySet<string> = new Set();

/** What the text in the search box asks for, and what of it cannot be searched for: distances need a station. */
function useSearchTerms() {
  const ui = useUi();
  const station = useStation();

  const query = computed(() => readSearch(ui.search));
  const hasStation = computed(() => station.position !== null);
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
  /** Metres from the station by row; null where no term asks for them, since they are costly to compute. */
  const distances = computed(() =>
    terms.value.some(({ kind }) => kind === 'within') ? station.distances : null,
  );

  return { terms, problems, active, distances };
}

/** What the search box finds among the rows of the table. */
export const useSearch = defineStore('search', () => {
  const mirror = useMirror();
  const ui = useUi();
  const clock = useClock();
  const anchors = useAnchors();
  const towns = useTowns();
  const { terms, problems, active, distances } = useSearchTerms();

  const gazetteer = useGazetteer();
  const places = computed(() => (gazetteer.places === null ? null : new PlaceSearch(gazetteer.places)));
  /** The towns that words name, among those that are known to be the nearest to an incident. */
  const named = computed(() => {
    void towns.version;
    const texts = terms.value.filter((term) => term.kind === 'text');
    return towns.named(texts, (term) => places.value?.countries(term) ?? none);
  });
  const run = useSearchRun({
    table: () => mirror.table,
    terms: () => terms.value,
    context: () => ({
      distances: distances.value,
      now: clock.serverNow(),
      anchored: (term) => anchors.keysOf(term),
      area: (term) => places.value?.area(term) ?? null,
      beside: (term) => {
        const ids = named.value.get(term);
        return ids === undefined ? null : (key) => ids.has(towns.nearest.idOf(key) ?? -1);
      },
    }),
  });

  const needsPlaces = computed(() => terms.value.some((term) => term.kind === 'text' && isOfPlaces(term)));
  watch(needsPlaces, (needed) => {
    // Without it words are searched for in all else, as before it came.
    if (needed) void gazetteer.load();
  });

  watch([() => terms.value, () => places.value, () => language.value], run.start);
  watch([() => anchors.answers, () => towns.version, () => distances.value], () => {
    run.showAgain();
  });
  // `since` means a moment that moves: incidents leave the result as time passes.
  watch(
    () => clock.decasecond,
    () => {
      run.showAgain((answered) => answered.some(({ kind }) => kind === 'since'));
    },
  );
  // At once, since rows are shown by their present numbers.
  watch(() => mirror.tableRevision, run.rowsChanged, { flush: 'sync' });
  watch(() => mirror.table, run.tableReplaced, { flush: 'sync' });

  return {
    found: run.found,
    findings: run.findings,
    /** Also while the console is still asked about blockchain records and towns: nothing found is not the answer yet. */
    searching: computed(() => run.searching.value || anchors.asking || towns.asking),
    problems,
    active,
    clear: () => {
      ui.search = '';
    },
  };
});
