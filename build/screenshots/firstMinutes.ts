import { createClock } from '../../src-main/adapters/clock.ts';
import { startTraining } from '../../test/support/training/index.ts';
import { acknowledge, button, enter } from './desk.ts';
import type { Stage, Topic } from './stage.ts';

/** The third step, which stands beside the map. */
async function tour(stage: Stage) {
  await enter(stage);
  await acknowledge(stage);
  await button(stage.page, 'Show me').click();
  for (let step = 0; step < 2; step += 1) await stage.page.keyboard.press('PageDown');
}

async function word({ page, operator }: Stage) {
  await page.keyboard.press('Escape');
  await operator.incidents
    .getByRole('button', { name: /^What “.*” means$/ })
    .first()
    .click();
}

export const firstMinutes: Topic = {
  name: 'first-minutes',
  preferences: {},
  pictures: { 'tour-night-1280': tour, 'word-day-1280': word },
};

/** A service that has nothing to report, as on a console's first day. */
const quietService = () =>
  startTraining({
    clock: createClock(),
    seed: 7,
    dataset: [],
    switches: { arrivals: false, integrationScript: false },
  });

async function empty({ operator, service }: Stage) {
  await operator.tryToSignIn(service().credentials);
  await operator.incidents.getByText('No incidents.').waitFor();
}

export const emptyConsole: Topic = {
  name: 'empty',
  service: quietService,
  pictures: { 'empty-night-1280': empty },
};

/** Before anybody has signed in, so that no map has to be drawn behind it. */
async function report({ page }: Stage) {
  await button(page, 'Diagnostics').click();
  await button(page, 'Check this deployment').click();
  const dialog = page.getByRole('dialog', { name: 'Check this deployment' });
  await dialog.getByRole('button', { name: 'Fill in' }).click();
  await dialog.getByRole('button', { name: 'Start the check' }).click();
  // The event stream is listened to for ten seconds.
  await dialog.getByRole('group', { name: 'Report of the check' }).waitFor({ timeout: 60_000 });
}

export const deploymentCheck: Topic = {
  name: 'check',
  pictures: { 'deployment-check-day-1440': report },
};
