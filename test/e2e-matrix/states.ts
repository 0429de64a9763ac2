import type { Page } from '@playwright/test';
import { columnNames, panelNames, type PanelName } from '../../src-preload/contract/index.ts';
import { show, type Shown } from '../e2e/support/pageStores.ts';

/** A state of the workspace that can be reached in any language: by the page's own state, and by what has no name. */
export interface State {
  readonly name: string;
  /** Brings the page into it from any other. */
  enter(page: Page): Promise<void>;
  /** Takes back what the next state would not. */
  leave?(page: Page): Promise<void>;
}

const plain: Required<Omit<Shown, 'cameraWish'>> = {
  panel: 'incidents',
  drawer: null,
  overlay: null,
  search: '',
  columns: null,
  timeline: false,
  selectedRow: null,
};

/** What each panel shows once it has read what it shows. */
const filled: Readonly<Record<PanelName, string>> = {
  incidents: '[role="option"]',
  integrations: '.panel h2',
  evidence: '[role="row"]',
  outbox: '[role="row"]',
  missions: '[role="option"]',
  alarms: 'li',
  log: '[role="row"]',
  maps: 'li',
  settings: 'h3',
  diagnostics: 'h3',
};
const panel = 'main.desk__panel';
const dialog = '[role="dialog"]';
const lastPart = `${panel} .segmented > :last-child`;

/** A state that the page's stores say by themselves, there once `sign` is seen. */
const shown = (name: string, what: Shown, sign: string): State => ({
  name,
  enter: async (page) => {
    await show(page, { ...plain, ...what });
    await page.locator(sign).first().waitFor();
  },
});

/** A state behind a press in another one. */
const pressed = (name: string, from: Shown, button: string, sign: string): State => ({
  name,
  enter: async (page) => {
    // A panel that stayed open would stay in its part too.
    await show(page, plain);
    await show(page, { ...plain, ...from });
    await page.locator(button).first().click();
    await page.locator(sign).first().waitFor();
  },
});

/** What opens over the page by a press, and is left by Escape. */
const opened = (name: string, from: Shown, button: string): State => ({
  ...pressed(name, from, button, dialog),
  leave: async (page) => {
    await page.keyboard.press('Escape');
    await page.locator(dialog).waitFor({ state: 'detached' });
  },
});

const tableWithDetails: State = {
  name: 'table with details',
  enter: async (page) => {
    // Narrower windows show the details in place of the table.
    await page.setViewportSize({ width: 1440, height: 900 });
    const columns = columnNames.map((name) => ({ name, width: 120 }));
    await show(page, { ...plain, columns, selectedRow: 0 });
    await page.locator(`${panel} [role="grid"]`).waitFor();
    await page.locator('.desk__details .details__fields').waitFor();
  },
  leave: (page) => page.setViewportSize({ width: 1024, height: 768 }),
};

const walk: State = {
  name: 'walk',
  enter: async (page) => {
    await show(page, plain);
    await page.locator('.maplibregl-canvas').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.locator('.walk__said--seen').waitFor();
  },
};

/** Every state that the matrix looks at behind the sign-in; the lock's is the last of a session. */
export const states: readonly State[] = [
  ...panelNames.map((name) => shown(name, { panel: name }, `${panel} ${filled[name]}`)),
  shown('details', { selectedRow: 0 }, '.details__fields'),
  opened('coordinates', { selectedRow: 0 }, '.place__more'),
  pressed('mission', { panel: 'missions' }, `${panel} [role="option"]`, `${panel} article`),
  pressed('audit', { panel: 'missions' }, lastPart, `${panel} .segmented > :last-child[data-state="on"]`),
  pressed('alarm settings', { panel: 'alarms' }, lastPart, '#alarms-least'),
  pressed('notes', { panel: 'log' }, lastPart, `${panel} article`),
  opened('hand over', { panel: 'log' }, '.shift__acts .button'),
  shown('timeline', { timeline: true }, '.timeline__chart'),
  ...(['sync', 'storage', 'events'] as const).map((drawer) => shown(drawer, { drawer }, '.drawer__body')),
  ...(['palette', 'shortcuts', 'tour', 'words', 'export'] as const).map((overlay) =>
    shown(overlay, { overlay }, dialog),
  ),
  shown('search', { search: 'high' }, '.search__count'),
  shown('nothing found', { search: 'quux since:yesterday' }, `${panel} .nothing__ways`),
  opened('views', {}, '.views__open'),
  opened('columns', {}, `${panel} .panel__head .button--icon[aria-haspopup]`),
  opened('severities', {}, `${panel} .filters [aria-haspopup]`),
  opened('account', {}, 'nav .rail__item:last-child'),
  opened('grids', {}, '.tools__key:last-child'),
  tableWithDetails,
  walk,
];
