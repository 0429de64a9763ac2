import { button, goTo, search, select, setStation, signIn } from './desk.ts';
import type { Stage, Topic } from './stage.ts';

async function save({ page }: Stage, name: string) {
  await button(page, 'Views').click();
  await page.getByRole('textbox', { name: 'Name of the view' }).fill(name);
  await button(page, 'Save').click();
  await page.getByRole('list', { name: 'Saved views' }).getByText(name, { exact: true }).waitFor();
  await page.keyboard.press('Escape');
}

async function saved(stage: Stage) {
  const { page } = stage;
  await save(stage, 'All incidents');
  await search(stage, 'severity:high place:Chile');
  await save(stage, 'Chile, high');
  await search(stage, '');
  await goTo(stage, 'Los Angeles', { leave: true });
  await stage.operator.filter('Severity', 'high');
  await save(stage, 'High, round the station');
  await button(page, 'Views').click();
}

/** The list as a table, with an incident's details beside it. */
async function table(stage: Stage) {
  const { page, operator, prefer } = stage;
  await page.getByRole('list', { name: 'Saved views' }).getByText('All incidents', { exact: true }).click();
  await prefer({ listWidth: 560 });
  await button(page, 'Columns').click();
  await button(page, 'Table').click();
  // Out go what the details say beside it, in comes what is counted from the station.
  for (const name of ['Time', 'Place', 'Distance', 'Bearing'])
    await page.getByRole('checkbox', { name }).click();
  await page.keyboard.press('Escape');
  const grid = page.getByRole('grid', { name: 'Incident table' });
  await grid.getByRole('columnheader', { name: 'Distance', exact: true }).click();
  await grid.getByRole('row').nth(4).click();
  await operator.details.waitFor();
}

async function secondMap(stage: Stage) {
  const { page, operator } = stage;
  await button(operator.details, 'Close details').click();
  await button(page, 'Views').click();
  await button(page, 'Reset layout').click();
  await select(stage, 'Earthquake');
  const [second] = await Promise.all([
    page.context().waitForEvent('page'),
    operator.command('Open a second window with the map'),
  ]);
  await second.locator('[data-map-state="ready"]').waitFor();
  return second;
}

export const views: Topic = {
  name: 'views',
  opens: async (stage) => {
    await signIn(stage);
    await setStation(stage, '34.0522 N, 118.2437 W');
  },
  pictures: {
    'views-day-1280': saved,
    'table-night-1440': table,
    'second-window-night-1280': secondMap,
  },
};
