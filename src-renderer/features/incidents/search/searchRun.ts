import { onScopeDispose, shallowRef } from 'vue';
import { TableSearch, type SearchContext } from '../../../table/search.ts';
import type { SearchTerm } from '../../../table/searchQuery.ts';
import type { IncidentTable } from '../../../table/table.ts';

/** How many incidents were found, in all and by each word. */
export interface Findings {
  readonly total: number;
  readonly words: readonly { readonly said: string; readonly count: number }[];
}

interface SearchRunOptions {
  readonly table: () => IncidentTable;
  /** What is to be searched for; nothing where it is empty. */
  readonly terms: () => readonly SearchTerm[];
  readonly context: () => SearchContext;
}

/** A key stroke is drawn before it is searched for, and a quick one is not searched for. */
const restMs = 16;
/** How long one piece of work may take, in milliseconds. */
const pieceMs = 8;

/** One search over the table at a time, in pieces between which the page is drawn. It ends with the scope that calls it. */
export function useSearchRun({ table, terms, context }: SearchRunOptions) {
  /** A byte per row, 1 for those found; null while nothing is searched for. */
  const found = shallowRef<Uint8Array | null>(null);
  const findings = shallowRef<Findings | null>(null);
  /** Whether the result is still to come. */
  const searching = shallowRef(false);

  let search: TableSearch | null = null;
  /** The terms that are being searched for. */
  let asked: readonly SearchTerm[] = [];
  /** The terms that the result on screen is of. */
  let answered: readonly SearchTerm[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  onScopeDispose(() => {
    clearTimeout(timer);
  });

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

  /** Searches for the terms as they are now; without any it ends. */
  function start(): void {
    clearTimeout(timer);
    if (terms().length === 0) {
      stop();
      return;
    }
    searching.value = true;
    timer = setTimeout(() => {
      search ??= new TableSearch(table(), context());
      asked = terms();
      search.ask(asked, context());
      work();
    }, restMs);
  }

  return {
    found,
    findings,
    searching,
    start,
    /** Reads the result again, once there is one and where `concerns` says so of its terms. */
    showAgain(concerns: (answered: readonly SearchTerm[]) => boolean = () => true): void {
      if (search?.done === true && concerns(answered)) show();
    },
    /** The table has other rows; what was found is of its present ones when this returns. */
    rowsChanged(): void {
      if (search === null) return;
      clearTimeout(timer);
      search.tableChanged();
      show();
      if (found.value?.length !== table().length) found.value = new Uint8Array(table().length);
      if (!search.done) start();
    },
    /** There is another table in its place. */
    tableReplaced(): void {
      if (search === null) return;
      stop();
      start();
    },
  };
}
