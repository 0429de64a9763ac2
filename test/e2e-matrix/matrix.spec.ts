import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { languages, themeNames, type Language } from '../../src-preload/contract/index.ts';
import { expect, test } from '../e2e/support/fixtures.ts';
import { overflowingTexts } from '../e2e/support/overflow.ts';
import { prefer, preferTheme } from '../e2e/support/preferences.ts';
import { contrastViolations, violations } from '../e2e/support/violations.ts';
import { fill } from './fill.ts';
import { states } from './states.ts';

const direction = (language: Language) => (language === 'ar' ? 'rtl' : 'ltr');

/**
 * All of axe, sideways scrolling and texts that do not fit, once in this state and language; then, in every
 * theme, what a theme can break. Each finding is told, so that one run tells them all.
 */
async function look(page: Page, state: string, language: Language): Promise<void> {
  const root = page.locator('html');
  await expect(root).toHaveAttribute('lang', language);
  await expect(root).toHaveAttribute('dir', direction(language));
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const where = `${state}, ${language}`;
  expect.soft(await violations(page), where).toEqual([]);
  expect.soft(await overflowingTexts(page), `${where}: does not fit`).toEqual([]);
  expect
    .soft(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      `${where}: scrolls sideways`,
    )
    .toBeLessThanOrEqual(0);
  for (const theme of themeNames) {
    await preferTheme(page, theme);
    expect.soft(await contrastViolations(page, theme), `${where}, ${theme}`).toEqual([]);
  }
}

test.describe('axe finds nothing in any state and theme', () => {
  test.use({
    deployment: {
      missions: { pendingPath: '/admin/missions/pending', rejectPath: '/admin/missions/reject' },
    },
  });

  for (const language of languages) {
    test(language, async ({ opened, service }) => {
      const { page, operator } = opened;
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 1024, height: 768 });
      await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
      await prefer(page, { language });
      await look(page, 'sign-in', language);
      await prefer(page, { language: 'en' });
      service.addMission({ title: 'Search the north shore' });
      await operator.signIn(service.credentials);
      await operator.expectIncidents(1707);
      await fill(operator);
      await prefer(page, { language });
      // A state that cannot be reached in time is a finding like others.
      page.setDefaultTimeout(60_000);
      for (const { name, enter, leave } of states) {
        const visit = async (): Promise<void> => {
          await enter(page);
          await look(page, name, language);
          await leave?.(page);
        };
        expect.soft(await visit().then(() => null, String), `${name}, ${language}`).toBeNull();
      }
      // What is locked takes no other language.
      await page.locator('nav .rail__item:nth-last-child(2)').click();
      await page.locator('#unlock-password').waitFor();
      await look(page, 'locked', language);
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
  await page.getByRole('textbox', { name: 'Password' }).fill(service.credentials.password);
  await page.keyboard.press('Enter');
  await expect(
    page
      .getByRole('main', { name: 'Wallboard' })
      .getByText(/1,7\d\d incidents/)
      .first(),
  ).toBeVisible({
    timeout: 60_000,
  });
  for (const language of languages) {
    await prefer(page, { language });
    await look(page, 'wallboard', language);
  }
});
