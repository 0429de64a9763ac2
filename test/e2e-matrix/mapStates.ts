import { show } from '../e2e/support/pageStores.ts';
import { opened, panel, plain, press, pressed, see, shown, sized, wide, type State } from './state.ts';

const chart = '.timeline__chart';
const measure = ['.tools__key >> nth=0', '[role="dialog"] .option'] as const;
const atCross = '.drawing__actions > :first-child';
const endMeasure: Required<State>['leave'] = (page) => press(page, '.drawing__actions > :last-child');

const goTo = (name: string, typed: string, sign: string): State => ({
  name,
  enter: async (page) => {
    await show(page, plain);
    await page.locator('.goto__input').fill(typed);
    await see(page, sign);
  },
  leave: async (page) => {
    await page.locator('.goto__input').fill('');
    await page.locator('.goto__input').blur();
  },
});

/** The states of the map and of what stands over and under it. */
export const mapStates: readonly State[] = [
  opened('grids', {}, '.tools__key:last-child'),
  opened('what to measure', {}, measure[0]),
  { ...pressed('measuring', {}, measure, '.drawing'), leave: endMeasure },
  {
    name: 'measured',
    enter: async (page) => {
      await show(page, plain);
      for (const button of [...measure, atCross]) await press(page, button);
      // Another place under the cross: the map's own keys move it.
      await page.locator('.maplibregl-canvas').focus();
      for (const key of ['ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
      await press(page, atCross);
      await see(page, '.drawing__hint .strong');
      await press(page, '.drawing__actions > .button--primary');
    },
    leave: endMeasure,
  },
  {
    ...pressed(
      'area drawn',
      { panel: 'alarms' },
      [`${panel} .segmented > :nth-child(2)`, `${panel} [aria-labelledby="alarms-where"] .button:last-child`],
      '.drawing',
    ),
    leave: (page) => press(page, '.drawing__actions > :nth-child(3)'),
  },
  goTo('places', 'san', '.goto__option'),
  goTo('no place', 'quux quux', '.goto__none'),
  {
    name: 'walk',
    enter: async (page) => {
      await show(page, plain);
      await page.locator('.maplibregl-canvas').focus();
      await page.keyboard.press('Shift+ArrowRight');
      await see(page, '.walk__said--seen');
    },
  },
  shown('timeline', { timeline: true }, chart),
  {
    name: 'timeline brushed',
    enter: async (page) => {
      const now = Date.now();
      await show(page, { ...plain, timeline: true, timeWindow: { from: now - 2 * 86_400_000, to: now } });
      await see(page, '.timeline__clear');
      await see(page, `${panel} .window`);
    },
  },
  {
    ...pressed('replay', { timeline: true }, '.timeline__start', '.replay'),
    leave: async (page) => {
      await press(page, '.replay__leave');
      await see(page, '.timeline__start');
    },
  },
  sized(shown('timeline beside details', { timeline: true, selectedRow: 0 }, chart), wide),
  shown('map in a second window', { pane: 'map' }, 'header.bar'),
  shown('list in a second window', { pane: 'list' }, 'header.bar'),
];
