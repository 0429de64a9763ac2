import { createClock } from '../../src-main/adapters/clock.ts';
import { startTraining } from '../../src-main/training/index.ts';
import { acknowledge, button, enter } from './desk.mjs';

/** The third step, which stands beside the map. */
async function tour(stage) {
  await enter(stage);
  await acknowledge(stage);
  await button(stage.page, 'Show me').click();
  for (let step = 0; step < 2; step += 1) await stage.page.keyboard.press('PageDown');
}

async function word({ page, operator }) {
  await page.keyboard.press('Escape');
  await operator.incidents
    .getByRole('button', { name: /^What “.*” means$/ })
    .first()
    .click();
}

async function words({ page }) {
  await button(page, 'All words').click();
  await page.getByRole('dialog', { name: 'What the words mean' }).waitFor();
}

export const firstMinutes = {
  name: 'first-minutes',
  preferences: {},
  pictures: { 'tour-night-1280': tour, 'word-day-1280': word, 'words-night-1280': words },
};

/** A service that has nothing to report, as on a console's first day. */
const quietService = () =>
  startTraining({
    clock: createClock(),
    seed: 7,
    dataset: [],
    switches: { arrivals: false, integrationScript: false },
  });

async function empty({ operator, service }) {
  await operator.tryToSignIn(service.credentials);
  await operator.incidents.getByText('No incidents.').waitFor();
}

export const emptyConsole = {
  name: 'empty',
  service: quietService,
  pictures: { 'empty-night-1280': empty },
};
