import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { violations } from './support/violations.ts';

for (const scheme of ['light', 'dark'] as const) {
  test.describe(`axe finds nothing, ${scheme}`, () => {
    const expectNone = async (page: Page, state: string) => {
      expect(await violations(page), `${state}, ${scheme}`).toEqual([]);
    };

    test('signing in, refused, signed in, filtered, selected, locked', async ({ opened, service }) => {
      const { page, operator } = opened;
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
      await expectNone(page, 'sign-in');
      await operator.tryToSignIn({ username: 'someone', password: 'wrong' });
      await expect(page.getByText('bad-credentials')).toBeVisible();
      await expectNone(page, 'refused');

      await operator.signIn(service.credentials);
      await operator.expectIncidents(1707);
      await expectNone(page, 'workspace');
      await operator.incidents.getByRole('option').first().click();
      await expect(operator.details).toBeVisible();
      await expectNone(page, 'details');
      await page.setViewportSize({ width: 1024, height: 768 });
      await expect(operator.details).toBeVisible();
      await expectNone(page, 'details at 1024');
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.keyboard.press('Escape');

      await operator.incidents.getByRole('button', { name: /^Severity/ }).click();
      await expectNone(page, 'filter open');
      await page.keyboard.press('Escape');
      await operator.openPanel('Integrations');
      await expect(operator.integrations).toBeVisible();
      await expectNone(page, 'integrations');

      await page.getByRole('button', { name: 'Lock' }).click();
      await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible();
      await expectNone(page, 'locked');
    });

    test('offline, not granted, rejected', async ({ operator, service }) => {
      const { page } = operator;
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await operator.expectIncidents(1707);
      await service.set({ incidentScope: false });
      await expect(operator.incidents.getByText('not-granted').first()).toBeVisible();
      await expectNone(page, 'not granted');
      await service.set({ fault: 'refuse' });
      await expect(operator.connection).toHaveText(/^\s*Offline/);
      await expectNone(page, 'offline');
      await service.set({ fault: 'none', incidentScope: true, accountRevoked: true });
      await operator.incidents.getByRole('button', { name: 'Refresh incidents' }).click();
      await expect(page.getByText('session-rejected').first()).toBeVisible({ timeout: 60_000 });
      await expectNone(page, 'rejected');
    });

    test('training with its drawer', async ({ open }) => {
      const { page } = await open([]);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await expectNone(page, 'training sign-in');
      await page.getByRole('button', { name: 'Fill in' }).click();
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: /^Training/ }).click();
      await expect(page.getByText(/Token lifetime/i).first()).toBeVisible();
      await expectNone(page, 'training drawer');
    });
  });
}
