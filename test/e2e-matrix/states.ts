import { columnNames, panelNames, themeNames, type PanelName } from '../../src-preload/contract/index.ts';
import { tourSteps } from '../../src-renderer/views/help/tour.ts';
import { usualColumns } from '../../src-renderer/lib/columns.ts';
import { show } from '../e2e/support/pageStores.ts';
import { prefer } from '../e2e/support/preferences.ts';
import { mapStates } from './mapStates.ts';
import {
  dialog,
  escape,
  opened,
  panel,
  plain,
  press,
  pressed,
  see,
  shown,
  sized,
  wide,
  type State,
} from './state.ts';

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
/** The button of a panel's part, by its place. */
const part = (at: number): string => `${panel} .segmented > :nth-child(${at})`;
const partOn = (at: number): string => `${part(at)}[data-state="on"]`;
const row = `${panel} [role="row"]`;
const views = '.views__open';
const more = '.view__line > .button--icon';

const incidents: readonly State[] = [
  shown('unlocated', { listPart: 'unlocated' }, `${panel} .incidents__back`),
  shown('not returned', { listPart: 'not-returned' }, `${panel} .incidents__empty`),
  shown('no match', { timeWindow: { from: 0, to: 1 } }, `${panel} .incidents__empty`),
  shown('details', { selectedRow: 0 }, '.details__fields'),
  opened('coordinates', { selectedRow: 0 }, '.place__more'),
  {
    ...pressed('note changed', {}, `${panel} [role="option"]`, '.notes__note'),
    enter: async (page) => {
      await show(page, plain);
      await press(page, `${panel} [role="option"]:has(.lucide-sticky-note)`);
      await press(page, '.notes__acts > :first-child');
      await see(page, '.notes__note .editor');
    },
    leave: (page) => press(page, '.notes__note .editor__foot .button'),
  },
  opened('note removed', {}, [
    `${panel} [role="option"]:has(.lucide-sticky-note)`,
    '.notes__acts > :last-child',
  ]),
  shown('search', { search: 'high' }, '.search__count'),
  shown('nothing found', { search: 'quux since:yesterday' }, `${panel} .nothing__ways`),
  {
    name: 'completions',
    enter: async (page) => {
      await show(page, plain);
      await page.locator('[data-search]').fill('st');
      await see(page, '.search__offers [role="option"]');
    },
    leave: (page) => page.locator('[data-search]').blur(),
  },
  opened('search help', {}, '.search [aria-haspopup]'),
  opened('views', {}, views),
  opened('view with more', {}, [views, more], '.view__actions'),
  {
    ...pressed('view renamed', {}, [views, more, '.view__actions > :nth-child(2)'], '.view__rename'),
    leave: async (page) => {
      // The first leaves the field.
      await page.keyboard.press('Escape');
      await escape(page);
    },
  },
  {
    ...pressed('view without its map', {}, [views, '.view__choose'], '.notices [role="status"]'),
    leave: (page) => press(page, '.notices [role="status"] .button'),
  },
  opened('columns', {}, `${panel} .panel__head .button--icon[aria-haspopup]`),
  opened(
    'columns of a table',
    { columns: usualColumns },
    `${panel} .panel__head .button--icon[aria-haspopup]`,
    `${dialog} [data-move]`,
  ),
  opened('severities', {}, `${panel} .filters__row > :nth-child(1)`),
  opened('statuses', {}, `${panel} .filters__row > :nth-child(2)`),
  opened('limit', {}, `${panel} .filters__row > :last-child`),
  opened('order', {}, `${panel} .sort [aria-haspopup]`),
  {
    name: 'tooltip',
    enter: async (page) => {
      await show(page, plain);
      await page.locator(`${panel} .panel__head .button--icon`).last().hover();
      await see(page, '.tooltip');
    },
  },
  opened('state word', {}, `${panel} .what`),
  sized(
    {
      name: 'table with details',
      enter: async (page) => {
        const columns = columnNames.map((name) => ({ name, width: 120 }));
        await show(page, { ...plain, columns, selectedRow: 0 });
        await see(page, `${panel} [role="grid"]`);
        await see(page, '.desk__details .details__fields');
      },
    },
    wide,
  ),
  {
    name: 'column edge',
    enter: async (page) => {
      await show(page, { ...plain, columns: usualColumns });
      await page.locator('[role="columnheader"] .edge').first().focus();
    },
  },
];

