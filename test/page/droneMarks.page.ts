import type { Page } from '@playwright/test';
import { themes } from '../../src-renderer/design/tokens.ts';
import { colourShares } from '../e2e/support/pixels.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { expect, slow, test } from './fixtures.ts';
import { seaApart, seaZoom } from './states/drones.ts';

const { executablePath, args } = await chromiumLaunch();
// Most other page tests have no WebGL: what is tried here is what the map draws of the drones.
test.use({ launchOptions: { executablePath, args } });

// A frame of a map that is drawn in software takes seconds on a busy machine.
/** From a drone's middle to the wedge that points where it is heading, CSS pixels. */
const nose = 11;
/** From the middle of the map to the drones north and south of it. */
const apart = (seaApart / Math.cos((28 * Math.PI) / 180)) * ((512 * 2 ** seaZoom) / 360);

async function middleOf(page: Page): Promise<{ readonly x: number; readonly y: number }> {
  const { x, y, width, height } = (await page.locator('.map__canvas').boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

test(
  'the map draws drones where they are and as they are heading, also after it lost its graphics',
  slow,
  async ({ shown, browser }) => {
    const page = await shown.open('drones, at sea');
    const map = page.locator('.map__canvas');
    await expect(map).toHaveAttribute('data-drawn-drones', '3');
    const { x, y } = await middleOf(page);
    /** How much of a few pixels, so far right of the middle of the map and below it, is of a colour. */
    const share = async (right: number, down: number, colour: string): Promise<number> => {
      const clip = { x: Math.round(x + right) - 1, y: Math.round(y + down) - 1, width: 3, height: 3 };
      const shares = await colourShares(
        browser,
        { screenshot: () => page.screenshot({ clip }) },
        [colour],
        16,
      );
      return shares[colour] ?? 0;
    };
    const seeMarks = async (name: 'night' | 'day', when: string): Promise<void> => {
      const { text, mapWater } = themes[name];
      const see = (what: string, right: number, down: number, colour: string) =>
        expect.poll(() => share(right, down, colour), { message: `${name}, ${when}: ${what}` });
      await see('the one that flies east', nose, 0, text).toBeGreaterThan(0.6);
      await see('does not point north', 0, -nose, text).toBe(0);
      await see('does not point south', 0, nose, text).toBe(0);
      await see('the one that flies south', 0, -apart + nose, text).toBeGreaterThan(0.6);
      await see('does not point north either', 0, -apart - nose, text).toBe(0);
      await see('the silent one is an outline', 0, apart - nose, text).toBe(0);
      await see('has no trail before it is chosen', -60, 0, mapWater).toBe(1);
    };
    await seeMarks('night', 'first');

    await page.mouse.move(x - 200, y - 60);
    await expect(map.locator('canvas')).not.toHaveCSS('cursor', 'pointer');
    await page.mouse.move(x + 6, y);
    await expect(map.locator('canvas'), 'a hand over a drone').toHaveCSS('cursor', 'pointer');
    await page.mouse.click(x + 6, y);
    const card = page.getByRole('article', { name: 'Chosen drone' });
    await expect(card.getByRole('heading', { name: 'east' })).toBeVisible();
    await expect
      .poll(() => share(-60, 0, themes.night.accent), { message: 'the trail of the chosen one' })
      .toBeGreaterThan(0.3);
    await expect.poll(() => share(-60, 6, themes.night.mapWater)).toBe(1);
    await expect.poll(() => share(60, 0, themes.night.mapWater)).toBe(1);
    await expect
      .poll(() => share(0, -18, themes.night.accent), { message: 'the ring of the chosen one' })
      .toBeGreaterThan(0.3);
    await card.getByRole('button', { name: 'Close' }).click();
    await page.mouse.move(x - 200, y - 60);
    await expect(map.locator('canvas')).not.toHaveCSS('cursor', 'pointer');

    await shown.push({ preferences: { theme: 'day' } });
    await seeMarks('day', 'by the other theme');

    const graphics = (act: 'loseContext' | 'restoreContext') =>
      page.evaluate((what) => {
        const kept = window as { graphics?: WEBGL_lose_context | null };
        kept.graphics ??=
          document
            .querySelector<HTMLCanvasElement>('canvas.maplibregl-canvas')
            ?.getContext('webgl2')
            ?.getExtension('WEBGL_lose_context') ?? null;
        kept.graphics?.[what]();
      }, act);
    await graphics('loseContext');
    await expect(map).toHaveAttribute('data-map-state', 'context-lost');
    await graphics('restoreContext');
    await expect(map).toHaveAttribute('data-map-state', 'ready');
    await seeMarks('day', 'after the graphics were lost');
  },
);

test('a map whose graphics stay away is made on a new canvas', slow, async ({ shown }) => {
  const page = await shown.open('drones, at sea');
  const map = page.locator('.map__canvas');
  await expect(map).toHaveAttribute('data-drawn-drones', '3');
  const canvas = map.locator('canvas.maplibregl-canvas');
  await canvas.evaluate((lost: HTMLCanvasElement) => {
    lost.dataset['lost'] = '';
    lost.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
  });
  await expect(map).toHaveAttribute('data-map-state', 'context-lost');
  await page.clock.runFor(15_000);
  await expect(map).toHaveAttribute('data-map-state', 'ready');
  await expect(canvas).not.toHaveAttribute('data-lost');
  await expect(map).toHaveAttribute('data-drawn-drones', '3');
});
