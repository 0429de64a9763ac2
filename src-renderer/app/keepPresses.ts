/** What a press acts on. */
const controls =
  'button, a[href], input, select, summary, label, [role="option"], [role^="menuitem"], [role="tab"], [role="row"]';
/** A pointer that went further than this, in CSS pixels, left the control: the operator changed their mind. */
const slack = 6;

interface Press {
  readonly control: Element;
  readonly expanded: string | null;
  readonly x: number;
  readonly y: number;
}

/**
 * Gives a press to the control that it began on. The browser drops a press when the page changes its layout between
 * button down and button up, since the two then meet different elements: under a busy page, or where the press itself
 * changes something.
 *
 * @returns stops it.
 */
export function keepPresses(page: Document): () => void {
  let press: Press | null = null;
  const onDown = ({ target, button, clientX: x, clientY: y }: PointerEvent): void => {
    const control = target instanceof Element && button === 0 ? target.closest(controls) : null;
    press = control === null ? null : { control, expanded: control.getAttribute('aria-expanded'), x, y };
  };
  const onClick = (event: MouseEvent): void => {
    const begun = press;
    press = null;
    // A key, or a script: `detail` counts the presses of a pointer.
    if (begun === null || event.detail === 0 || !(event.target instanceof Node)) return;
    const { control, expanded, x, y } = begun;
    const isLost = event.target !== control && event.target.contains(control);
    if (!isLost || !control.isConnected || control.closest('[inert]') !== null) return;
    // A menu opens at button down, and covers the page.
    if (control.getAttribute('aria-expanded') !== expanded) return;
    if (Math.hypot(event.clientX - x, event.clientY - y) > slack) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    (control as HTMLElement).click();
  };
  const stopped = new AbortController();
  const options = { capture: true, signal: stopped.signal };
  page.addEventListener('pointerdown', onDown, options);
  page.addEventListener('click', onClick, options);
  return () => {
    stopped.abort();
  };
}
