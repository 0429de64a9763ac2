import { useEventListener, useResizeObserver } from '@vueuse/core';
import { computed, nextTick, shallowRef, watch, type ComputedRef, type Ref } from 'vue';

/** Content that is higher is drawn in parts: browsers stop at 33 million device pixels, which is 8 million at 4 to one. */
const mostDrawn = 8_000_000;

interface VirtualRowsOptions {
  readonly scroller: Readonly<Ref<HTMLElement | null>>;
  readonly count: () => number;
  /** The height of a row, or of one that was not measured, CSS pixels. */
  readonly height: () => number;
  /** The height of what stays above the rows while they scroll, CSS pixels. */
  readonly head?: () => number;
  /** Where rows differ in height: what a measured height belongs to, wherever the row stands; null for no row yet. */
  readonly keyOf?: (index: number) => string | number | null;
  /** How many rows are drawn beyond each edge. */
  readonly beyond: number;
}

export interface VirtualRows {
  /** The rows in view; `top`: where they are drawn, CSS pixels. */
  readonly shown: ComputedRef<readonly { readonly index: number; readonly top: number }[]>;
  /** The height of all that is drawn, CSS pixels. */
  readonly drawn: ComputedRef<number>;
  /** The height of all rows; more than is drawn of a very long list. */
  readonly total: ComputedRef<number>;
  /** How far the rows are scrolled out now. */
  offset(): number;
  startOf(index: number): number;
  /** The row at a place; the last one beyond the end. */
  indexAt(offset: number): number;
  scrollTo(offset: number): void;
  /** Scrolls as far as a row needs to be seen whole, and continues while rows before it are measured. */
  reveal(index: number): void;
  /** Heights of drawn rows. What is being read stays where it is. */
  measured(rows: readonly { readonly index: number; readonly height: number }[]): void;
}

