import { expect, test } from './support/fixtures.ts';
import { violations } from './support/violations.ts';

test.describe('on a first run', () => {
  test.use({ preferences: {} });

  test('the tour is offered, walked with the keyboard, and repeated; every state word is explained', async ({
    operator,
    opened: { page },
  }) => {
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
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(words).toHaveCount(0);
  });
});
