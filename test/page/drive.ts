import type { Step } from './states.ts';

const patience = 10_000;

/** Waits until something fits the selector and is drawn. */
const shown = (selector: string): Promise<HTMLElement> => there(selector, (found) => found.checkVisibility());

async function there(selector: string, fits = (_: HTMLElement) => true): Promise<HTMLElement> {
  const end = performance.now() + patience;
  for (;;) {
    const found = document.querySelector<HTMLElement>(selector);
    if (found && fits(found)) return found;
    if (performance.now() > end) throw new Error(`Nothing is shown for ${selector}`);
    await new Promise((resolve) => setTimeout(resolve, 16));
  }
}

/** Does to the page what its state needs: presses, keys and text, as an operator gives them. */
export async function drive(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if ('see' in step) (await shown(step.see)).scrollIntoView({ block: 'nearest' });
    else if ('press' in step) press(await shown(step.press));
    else if ('menu' in step) openMenu(await shown(step.menu));
    else if ('key' in step) pressKey(step.key);
    else if ('focus' in step) (await there(step.focus)).focus();
    else if ('file' in step) give((await there(step.into)) as HTMLInputElement, step);
    else {
      const field = (await shown(step.into)) as HTMLInputElement;
      field.focus();
      field.value = step.type;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  }
}

/** A chosen file: its field is hidden behind a button. */
function give(
  field: HTMLInputElement,
  { file, text }: { readonly file: string; readonly text: string },
): void {
  const chosen = new DataTransfer();
  chosen.items.add(new File([text], file));
  field.files = chosen.files;
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

function press(target: HTMLElement): void {
  const init = { bubbles: true, cancelable: true, button: 0 };
  target.dispatchEvent(new PointerEvent('pointerdown', { ...init, pointerType: 'mouse' }));
  target.focus();
  target.dispatchEvent(new PointerEvent('pointerup', { ...init, pointerType: 'mouse' }));
  target.click();
}

function openMenu(target: HTMLElement): void {
  const { left, top, width, height } = target.getBoundingClientRect();
  const at = { clientX: left + width / 3, clientY: top + height / 2 };
  target.dispatchEvent(
    new PointerEvent('contextmenu', { bubbles: true, cancelable: true, button: 2, ...at }),
  );
}

/** `key` as in "Control+k". */
function pressKey(key: string): void {
  const parts = key.split('+');
  const init = {
    key: parts.at(-1) ?? '',
    bubbles: true,
    cancelable: true,
    ctrlKey: parts.includes('Control'),
  };
  const target = document.activeElement ?? document.body;
  target.dispatchEvent(new KeyboardEvent('keydown', init));
  target.dispatchEvent(new KeyboardEvent('keyup', init));
}
