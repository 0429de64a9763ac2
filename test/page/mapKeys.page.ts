import { chromiumLaunch } from '../support/chromium.ts';
import { expect, slow, test } from './fixtures.ts';

const { executablePath, args } = await chromiumLaunch();
// Without WebGL there is no canvas that could have the focus.
test.use({ launchOptions: { executablePath, args } });

test(
  'Escape closes the live events, then the details, while the map has the focus',
  slow,
  async ({ shown }) => {
    const page = await shown.open('events');
    const canvas = page.locator('.map__canvas canvas');
    // A frame of a map that is drawn in software takes seconds on a busy machine.
    await expect(page.locator('.map__canvas')).toHaveAttribute('data-map-state', 'ready');
    await page.getByRole('option').first().click();
    const details = page.getByRole('region', { name: 'Incident details' });
    await expect(details).toBeVisible();
    const drawer = page.getByRole('complementary', { name: 'Live events' });
    await expect(drawer).toBeVisible();
    await canvas.focus();
    await page.keyboard.press('Escape');
    await expect(drawer).toHaveCount(0);
    await expect(details).toBeVisible();
    await expect(canvas).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(details).toHaveCount(0);
  },
);
