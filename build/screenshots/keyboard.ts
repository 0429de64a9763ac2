import { button, search, signIn } from './desk.ts';
import type { Stage, Topic } from './stage.ts';

async function found(stage: Stage) {
  await search(stage, 'severity:high place:Chile');
  await stage.operator.incidents
    .getByText(/^\d+ found$/)
    .first()
    .waitFor();
  await button(stage.page, 'Show all incidents').click();
}

async function commands(stage: Stage) {
  const { page } = stage;
  await search(stage, '');
  await button(page, 'Show all incidents').click();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('map');
}

/** Three steps to the east, so that the map has gone along. */
async function walk({ page, operator }: Stage) {
  await page.keyboard.press('Escape');
  await operator.map.locator('canvas').focus();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowRight');
  await operator.details.waitFor();
}

export const keyboard: Topic = {
  name: 'keyboard',
  opens: signIn,
  pictures: {
    'search-night-1280': found,
    'commands-night-1280': commands,
    'walk-night-1280': walk,
  },
};
