import { boxOf, button, goTo, panel, search, select, setStation, signIn, unselect } from './desk.ts';
import type { Stage, Topic } from './stage.ts';

/** Where the station of these pictures stands: Los Angeles, since the week's incidents are dense round it. */
const station = '34.0522 N, 118.2437 W';

async function settings({ page, prefer }: Stage) {
  await prefer({ coordinates: 'mgrs', units: 'nautical' });
  const all = await panel(page, 'Settings');
  await all.getByRole('heading', { name: 'Places' }).evaluate((heading) => heading.scrollIntoView());
}

async function goToBox({ page, prefer }: Stage) {
  await prefer({ coordinates: 'dd', units: 'metric' });
  await panel(page, 'Incidents');
  const box = page.getByRole('combobox', { name: 'Go to a place' });
  await box.fill('santiago');
  await page.getByRole('listbox', { name: 'Places found' }).getByRole('option').nth(2).waitFor();
}

async function copyMenu(stage: Stage) {
  const { page, operator } = stage;
  // Once for the list, once for what is typed.
  for (let press = 0; press < 2; press += 1) {
    await page.getByRole('combobox', { name: 'Go to a place' }).press('Escape');
  }
  await search(stage, 'within:150km');
  await select(stage, 'Earthquake');
  await button(operator.details, 'Copy in another format').click();
}

async function grid(stage: Stage, name: string) {
  await button(stage.operator.map, 'Map layers').click();
  await stage.page.getByRole('checkbox', { name }).click();
  await stage.page.keyboard.press('Escape');
}

/** Measures along `corners`, which are given in hundredths of the map's width and height. */
async function measure(
  { page, operator }: Stage,
  kind: string,
  corners: readonly (readonly [number, number])[],
) {
  await button(operator.map, 'Measure').click();
  await button(page, `Measure ${kind}`).click();
  const box = await boxOf(operator.map);
  for (const [across, down] of corners) {
    await page.mouse.click(box.x + (box.width * across) / 100, box.y + (box.height * down) / 100);
    // Two clicks within the time of a double click would end it.
    await page.waitForTimeout(600);
  }
  const bar = page.getByRole('group', { name: 'Measuring' });
  await button(bar, 'Finish').click();
}

async function mgrsLine(stage: Stage) {
  const { page, prefer } = stage;
  await page.keyboard.press('Escape');
  await unselect(stage);
  await search(stage, '');
  await prefer({ coordinates: 'mgrs', units: 'nautical' });
  await goTo(stage, 'Los Angeles', { leave: true });
  await grid(stage, 'MGRS grid');
  await measure(stage, 'a line', [
    [30, 66],
    [52, 46],
    [74, 54],
  ]);
}

/** Where the zones are of unequal width. */
async function svalbard(stage: Stage) {
  const { page, operator, prefer } = stage;
  await button(page.getByRole('group', { name: 'Measuring' }), 'Close').click();
  await prefer({ coordinates: 'utm', units: 'imperial' });
  await goTo(stage, 'Longyearbyen', { leave: true });
  for (let step = 0; step < 8; step += 1) {
    await button(operator.map, 'Zoom out').click();
    await page.waitForTimeout(800);
  }
}

export const coordinates: Topic = {
  name: 'coordinates',
  opens: async (stage) => {
    await signIn(stage);
    await setStation(stage, station);
  },
  pictures: {
    'places-day-1280': settings,
    'go-to-night-1280': goToBox,
    'copy-in-any-night-1280': copyMenu,
    'mgrs-line-night-1280': mgrsLine,
    'svalbard-night-1280': svalbard,
  },
};
