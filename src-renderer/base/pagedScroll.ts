import { useResizeObserver } from '@vueuse/core';
import { nextTick, onScopeDispose, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import type { ScrollAnchor } from './pagedRows.ts';
import type { PagedSource } from './stores/pagedRows.ts';
import type { VirtualRows } from './virtualRows.ts';

type Scroller = Readonly<Ref<HTMLElement | null>>;

/** Nearer to the top than this, CSS pixels, what is new is shown instead of held back. */
const topPx = 8;

interface HeldRowOptions<T> {
  readonly scroller: Scroller;
  readonly virtual: VirtualRows;
  readonly source: () => PagedSource<T>;
  /** Whether what comes above the visible rows is new, and counts as waiting. */
  readonly arrivals: () => boolean;
}

/** Holds the first visible row in place when rows come or go above it. */
export function useHeldRow<T>({ scroller, virtual, source, arrivals }: HeldRowOptions<T>) {
  /** How many new rows came above those in view. */
  const waiting = shallowRef(0);
  /** The first visible row and how far it is scrolled out; null at the top. */
  let anchor: (ScrollAnchor & { readonly offset: number }) | null = null;

  /** Notes what is being read now. Call it after every scroll. */
  function note(): void {
    const top = virtual.offset();
    const index = virtual.indexAt(top);
    const key = top < topPx ? null : source().rows.keyAt(index);
    anchor = key === null ? null : { key, index, offset: top - virtual.startOf(index) };
    if (anchor === null) waiting.value = 0;
  }
  /** Has the rows in view read. */
  function show(): void {
    const items = virtual.shown.value;
    source().rows.show(items[0]?.index ?? 0, items.at(-1)?.index ?? 0, anchor);
  }

  watch(
    () => source().version.value,
    async () => {
      const held = anchor;
      const { rows } = source();
      const moved = rows.takeMoved();
      if (rows.total === null) {
        anchor = null;
        waiting.value = 0;
        return;
      }
      if (held === null || moved === null || moved.key !== held.key) return;
      if (arrivals()) waiting.value = Math.max(0, waiting.value + moved.index - held.index);
      await nextTick();
      // Scrolled on meanwhile: what is read now is elsewhere.
      if (anchor !== held || scroller.value === null) return;
      anchor = { ...held, index: moved.index };
      virtual.scrollTo(virtual.startOf(moved.index) + held.offset);
    },
  );

  return { waiting, note, show };
}

/**
 * The room below the last row: when the list grows at its end, as a bar below it goes, what this adds stays empty until
 * the list is scrolled back. Otherwise the browser would move the rows.
 */
export function useBottomRoom(scroller: Scroller, drawn: ComputedRef<number>) {
  /** CSS pixels. */
  const room = shallowRef(0);
  /** Where the list was scrolled to last, CSS pixels. */
  let scrolledTo = 0;
  /** The height that the list had then, CSS pixels: at another one, the browser has scrolled it and not the operator. */
  let height = 0;
  const missing = (): number =>
    scrolledTo === 0 ? 0 : Math.max(0, scrolledTo + (scroller.value?.clientHeight ?? 0) - drawn.value);
  /** Takes away what is no longer needed. */
  const giveBack = (): void => {
    room.value = Math.min(room.value, missing());
  };
  useResizeObserver(scroller, () => {
    const before = scrolledTo;
    height = scroller.value?.clientHeight ?? 0;
    room.value = missing();
    void nextTick(() => {
      if (room.value > 0) scroller.value?.scrollTo({ top: before });
    });
  });
  return {
    room,
    giveBack,
    /** Call it after every scroll. */
    noteScroll: (): void => {
      if (scroller.value?.clientHeight !== height) return;
      scrolledTo = scroller.value.scrollTop;
      giveBack();
    },
  };
}

/** Measures the drawn rows whenever others are drawn or one changes its height. */
export function useMeasuredRows(
  scroller: Scroller,
  visible: ComputedRef<unknown>,
  virtual: VirtualRows,
): void {
  /**
   * All that are drawn are measured, not only those that change their size: an element that passes from one row to
   * another of the same height does not, and the other row would keep its estimate.
   */
  function measure(elements: Iterable<Element>): void {
    const drawn = [...elements].filter(
      (one) => one instanceof HTMLElement && one.isConnected,
    ) as HTMLElement[];
    virtual.measured(drawn.map((one) => ({ index: Number(one.dataset['index']), height: one.offsetHeight })));
  }
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) if (!target.isConnected) observer.unobserve(target);
    measure(entries.map(({ target }) => target));
  });
  onScopeDispose(() => {
    observer.disconnect();
  });
  watch(
    visible,
    () => {
      const elements = scroller.value?.querySelectorAll('[role="row"]') ?? [];
      for (const element of elements) observer.observe(element);
      measure(elements);
    },
    { flush: 'post' },
  );
}
