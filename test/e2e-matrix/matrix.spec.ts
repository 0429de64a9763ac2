import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { languages } from '../../src-preload/contract/index.ts';
import { expect, test } from '../e2e/support/fixtures.ts';
import { prefer } from '../e2e/support/preferences.ts';
import { fill } from './fill.ts';
import { drawCoarseMap, lookAtEach } from './look.ts';
import { states } from './states.ts';
import { signInStates, trainingStates } from './signInStates.ts';
import { usual } from './state.ts';
import { doors, troubles } from './troubles.ts';
import { wallStates } from './wallStates.ts';

/** Enough for a machine that others use too. */
const reachMs = 60_000;

test.describe('axe finds nothing in any state and theme', () => {
  test.use({
    deployment: {
      missions: { pendingPath: '/admin/missions/pending', rejectPath: '/admin/missions/reject' },
      gateways: ['https://gateway.example.org/ipfs/'],
      upload: { incidentField: 'incident_id' },
    },
  });

  for (const language of languages) {
    test(language, async ({ opened, service }) => {
      const { page, operator } = opened;
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize(usual);
      await drawCoarseMap(page);
      await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
      page.setDefaultTimeout(reachMs);
      await prefer(page, { language });
      await lookAtEach(page, service, signInStates, language);
      await prefer(page, { language: 'en' });
      const decided = service.addMission({ title: 'Survey the bridge' });
      service.addMission({ title: 'Search the north shore' });
      await operator.signIn(service.credentials);
      await operator.expectIncidents(1712);
      await fill(operator, decided);
      await prefer(page, { language });
      await lookAtEach(page, service, [...states, ...troubles, ...doors], language);
    });
  }
});

test('axe finds nothing on a wallboard in any language and theme', async ({ open, service, folder }) => {
  const desk = await open();
  await desk.operator.signIn(service.credentials);
  await desk.stop();
  const policy = join(folder, 'policy.json');
  await writeFile(policy, JSON.stringify({ version: 1, kiosk: { mode: 'wallboard', rotateSeconds: 60 } }));
  const { page } = await open(['--policy', policy, '--deployment', join(folder, 'station-1.json')]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1920, height: 1080 });
  await drawCoarseMap(page);
  await page.getByRole('textbox', { name: 'Password' }).fill(service.credentials.password);
  await page.keyboard.press('Enter');
  const counts = page.getByRole('main', { name: 'Wallboard' }).getByText(/1,7\d\d incidents/);
  await expect(counts.first()).toBeVisible({ timeout: 60_000 });
  page.setDefaultTimeout(reachMs);
  for (const state of wallStates) {
    for (const language of languages) {
      await prefer(page, { language });
      await lookAtEach(page, service, [state], language);
    }
  }
});

test('axe finds nothing in training in any language and theme', async ({ open, service }) => {
  const { page } = await open([]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize(usual);
  await drawCoarseMap(page);
  await expect(page.getByRole('button', { name: 'Fill in' })).toBeVisible();
  page.setDefaultTimeout(reachMs);
  for (const state of trainingStates) {
    for (const language of languages) {
      await prefer(page, { language });
      await lookAtEach(page, service, [state], language);
    }
  }
});
