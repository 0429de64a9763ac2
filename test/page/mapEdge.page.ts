import { themeNames } from '../../src-preload/contract/index.ts';
import { themes } from '../../src-renderer/design/tokens.ts';
import { colourShares } from '../e2e/support/pixels.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { expect, test } from './fixtures.ts';

const { executablePath, args } = await chromiumLaunch();
// The other page tests have none: what is tried here is what the map itself draws, and what it leaves out.
test.use({ launchOptions: { executablePath, args }, viewport: { width: 1024, height: 1300 } });

test('there is sea above the Arctic and land below Antarctica, in every theme', async ({
  shown,
  browser,
}) => {
  test.setTimeout(300_000);
  // A frame of a map that is drawn in software takes seconds on a busy machine.
  const patient = { timeout: 60_000 };
  const page = await shown.open('incidents');
  const map = page.locator('.map__canvas');
  await expect(map).toHaveAttribute('data-map-details', 'drawn', patient);
  const { x, width } = (await map.boundingBox())!;
  /** A part of the map that no control covers: the world ends above 300 and below 1,090 px. */
  const strip = (y: number) => ({
    screenshot: () => page.screenshot({ clip: { x: x + 20, y, width: width - 120, height: 100 } }),
  });
  for (const name of themeNames) {
    await shown.push({ preferences: { theme: name } });
    await expect(page.locator('html')).toHaveAttribute('data-theme', name);
    const { mapLand, mapWater } = themes[name];
    // Two themes have land and water of nearly one colour.
    const share = async (y: number, colour: string): Promise<number> =>
      (await colourShares(browser, strip(y), [colour], 3))[colour] ?? 0;
    await expect
      .poll(() => share(120, mapWater), { message: `${name}: above the Arctic`, ...patient })
      .toBe(1);
    await expect
      .poll(() => share(1_110, mapLand), { message: `${name}: below Antarctica`, ...patient })
      .toBe(1);
  }
});
