import { useMutationObserver, useResizeObserver } from '@vueuse/core';
import { nextTick, readonly, shallowRef, watch, type Ref } from 'vue';

/** Both widths of an element are rounded separately. */
const rounding = 1;

/** Whether something in the bar is cut, or the bar itself is. */
function isCut(bar: HTMLElement): boolean {
  return [bar, ...bar.querySelectorAll('*')].some(
    (part) =>
      part.clientWidth > 0 &&
      part.scrollWidth > part.clientWidth + rounding &&
      part.checkVisibility({ visibilityProperty: true }),
  );
}

const lengthOf = (nodes: NodeList): number =>
  [...nodes].reduce((sum, node) => sum + (node.textContent ?? '').length, 0);

/** Whether a change of texts or of elements can have made the bar longer. */
function changesLength({ type, oldValue, target, addedNodes, removedNodes }: MutationRecord): boolean {
  if (type === 'characterData') return oldValue?.length !== target.textContent?.length;
  const texts = [...addedNodes, ...removedNodes].every(({ nodeType }) => nodeType === Node.TEXT_NODE);
  return !texts || lengthOf(addedNodes) !== lengthOf(removedNodes);
}

/**
 * How much of a bar gives way so that the rest of it is read whole: 0 while all of it has room, then each rank takes
 * one thing more, the least important first, up to `most`. It is found by trying, before anything is drawn.
 *
 * `says`: what the bar shows, as far as its length follows from it.
 */
export function useFittedBar(
  bar: Readonly<Ref<HTMLElement | null>>,
  most: number,
  says: () => string,
): Readonly<Ref<number>> {
  const rank = shallowRef(0);
  let latest = 0;
  let trying = false;
  const fit = async (): Promise<void> => {
    const own = (latest += 1);
    trying = true;
    for (let tried = 0; tried <= most; tried += 1) {
      rank.value = tried;
      await nextTick();
      // Another width or another text is being tried by now.
      if (own !== latest) return;
      if (bar.value === null || !isCut(bar.value)) break;
    }
    trying = false;
  };
  watch(says, fit, { immediate: true, flush: 'post' });
  useResizeObserver(bar, () => void fit());
  // An age grows from "9 s" to "10 s" without a change of `says`. A running clock is as long as before, and to
  // measure the bar each second for it costs a layout of the page.
  useMutationObserver(
    bar,
    (records) => {
      if (trying || rank.value >= most || !records.some(changesLength)) return;
      if (bar.value !== null && isCut(bar.value)) void fit();
    },
    { characterData: true, characterDataOldValue: true, childList: true, subtree: true },
  );
  void document.fonts.ready.then(fit);
  return readonly(rank);
}
