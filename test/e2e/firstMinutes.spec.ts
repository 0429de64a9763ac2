import type { Locator } from '@playwright/test';
import { glossary } from '../../src-renderer/features/help/glossary.ts';
import { expect, test } from './support/fixtures.ts';
import { violations } from './support/violations.ts';

test.describe('on a first run', () => {
  test.use({ preferences: {} });

  test(
    'the tour is offered, walked with the keyboard, and repeated; every state word is explained',
    { tag: '@map' },
    async ({ operator, opened: { page } }) => {
      const offer = page.getByRole('region', { name: 'First steps' });
      await expect(offer).toBeVisible();
      await offer.getByRole('button', { name: 'Show me' }).press('Enter');
      const tour = page.getByRole('dialog');
      await expect(tour).toBeFocused();
      await expect(offer).toHaveCount(0);
      for (let step = 1; step <= 6; step += 1) {
        await expect(tour.getByText(`Step ${step} of 6`)).toBeVisible();
        const box = await tour.boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual(0);
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
        if (step === 3) expect(await violations(page)).toEqual([]);
        await tour.press('PageDown');
      }
      await expect(tour).toHaveCount(0);

      // What was taken once is not offered again; it can be taken again, and left at once.
      await page.keyboard.press('Control+k');
      await page.keyboard.type('tour');
      await page.keyboard.press('Enter');
      await expect(tour.getByText('Step 1 of 6')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(tour).toHaveCount(0);
      await expect(offer).toHaveCount(0);

      const what = operator.incidents.getByRole('button', { name: /^What “.*” means$/ }).first();
      await what.press('Enter');
      await page.getByRole('button', { name: 'All words' }).press('Enter');
      const words = page.getByRole('dialog', { name: 'What the words mean' });
      await expect(words.getByText('At least', { exact: true })).toBeVisible();
      // Every state that the contract knows, with what it means.
      const terms = glossary.flatMap((part) => part.words);
      await expect(words.getByRole('term')).toHaveCount(terms.length);
      for (const meaning of await words.getByRole('definition').allInnerTexts())
        expect(meaning.length).toBeGreaterThan(20);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(words).toHaveCount(0);
    },
  );

  test('the tour is not offered again once it was skipped, and each step of it can be', async ({
    operator,
    opened: { page },
  }) => {
    const offer = page.getByRole('region', { name: 'First steps' });
    await offer.getByRole('button', { name: 'Not now' }).press('Enter');
    await expect(offer).toHaveCount(0);
    await page.reload();
    await expect(operator.incidents).toBeVisible();
    await expect(operator.incidents.getByRole('option').first()).toBeVisible();
    await expect(offer).toHaveCount(0);

    const tour = page.getByRole('dialog');
    for (let steps = 0; steps < 5; steps += 1) {
      await operator.command('Take the tour');
      for (let step = 0; step < steps; step += 1)
        await tour.getByRole('button', { name: 'Next' }).press('Enter');
      await expect(tour.getByText(`Step ${steps + 1} of 6`)).toBeVisible();
      await tour.getByRole('button', { name: 'Skip the tour' }).press('Enter');
      await expect(tour).toHaveCount(0);
    }
  });

  test.describe('with nothing reported', () => {
    test.use({ serviceOptions: { dataset: [] } });

    test('the console says that it is quiet, since when, and what to do', async ({
      opened: { operator },
      service,
    }) => {
      const { incidents } = operator;
      await operator.tryToSignIn(service.credentials);
      await expect(incidents.getByText('No incidents.')).toBeVisible();
      const since = incidents.getByText(
        /^The service reported none at \d\d:\d\d:\d\d UTC\. New incidents appear here automatically\.$/,
      );
      await expect(since).toBeVisible();
      await expect(incidents.getByRole('button', { name: 'Check again' })).toBeEnabled();
      expect(await violations(operator.page)).toEqual([]);
      service.addIncident({ id: 'first', severity: 'high' });
      await operator.expectIncidents(1);
      await expect(since).toHaveCount(0);
    });
  });

  test('each place that says a state explains its word, and an empty one says what to do', async ({
    operator,
  }) => {
    const { page } = operator;
    const expectExplained = async (place: Locator): Promise<void> => {
      const what = place.getByRole('button', { name: /^What “.*” means$/ }).first();
      await what.press('Enter');
      await expect(page.getByRole('button', { name: 'All words' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(what).toBeFocused();
    };
    await expectExplained(page.getByRole('contentinfo'));
    await page.getByRole('contentinfo').getByRole('button', { name: 'Data status', exact: true }).click();
    await expectExplained(page.getByRole('group', { name: 'How complete the incidents are' }));
    await operator.command('Data on this computer');
    const vaults = page.getByRole('group', { name: 'What is stored, and how' });
    await expectExplained(vaults.getByRole('listitem'));
    await page.keyboard.press('Escape');
    for (const panel of ['Integrations', 'Evidence'] as const) {
      await operator.openPanel(panel);
      await expectExplained(page.getByRole('region', { name: panel, exact: true }));
    }

    await operator.openPanel('Log');
    const log = page.getByRole('region', { name: 'Log', exact: true });
    for (const part of ['Notes', 'Pinned']) {
      await log.getByText(part, { exact: true }).click();
      await log.getByRole('button', { name: 'Go to the incidents' }).press('Enter');
      await expect(operator.incidents).toBeVisible();
      await operator.openPanel('Log');
    }
  });

  test('on a Mac the keys have a Mac’s names', async ({ operator, opened: { page } }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' });
    });
    await page.reload();
    await expect(operator.incidents).toBeVisible();
    const commands = page
      .getByRole('navigation', { name: 'Panels' })
      .getByRole('button', { name: 'Commands' });
    await expect(commands).toHaveAttribute('aria-keyshortcuts', 'Meta+K');
    await page.keyboard.press('Meta+k');
    await page.keyboard.type('tour');
    await page.keyboard.press('Enter');
    const tour = page.getByRole('dialog');
    for (let step = 1; step < 5; step += 1) await tour.press('PageDown');
    await expect(tour.getByText('Press ⌘K and type')).toBeVisible();
  });
});
