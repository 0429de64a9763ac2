import { onBeforeUpdate, onUpdated, type ShallowRef } from 'vue';

/**
 * Rows that change places, or leave, must not take the keyboard with them or hand it to another row: it
 * stays on the same row's control, or falls back to the list. Call in the setup of the list, whose rows
 * have the role "row" and an id of their own.
 */
export function useKeptFocus(list: Readonly<ShallowRef<HTMLElement | null>>): void {
  let focused: { readonly element: HTMLElement; readonly row: string | undefined } | null = null;
  const rowOf = (element: Element): string | undefined => element.closest('[role="row"]')?.id;
  onBeforeUpdate(() => {
    const element = document.activeElement;
    const inRow = element instanceof HTMLElement && element !== list.value;
    focused = inRow && list.value?.contains(element) ? { element, row: rowOf(element) } : null;
  });
  onUpdated(() => {
    if (focused === null) return;
    const { element, row } = focused;
    const same = element.isConnected && rowOf(element) === row;
    if (document.activeElement === element && same) return;
    // Elsewhere by the operator's own doing.
    if (document.activeElement !== element && document.activeElement !== document.body) return;
    (same ? element : list.value)?.focus({ preventScroll: true });
  });
}
