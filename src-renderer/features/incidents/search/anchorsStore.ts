import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowRef, watch } from 'vue';
import { readSearch, type TextTerm } from '../../../table/searchQuery.ts';
import { useBridge } from '../../../base/stores/bridge.ts';
import { useMirror } from '../../../base/stores/mirror.ts';
import { useUi } from '../../../base/stores/ui.ts';

export interface AnchorAnswer {
  readonly keys: ReadonlySet<number>;
  /** Whether there are more than the console names. */
  readonly more: boolean;
  readonly failed: boolean;
}

/** How long the typing rests before the console is asked, in milliseconds. */
const restMs = 150;
/** How often it is asked again while incidents change, in milliseconds. */
const againMs = 3_000;
/** A shorter word is in every hash, so as a word of any field it is not looked for there. */
const leastLetters = 4;

const isOfAnchors = ({ field, text }: TextTerm): boolean =>
  field === 'anchor' || (field === null && text.length >= leastLetters);

/** Which incidents have a blockchain record with the words of the search: the console holds the records. */
export const useAnchors = defineStore('anchors', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const ui = useUi();

  /** By folded text; another object for each answer. */
  const answers = shallowRef<ReadonlyMap<string, AnchorAnswer>>(new Map());
  const wanted = computed(() => [
    ...new Set(
      readSearch(ui.search).terms.flatMap((term) =>
        term.kind === 'text' && isOfAnchors(term) ? [term.text] : [],
      ),
    ),
  ]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the rounds of asking: what answers an earlier one is dropped. */
  let round = 0;

  async function ask(texts: readonly string[]): Promise<void> {
    const mine = (round += 1);
    const { epoch } = mirror;
    const got = await Promise.all(texts.map((text) => verbs.findAnchors({ text: text.slice(0, 256) })));
    // Keys of another epoch are other incidents'.
    if (mine !== round || epoch !== mirror.epoch) return;
    const next = new Map([...answers.value].filter(([text]) => wanted.value.includes(text)));
    got.forEach((result, at) => {
      next.set(
        texts[at] ?? '',
        result.ok
          ? { keys: new Set(result.value.keys), more: result.value.more, failed: false }
          : { keys: new Set(), more: false, failed: true },
      );
    });
    answers.value = next;
  }

  let dueAgain = false;
  function schedule(afterMs: number, which: () => readonly string[]): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      dueAgain = false;
      void ask(which());
    }, afterMs);
  }
  const missing = (): readonly string[] => wanted.value.filter((text) => !answers.value.has(text));

  watch(wanted, (texts) => {
    round += 1;
    clearTimeout(timer);
    dueAgain = false;
    if (texts.length === 0) answers.value = new Map();
    else if (missing().length > 0) schedule(restMs, missing);
  });
  watch(
    () => mirror.epoch,
    () => {
      answers.value = new Map();
      if (wanted.value.length > 0) schedule(restMs, missing);
    },
    { flush: 'sync' },
  );
  watch(
    () => mirror.tableRevision,
    () => {
      if (dueAgain || wanted.value.length === 0 || missing().length > 0) return;
      dueAgain = true;
      schedule(againMs, () => wanted.value);
    },
  );
  onScopeDispose(() => {
    clearTimeout(timer);
  });

  const given = computed(() => wanted.value.flatMap((text) => answers.value.get(text) ?? []));
  return {
    answers,
    /** Whether an answer to a word is still to come. */
    asking: computed(() => wanted.value.some((text) => !answers.value.has(text))),
    more: computed(() => given.value.some(({ more }) => more)),
    failed: computed(() => given.value.some(({ failed }) => failed)),
    /** Null where the term is not looked for in blockchain records, or not answered yet. */
    keysOf: (term: TextTerm): ReadonlySet<number> | null =>
      isOfAnchors(term) ? (answers.value.get(term.text)?.keys ?? null) : null,
  };
});