/** Where rows start. Those of one height are counted, not listed. */
function useRowStarts({ count, height, keyOf }: Pick<VirtualRowsOptions, 'count' | 'height' | 'keyOf'>) {
  const heights = new Map<string | number, number>();
  /** Counts the changes of `heights`. */
  const version = shallowRef(0);
  /** Where each row starts and the last one ends; null where all have one height. */
  const starts = computed<Float64Array | null>(() => {
    void version.value;
    if (keyOf === undefined) return null;
    const rows = count();
    const all = new Float64Array(rows + 1);
    for (let at = 0; at < rows; at += 1) {
      const key = keyOf(at);
      all[at + 1] = (all[at] as number) + ((key === null ? undefined : heights.get(key)) ?? height());
    }
    return all;
  });
  const startOf = (index: number): number => starts.value?.[index] ?? index * height();
  function indexAt(at: number): number {
    const last = Math.max(0, count() - 1);
    const all = starts.value;
    if (all === null) return Math.max(0, Math.min(last, Math.floor(at / height())));
    let [low, high] = [0, last];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((all[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
  const total = computed(() => startOf(count()));
  watch(height, () => {
    heights.clear();
    version.value += 1;
  });

  return {
    startOf,
    indexAt,
    total,
    /** Takes over the heights that differ. @returns how much all rows above a place grew; null where none differs. */
    take: (
      rows: readonly { readonly index: number; readonly height: number }[],
      at: number,
    ): number | null => {
      let [above, changed] = [0, false];
      for (const { index, height: now } of rows) {
        const key = keyOf?.(index) ?? null;
        if (key === null || heights.get(key) === now) continue;
        if (startOf(index) < at) above += now - (startOf(index + 1) - startOf(index));
        heights.set(key, now);
        changed = true;
      }
      if (changed) version.value += 1;
      return changed ? above : null;
    },
  };
}

/**
 * Which rows of a long list are drawn, and where. Rows of one height cost nothing until they are in view, however many
 * there are; those of different heights are measured once drawn. Of a list that is higher than a browser can draw, small
 * steps scroll as they do elsewhere, and larger ones, as by the bar, in proportion.
 */
export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { scroller, count, keyOf, beyond } = options;
  const { startOf, indexAt, total, take } = useRowStarts(options);
  const head = options.head ?? (() => 0);
  const view = shallowRef(0);
  const offset = shallowRef(0);
  /** How much farther the rows are scrolled than what is drawn. */
  const shift = shallowRef(0);

  const drawn = computed(() => Math.min(total.value, mostDrawn));

  /** What was to be revealed, and where the list is scrolled to for it. */
  let goal: { readonly index: number; readonly drawnAt: number } | null = null;
  const roomOf = (content: number): number => Math.max(0, content - (view.value - head()));
  /** The drawn place in proportion to one among the rows, and the other way round. */
  const inProportion = (at: number, from: number, to: number): number =>
    roomOf(from) === 0 ? 0 : (at / roomOf(from)) * roomOf(to);
  function place(at: number): void {
    const element = scroller.value;
    if (element === null) return;
    const wanted = total.value === drawn.value ? at : inProportion(at, total.value, drawn.value);
    element.scrollTop = wanted;
    shift.value = total.value === drawn.value ? 0 : at - element.scrollTop;
    offset.value = element.scrollTop + shift.value;
  }
  /** What the operator scrolled to. */
  function follow(): void {
    const element = scroller.value;
    if (element === null) return;
    const top = element.scrollTop;
    const before = offset.value - shift.value;
    if (goal !== null && Math.abs(top - goal.drawnAt) > 2) goal = null;
    if (total.value === drawn.value) shift.value = 0;
    else if (Math.abs(top - before) > view.value)
      shift.value = inProportion(top, drawn.value, total.value) - top;
    offset.value = top + shift.value;
    if (shift.value === 0 && total.value === drawn.value) return;
    const end = roomOf(total.value);
    const atEdge = top <= view.value || top >= roomOf(drawn.value) - view.value;
    const isOut = offset.value < 0 || offset.value > end;
    if (isOut || atEdge) place(Math.max(0, Math.min(end, offset.value)));
  }

  function scrollTo(at: number): void {
    goal = null;
    place(at);
  }
  function reveal(index: number): void {
    if (view.value === 0) see();
    const [start, end] = [startOf(index), startOf(index + 1)];
    const room = view.value - head();
    const now = scroller.value === null ? 0 : offsetNow();
    if (end > now + room) place(end - room);
    else if (start < now) place(start);
    goal = keyOf === undefined ? null : { index, drawnAt: offset.value - shift.value };
  }
  const offsetNow = (): number => {
    if (scroller.value !== null && scroller.value.scrollTop !== offset.value - shift.value) follow();
    return offset.value;
  };
  function measured(rows: readonly { readonly index: number; readonly height: number }[]): void {
    if (keyOf === undefined) return;
    const above = take(rows, offsetNow());
    if (above === null) return;
    const aim = goal;
    void nextTick(() => {
      if (aim !== null && goal === aim) reveal(aim.index);
      else if (above !== 0) place(offsetNow() + above);
    });
  }

  useEventListener(scroller, 'scroll', () => void offsetNow(), { passive: true });
  const see = (): void => {
    view.value = scroller.value?.clientHeight ?? 0;
  };
  useResizeObserver(scroller, see);
  watch(scroller, see, { flush: 'post' });

  const first = computed(() => Math.max(0, indexAt(offset.value) - beyond));
  const last = computed(() => Math.min(count() - 1, indexAt(offset.value + view.value) + beyond));
  const shown = computed(() =>
    view.value === 0 || count() === 0
      ? []
      : Array.from({ length: Math.max(0, last.value - first.value + 1) }, (_, at) => ({
          index: first.value + at,
          top: startOf(first.value + at) - shift.value,
        })),
  );
  return { shown, drawn, total, offset: offsetNow, startOf, indexAt, scrollTo, reveal, measured };
}
