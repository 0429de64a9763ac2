import { onBeforeUnmount, onMounted, type ShallowRef } from 'vue';

/**
 * Keeps what stands in a stack where it is while the pointer is in it: what comes stands last, and what goes
 * leaves its place empty until the pointer has left. What has `data-place` in the stack, a flex container, is the
 * place of one part and stays when its part goes; `data-place="first"` leads whenever the pointer is elsewhere.
 * Call in the setup of the component that draws the stack.
 */
export function useStillStack(stack: Readonly<ShallowRef<HTMLElement | null>>): void {
  const heights = new Map<HTMLElement, number>();
  let held = false;
  let arrivals = 0;

  const observer = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      if (!(target instanceof HTMLElement)) continue;
      const height = borderBoxSize[0]?.blockSize ?? 0;
      const before = heights.get(target) ?? 0;
      if (held && height < before) {
        target.style.minHeight = `${before}px`;
        continue;
      }
      heights.set(target, height);
      if (before === 0 && height > 0)
        target.style.order = leads(target) && !held ? '0' : String((arrivals += 1));
    }
  });
  const places = (): HTMLElement[] => [...(stack.value?.querySelectorAll<HTMLElement>('[data-place]') ?? [])];
  const leads = (place: HTMLElement): boolean => place.dataset['place'] === 'first';
  function hold(): void {
    held = true;
    stack.value?.setAttribute('data-held', '');
  }
  function letGo(): void {
    held = false;
    stack.value?.removeAttribute('data-held');
    for (const place of places()) {
      place.style.minHeight = '';
      if (leads(place)) place.style.order = '0';
    }
  }

  onMounted(() => {
    stack.value?.addEventListener('pointerenter', hold);
    stack.value?.addEventListener('pointerleave', letGo);
    for (const place of places()) observer.observe(place);
  });
  onBeforeUnmount(() => {
    observer.disconnect();
  });
}
