import type { Locator, Page } from '@playwright/test';
import type { FloorAct } from './pages/floorApi.ts';

/** One thing that an operator does, with the same input on the console's page and on its floor. */
export interface WorkspaceAct {
  readonly act: FloorAct;
  readonly what: string;
  /** The input whose way to the paint counts, as the trace names it. */
  readonly input: string;
  /**
   * Where a change says that what was asked for is shown; null where that is the next paint itself. Of an
   * element's attribute, also of those in it where that is `deep`, or of the texts in an element.
   */
  readonly shows: {
    readonly selector: string;
    readonly attribute: string | null;
    readonly deep?: boolean;
  } | null;
  /** Whether the next paint shows something of it too, and the trace can tell. */
  readonly echoes: boolean;
  readonly floor: string;
  /** The input itself, which is measured. */
  readonly give: (page: Page) => Promise<void>;
  /** Brings the page back to where it was, which is not. */
  readonly undo: (page: Page) => Promise<void>;
}

/** Between two keys or two moves, ms: as fast as people are. */
const keyPause = 150;
const movePause = 50;
/** Until what was asked for is drawn, ms. */
const restMs = 500;
/** How often a button is pressed. */
const presses = 4;
/** How long a replay is watched, ms. */
const replayMs = 2_000;
const digits = ['7', '0', '4', '1'];
const nothing = (): Promise<void> => Promise.resolve();

async function pressEach(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(keyPause);
  }
  await page.waitForTimeout(restMs);
}

async function clickOften(page: Page, button: Locator): Promise<void> {
  for (let press = 0; press < presses; press += 1) {
    await button.click();
    await page.waitForTimeout(restMs);
  }
}

async function drag(page: Page, surface: Locator, parts: readonly number[]): Promise<void> {
  const box = await surface.boundingBox();
  if (box === null) throw new Error('What is to be dragged is not there');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * (parts[0] ?? 0), y);
  await page.mouse.down();
  for (const part of parts) {
    await page.mouse.move(box.x + box.width * part, y);
    await page.waitForTimeout(movePause);
  }
  await page.mouse.up();
  await page.waitForTimeout(restMs);
}

const steps = (count: number, from: number, to: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => from + ((to - from) * at) / (count - 1));

const brushPass = 'a pass over the times, the rows on the screen, a redraw of the map';
const clearBrush = async (page: Page): Promise<void> => {
  const clear = page.locator('.timeline__clear');
  if ((await clear.count()) > 0) await clear.click();
  await page.waitForTimeout(restMs);
};

/** What is done with the list on the screen. */
export const listActs: readonly WorkspaceAct[] = [
  {
    act: 'find',
    what: 'typing',
    input: 'keydown',
    shows: { selector: '.list__sizer', attribute: null },
    echoes: true,
    floor: 'a pass over the ids, the rows on the screen, a redraw of the map',
    give: async (page) => {
      await page.locator('[data-search]').focus();
      await pressEach(page, digits);
    },
    undo: async (page) => {
      await page.locator('[data-search]').fill('');
      await page.waitForTimeout(restMs);
    },
  },
  {
    act: 'brush',
    what: 'brush, keys',
    input: 'keydown',
    shows: { selector: '.list__sizer', attribute: null },
    echoes: true,
    floor: brushPass,
    give: async (page) => {
      await page.locator('.brush__edge--end').focus();
      await pressEach(
        page,
        Array.from({ length: 6 }, () => 'ArrowLeft'),
      );
    },
    undo: clearBrush,
  },
  {
    act: 'brush',
    what: 'brush, pointer',
    input: 'MOUSE_DRAGGED',
    // Chromium counts no paint for a move whose handler changes the page without asking for a frame.
    shows: { selector: '.brush', attribute: 'style', deep: true },
    echoes: false,
    floor: brushPass,
    give: (page) => drag(page, page.locator('.brush'), steps(16, 0.9, 0.4)),
    undo: clearBrush,
  },
  {
    act: 'replay',
    what: 'replay',
    input: 'pointerup',
    shows: null,
    echoes: true,
    floor: 'the head in each frame; a pass, the rows and a redraw of the map each 100 ms',
    give: async (page) => {
      await page.locator('.timeline__start').click();
      await page.waitForTimeout(replayMs);
    },
    undo: async (page) => {
      const leave = page.locator('.replay__leave');
      if ((await leave.count()) > 0) await leave.click();
      await page.waitForTimeout(restMs);
    },
  },
  {
    act: 'sort',
    what: 'sort',
    input: 'pointerup',
    shows: null,
    echoes: true,
    floor: 'Array.sort of an index, the rows on the screen',
    give: async (page) => {
      // The menu with the two ways, which follow the columns, opens by no input that is measured, and stays.
      await page.locator('.order__open').evaluate((button: HTMLElement) => {
        button.click();
      });
      const ways = '.order .popover__rule + .option, .order .popover__rule + .option + .option';
      await clickOften(page, page.locator(`:is(${ways})[aria-pressed="false"]`));
      await page.keyboard.press('Escape');
    },
    undo: nothing,
  },
  {
    act: 'theme',
    what: 'theme',
    input: 'pointerup',
    shows: { selector: ':root', attribute: 'data-theme' },
    echoes: false,
    floor: 'the same properties on a copy of the page, the same colours on a bare map',
    give: (page) => clickOften(page, page.getByRole('button', { name: /^Switch to/ })),
    undo: nothing,
  },
];

/** What is done in the settings. */
export const languageAct: WorkspaceAct = {
  act: 'language',
  what: 'language',
  input: 'keydown',
  shows: { selector: ':root', attribute: 'lang' },
  echoes: false,
  floor: 'the same texts and attributes written into a copy of the page',
  give: async (page) => {
    await page.locator('#settings-language').focus();
    await pressEach(page, ['ArrowDown', 'ArrowUp']);
  },
  undo: nothing,
};
