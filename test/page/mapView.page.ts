import type { Locator } from '@playwright/test';
import { mercatorY } from '../../src-renderer/map/clusters/points.ts';
import { markReach } from '../../src-renderer/map/markSizes.ts';
import { turnPixelsAtZero } from '../../src-renderer/map/oneWorld.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { expect, slow, test } from './fixtures.ts';
import { recorded } from './states.ts';
import { criticalPlaces } from './states/panels.ts';

const { executablePath, args } = await chromiumLaunch();
// Most other page tests have no WebGL: what is tried here is where the map looks.
test.use({ launchOptions: { executablePath, args } });

// A frame of a map that is drawn in software takes seconds on a busy machine.

test(
  'what was handed over comes into the view of the map, all of it and nothing wider',
  slow,
  async ({ shown }) => {
    const page = await shown.open('taking over');
    const map = page.locator('.map__canvas');
    await expect(map).toHaveAttribute('data-drawn-incidents', /^[1-9]/);
    await page.getByRole('dialog').getByRole('button', { name: 'Show where they are' }).click();
    const pinned = recorded.workspace.slices.watch!.pins.map(
      (pin) => Object.values(recorded.details).find(({ id }) => id === pin)!.location!,
    );
    const middle = (of: 'longitude' | 'latitude'): number => {
      const all = pinned.map((one) => one[of]);
      return (Math.min(...all) + Math.max(...all)) / 2;
    };
    await expect
      .poll(async () => {
        const [longitude = NaN, latitude = NaN, zoom = NaN] = ((await map.getAttribute('data-camera')) ?? '')
          .split(' ')
          .map(Number);
        return (
          Math.abs(longitude - middle('longitude')) < 2 &&
          Math.abs(latitude - middle('latitude')) < 2 &&
          zoom > 4
        );
      })
      .toBe(true);
  },
);

test('the mark of several says what is in it while the pointer rests on it', slow, async ({ shown }) => {
  const page = await shown.open('incidents, one place');
  const map = page.locator('.map__canvas');
  await expect(map).toHaveAttribute('data-drawn-incidents', /^[1-9]/);
  // All of a place are one mark; it is brought to the middle.
  const goTo = page.getByRole('combobox', { name: 'Go to a place' });
  await goTo.fill('48.2, 16.37');
  await goTo.press('Enter');
  await expect(map).toHaveAttribute('data-camera', /^16\.370 48\.200 /);
  await expect(map.locator('canvas'), 'no letter is typed into the box').toBeFocused();
  const { x, y, width, height } = (await map.boundingBox())!;
  const tip = map.locator('.map__tip');
  let step = 0;
  // Until the frame with the mark is drawn nothing lies under the pointer.
  const said = async (): Promise<string> => {
    step += 1;
    await page.mouse.move(x + width / 2 + (step % 2), y + height / 2);
    return (await tip.allTextContents()).join('');
  };
  await expect.poll(said).toMatch(/^(?:Active: .+|None active)\. In all: \d+\.$/);
  await page.mouse.move(x + width / 2 + 80, y + height / 2 + 80);
  await expect(tip).toHaveCount(0);
});

/** Around a cluster of two figures at each open critical of "incidents, critical region": what else lies there. */
async function covered(map: Locator): Promise<readonly string[]> {
  const [longitude = NaN, latitude = NaN, zoom = NaN] = ((await map.getAttribute('data-camera')) ?? '')
    .split(' ')
    .map(Number);
  const turn = turnPixelsAtZero * 2 ** zoom;
  const reach = markReach(10, false);
  const offsets = criticalPlaces.flatMap(([east, north]) =>
    Array.from({ length: 8 }, (_, part) => ({
      right: ((east - longitude) / 360) * turn + reach * Math.cos((part * Math.PI) / 4),
      down: (mercatorY(north) - mercatorY(latitude)) * turn + reach * Math.sin((part * Math.PI) / 4),
    })),
  );
  return map.evaluate((element, places) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return places.flatMap(({ right, down }) => {
      const over = document.elementFromPoint(left + width / 2 + right, top + height / 2 + down);
      return over instanceof HTMLCanvasElement ? [] : [String(over?.className)];
    });
  }, offsets);
}

test('no mark of an open critical is under a control in the first view', slow, async ({ shown }) => {
  const page = await shown.open('incidents, critical region');
  const map = page.locator('.map__canvas');
  await expect(map).toHaveAttribute('data-drawn-incidents', /^[1-9]/);
  await expect(map).toHaveAttribute('data-camera', /./);
  await expect.poll(() => covered(map)).toEqual([]);
});

test('no mark of one is under a control once text and controls grew, either', slow, async ({ shown }) => {
  const page = await shown.open('incidents, critical region');
  // The map keeps its size when text grows: its bars are as high as fingers need already. Its tools move.
  await page.setViewportSize({ width: 960, height: 768 });
  await shown.push({ preferences: { touch: 'on' } });
  const map = page.locator('.map__canvas');
  await expect(map).toHaveAttribute('data-drawn-incidents', /^[1-9]/);
  await expect(map).toHaveAttribute('data-camera', /./);
  await expect.poll(() => covered(map), { message: 'usual text' }).toEqual([]);
  await shown.push({ preferences: { textSize: 'largest' } });
  await expect.poll(() => page.evaluate(() => document.documentElement.style.fontSize)).toMatch(/^13\d/);
  await expect.poll(() => covered(map), { message: 'the largest text' }).toEqual([]);
});