const panels: readonly State[] = [
  pressed('mission', { panel: 'missions' }, `${panel} [role="option"]`, `${panel} article`),
  pressed(
    'mission decided',
    { panel: 'missions' },
    `${panel} [role="option"]:has(.row__state.quiet)`,
    '.state--done',
  ),
  opened('decision', { panel: 'missions' }, [`${panel} [role="option"]`, '.missions .bar .button--primary']),
  pressed('audit', { panel: 'missions' }, part(2), partOn(2)),
  pressed('alarm settings', { panel: 'alarms' }, part(2), '#alarms-least'),
  pressed('pinned', { panel: 'log' }, part(2), `${panel} .pins__row`),
  pressed('notes', { panel: 'log' }, part(3), `${panel} article`),
  opened('hand over', { panel: 'log' }, '.shift__acts .button'),
  opened('new shift', { panel: 'log' }, '.shift__acts .button >> nth=1'),
  {
    ...pressed('evidence item', { panel: 'evidence' }, row, '.item__more'),
  },
  opened('gateway', { panel: 'evidence' }, [row, '.item__actions > .button:last-child']),
  {
    name: 'verification',
    enter: async (page) => {
      await show(page, { ...plain, panel: 'evidence' });
      if ((await page.locator('.item__more').count()) === 0) await press(page, row);
      const file = { name: 'levee.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not that one') };
      await page.locator('.item__actions input').setInputFiles(file);
      await see(page, '.tray__verdict');
    },
    leave: (page) => press(page, '.tray__head > .button'),
  },
  pressed('sent file', { panel: 'outbox' }, row, '.upload__more'),
  {
    ...pressed('file menu', { panel: 'outbox' }, `${row} [aria-haspopup="menu"]`, '[role="menu"]'),
    leave: (page) => page.keyboard.press('Escape'),
  },
  sized(shown('outbox beside details', { panel: 'outbox', selectedRow: 0 }, '.attach'), wide),
  opened('map removed', { panel: 'maps' }, '.map-row__actions > :last-child'),
  pressed('keys', { panel: 'settings' }, '.keys__head .button', '#settings-keys-list dl'),
  opened('licences', { panel: 'settings' }, '.about__actions > :last-child'),
  {
    ...shown('schedule', { panel: 'settings' }, 'h3'),
    theme: async (page, theme) => {
      const schedule = { day: theme, night: theme, dayFrom: 360, nightFrom: 1080 };
      await prefer(page, { theme: 'schedule', schedule });
      await see(page, `html[data-theme="${theme}"] .schedule__time`);
    },
    leave: (page) => prefer(page, { theme: themeNames[0] }),
  },
  pressed('requests', { panel: 'diagnostics' }, part(2), partOn(2)),
  pressed('connections', { panel: 'diagnostics' }, part(3), partOn(3)),
  pressed('self-test', { panel: 'diagnostics' }, [part(4), '.test__head .button'], '.step'),
  opened('bundle', { panel: 'diagnostics' }, '.diagnostics__foot > .button'),
];

const overlays: readonly State[] = [
  ...(['sync', 'storage', 'events'] as const).map((drawer) => shown(drawer, { drawer }, '.drawer__body')),
  ...(['palette', 'shortcuts', 'words', 'export'] as const).map((overlay) =>
    shown(overlay, { overlay }, dialog),
  ),
  pressed('export as a sheet', { overlay: 'export' }, `${dialog} input[value="pdf"]`, '.export__paper'),
  {
    name: 'commands found',
    enter: async (page) => {
      await show(page, { ...plain, overlay: 'palette' });
      await page.locator('.palette__input').fill('quux');
      await see(page, '.palette__action');
    },
  },
  ...tourSteps.map(({ id }, at) =>
    pressed(
      `tour, ${id}`,
      { overlay: 'tour' },
      Array.from({ length: at }, () => '.tour .button--primary'),
      '.tour',
    ),
  ),
  {
    name: 'tour offered',
    enter: async (page) => {
      await show(page, plain);
      await prefer(page, { tourDone: false });
      await see(page, '.stage > section:has(.lucide-compass)');
    },
    leave: (page) => prefer(page, { tourDone: true }),
  },
  opened('account', {}, 'nav .rail__item:last-child'),
];

/** Every state of the workspace while all is well. */
export const states: readonly State[] = [
  ...panelNames.map((name) => shown(name, { panel: name }, `${panel} ${filled[name]}`)),
  ...incidents,
  ...panels,
  ...overlays,
  ...mapStates,
];
