import { themeNames } from '../../src-preload/contract/index.ts';
import { themes } from '../../src-renderer/design/tokens.ts';
import { colourShares } from '../e2e/support/pixels.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { expect, slow, test } from './fixtures.ts';

const { executablePath, args } = await chromiumLaunch();
// The other page tests have none: what is tried here is what the map itself draws, and what it leaves out.
test.use({ launchOptions: { executablePath, args }, viewport: { width: 1024, height: 1400 } });

test(
  'there is sea above the Arctic and land below Antarctica, in every theme',
  slow,
  async ({ shown, browser }) => {
    // A frame of a map that is drawn in software takes seconds on a busy machine.
    const page = await shown.open('incidents');
    const map = page.locator('.map__canvas');
    await expect(map).toHaveAttribute('data-map-details', 'drawn');
    const { x, width } = (await map.boundingBox())!;
    /** A part of the map that no control covers, nor the scale: the world ends above 350 and below 1,140 px. */
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
      await expect.poll(() => share(120, mapWater), { message: `${name}: above the Arctic` }).toBe(1);
      await expect.poll(() => share(1_160, mapLand), { message: `${name}: below Antarctica` }).toBe(1);
    }
  },
);

test('a town is not blank near by', slow, async ({ shown, browser }) => {
  const page = await shown.open('incidents');
  await page.setViewportSize({ width: 1440, height: 900 });
  await shown.push({ preferences: { theme: 'day' } });
  const map = page.locator('.map__canvas');
  await expect(map).toHaveAttribute('data-map-details', 'drawn');
  const { x, y, width, height } = (await map.boundingBox())!;
  const middle = {
    screenshot: () =>
      page.screenshot({
        clip: { x: x + width / 2 - 150, y: y + height / 2 - 150, width: 300, height: 300 },
      }),
  };
  const bareLand = async (): Promise<number> =>
    (await colourShares(browser, middle, [themes.day.mapLand], 2))[themes.day.mapLand] ?? 0;
  const goTo = page.getByRole('combobox', { name: 'Go to a place' });
  for (const [place, camera] of [
    ['34.05, -118.24', /^-118\.240 34\.050 /],
    ['48.21, 16.37', /^16\.370 48\.210 /],
  ] as const) {
    // The open desert, to know what a blank map is.
    await goTo.fill('23.5, 10.5');
    await goTo.press('Enter');
    await expect(map).toHaveAttribute('data-camera', /^10\.500 23\.500 /);
    await expect.poll(bareLand, { message: 'the desert' }).toBeGreaterThan(0.95);
    await goTo.fill(place);
    await goTo.press('Enter');
    await expect(map).toHaveAttribute('data-camera', camera);
    await expect.poll(bareLand, { message: place }).toBeLessThan(0.5);
  }
});
