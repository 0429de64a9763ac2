import type { Page } from '@playwright/test';
import process from 'node:process';
import { themeNames } from '../../src-preload/contract/index.ts';
import { themes } from '../../src-renderer/design/tokens.ts';
import { expect, test } from './support/fixtures.ts';
import type { Operator } from './support/operator.ts';
import { patience } from '../support/patience.ts';
import { colourShares } from './support/pixels.ts';
import { comeToRest, holdStill } from './support/stillPage.ts';

const pinned = 'Chromium of the npm package @sparticuz/chromium';
const browserLabel = process.env['FIELD_CONSOLE_BROWSER_LABEL'] ?? '';

/**
 * Has the map write the names of countries from the beginning. MapLibre leaves a name at the side of a mark where it
 * stood before, so where names stand depends on what came first, they or the marks. Names of another script have
 * no such side yet, and nor have the English ones that follow them.
 */
async function placeNames(page: Page, operator: Operator): Promise<void> {
  const { x, y, width, height } = (await operator.drawnMap.boundingBox())!;
  // What lies over the map has words too, and they change before its names do.
  const clip = { x: x + 160, y: y + 60, width: width - 380, height: height - 160 };
  const names = (): Promise<Buffer> => page.screenshot({ clip });
  await operator.openPanel('Settings');
  const language = page.locator('select').filter({ has: page.locator('option[value="zh-Hans"]') });
  const before = await language.inputValue();
  for (const next of ['zh-Hans', before]) {
    await comeToRest(page);
    const drawn = await names();
    await language.selectOption(next);
    await expect.poll(async () => (await names()).equals(drawn), { timeout: patience.test }).toBe(false);
  }
  await operator.openPanel('Incidents');
}

test.describe('pictures', { tag: '@map' }, () => {
  // Nothing is read again while they are compared.
  test.use({ deployment: { pollIntervals: { incidentsMs: 600_000, healthMs: 600_000 } } });
  test.setTimeout(1_200_000);
  test.skip(browserLabel !== pinned, `Pictures are compared in the pinned browser; this is ${browserLabel}`);

  // Take them again with playwright test pictures --project='browser host, map drawn' -u
  for (const theme of themeNames) {
    test.describe(theme, () => {
      test.use({ preferences: { tourDone: true, theme } });

      test('the six main states look as they did', async ({ opened, service, browser }) => {
        const { page, operator } = opened;
        await page.emulateMedia({ reducedMotion: 'reduce' });
        await page.setViewportSize({ width: 1280, height: 720 });
        await holdStill(page);
        const compare = async (state: string) => {
          await page.mouse.move(0, 0);
          await page.evaluate(() => {
            if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
          });
          // A map that is not drawn yet is at rest too. The sign-in has none.
          const land = themes[theme].mapLand;
          const landShare = async () => (await colourShares(browser, operator.drawnMap, [land], 2))[land];
          if (state !== 'sign-in') {
            const least = state === 'incidents' ? 0.2 : 0.005;
            await expect.poll(landShare, { timeout: patience.test }).toBeGreaterThan(least);
          }
          await comeToRest(page);
          await expect.soft(page).toHaveScreenshot(`${state}-${theme}.png`, {
            maxDiffPixels: 100,
            timeout: patience.test,
          });
        };
        await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
        await expect(page.getByText('Service reachable')).toBeVisible();
        await compare('sign-in');
        await operator.signIn(service.credentials);
        await operator.expectIncidents(1712);
        await expect(operator.drawnMap).toHaveAttribute('data-drawn-incidents', '1707', {
          timeout: patience.test,
        });
        await expect(page.getByRole('contentinfo').getByText(/complete as of/)).toBeAttached();
        // The map's own first look depends on how large it was when the incidents came.
        await operator.map.getByRole('button', { name: 'Show all incidents' }).click();
        await placeNames(page, operator);
        await compare('incidents');
        await operator.incidents.getByRole('option').nth(3).click();
        await expect(operator.details).toBeVisible();
        await compare('details');
        await page.keyboard.press('Escape');
        for (const panel of ['Integrations', 'Outbox', 'Settings'] as const) {
          await operator.openPanel(panel);
          await compare(panel.toLowerCase());
        }
      });
    });
  }
});
