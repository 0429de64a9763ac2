import { button, search, signIn } from './desk.mjs';

async function found(stage) {
  await search(stage, 'severity:high place:Chile');
  await stage.operator.incidents
    .getByText(/^\d+ found$/)
    .first()
    .waitFor();
  await button(stage.page, 'Show all incidents').click();
}

async function offered(stage) {
  const { page } = stage;
  await search(stage, '');
  await button(page, 'Show all incidents').click();
  await button(page, 'What can be searched for').click();
}

async function commands({ page }) {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('map');
}

async function keys({ page }) {
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
}

/** Three steps to the east, so that the map has gone along. */
async function walk({ page, operator }) {
  await page.keyboard.press('Escape');
  await operator.map.locator('canvas').focus();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowRight');
  await operator.details.waitFor();
}

export const keyboard = {
  name: 'keyboard',
  opens: signIn,
  pictures: {
    'search-night-1280': found,
    'search-words-day-1280': offered,
    'commands-night-1280': commands,
    'keys-day-1280': keys,
    'walk-night-1280': walk,
  },
};
