import { onBeforeUnmount, onMounted, type ShallowRef } from 'vue';

/** Where a place stands that is empty: what comes into it stands last. */
const last = '100000';

/**
 * Keeps what stands in a stack where it is while the pointer is in it: what comes stands last, and what goes
 * leaves its place empty until the pointer has left. What has `data-place` in the stack, a flex container, is the
 * place of one part and stays when its part goes; `data-place="first"` leads whenever the pointer is elsewhere.
 * Call in the setup of the component that draws the stack.
 */
export function useStablePositions(stack: Readonly<ShallowRef<HTMLElement | null>>): void {
  const heights = new Map<HTMLElement, number>();
  let held = false;
  let arrivals = 0;

  const places = (): HTMLElement[] => [...(stack.value?.querySelectorAll<HTMLElement>('[data-place]') ?? [])];
  const leads = (place: HTMLElement): boolean => place.dataset['place'] === 'first' && !held;

  const observer = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      if (!(target instanceof HTMLElement)) continue;
      const height = borderBoxSize[0]?.blockSize ?? 0;
      const before = heights.get(target) ?? 0;
      heights.set(target, height);
      if (leads(target)) target.style.order = '0';
      else if (height === 0) target.style.order = last;
      else if (before === 0) target.style.order = String((arrivals += 1));
    }
  });
  // All of it before anything comes or goes: a layout in between would take the pointer out of the stack.
  function hold(): void {
    held = true;
    stack.value?.setAttribute('data-held', '');
    for (const place of places()) {
      const height = heights.get(place) ?? 0;
      if (height === 0) place.style.order = last;
      else place.style.minHeight = `${height}px`;
    }
  }
  function release(): void {
    held = false;
    stack.value?.removeAttribute('data-held');
    for (const place of places()) {
      place.style.minHeight = '';
      if (leads(place)) place.style.order = '0';
    }
  }

  onMounted(() => {
    stack.value?.addEventListener('pointerenter', hold);
    stack.value?.addEventListener('pointerleave', release);
    for (const place of places()) observer.observe(place);
  });
  onBeforeUnmount(() => {
    observer.disconnect();
  });
}
