import type { Page } from '@playwright/test';
import type { ThemeName } from '../../src-preload/contract/index.ts';
import type { TrainingServer } from '../../src-main/training/index.ts';
import { show, type Shown } from '../e2e/support/pageStores.ts';

/** A state of the console that can be reached in any language: by the page's own state, and by what has no name. */
export interface State {
  readonly name: string;
  /** Brings the page into it from any other. */
  enter(page: Page, service: TrainingServer): Promise<void>;
  /** Takes back what the next state would not. */
  leave?(page: Page, service: TrainingServer): Promise<unknown>;
  /** How a theme comes, where it is not the preference alone; resolves once the page is drawn in it. */
  theme?(page: Page, theme: ThemeName): Promise<void>;
}

/** The workspace with nothing open. */
export const plain: Required<Omit<Shown, 'cameraWish'>> = {
  panel: 'incidents',
  drawer: null,
  overlay: null,
  search: '',
  listPart: 'all',
  pane: 'all',
  timeWindow: null,
  columns: null,
  timeline: false,
  selectedRow: null,
};

export const panel = 'main.desk__panel';
export const dialog = '[role="dialog"]';
export const usual = { width: 1024, height: 768 };
/** Narrower windows show the details in place of the panel. */
export const wide = { width: 1440, height: 900 };

/** Presses what is first under the selector. */
export const press = (page: Page, selector: string): Promise<void> => page.locator(selector).first().click();
/** Waits for what is first under the selector. */
export const see = (page: Page, selector: string): Promise<void> => page.locator(selector).first().waitFor();

/** A state that the page's stores say by themselves, there once `sign` is seen. */
export const shown = (name: string, what: Shown, sign: string): State => ({
  name,
  enter: async (page) => {
    await show(page, { ...plain, ...what });
    await see(page, sign);
  },
});

/** A state behind presses in another one, there once `sign` is seen. */
export const pressed = (
  name: string,
  from: Shown,
  buttons: string | readonly string[],
  sign: string,
): State => ({
  name,
  enter: async (page) => {
    // A panel that stayed open would stay in its part too.
    await show(page, { ...plain, panel: from.panel === 'integrations' ? 'incidents' : 'integrations' });
    await see(page, `${panel} .panel`);
    await show(page, { ...plain, ...from });
    for (const button of [buttons].flat()) await press(page, button);
    await see(page, sign);
  },
});

/** Closes by Escape what opened over the page. */
export async function escape(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator(dialog).waitFor({ state: 'detached' });
}

/** What opens over the page by presses, and is left by Escape. */
export const opened = (
  name: string,
  from: Shown,
  buttons: string | readonly string[],
  sign = dialog,
): State => ({
  ...pressed(name, from, buttons, sign),
  leave: escape,
});

/** The same state in another window size. */
export const sized = (state: State, size: typeof usual): State => ({
  ...state,
  enter: async (page, service) => {
    await page.setViewportSize(size);
    await state.enter(page, service);
  },
  leave: async (page, service) => {
    await state.leave?.(page, service);
    await page.setViewportSize(usual);
  },
});
