import { themeNames, type MapPackage } from '../../src-preload/contract/index.ts';
import { themes } from '../../src-renderer/design/tokens.ts';
import { mercatorY } from '../../src-renderer/map/clusters/points.ts';
import { PointTileWriter, tileExtent } from '../../src-renderer/map/clusters/tile.ts';
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

/** In the open desert, where the basemap has no name. */
const desert = { longitude: 10.5, latitude: 23.5 };

/** A package of names only, without land and water: it adds to the basemap. */
const names: MapPackage = {
  ...{ id: '0'.repeat(16), name: 'Names', attribution: '', bytes: 1, visible: true },
  ...{ format: 'pmtiles', kind: 'vector', tileType: 'mvt', tileSize: 512, minZoom: 0, maxZoom: 14 },
  bounds: [10, 23, 11, 24],
  scheme: 'protomaps',
  layers: [{ id: 'places', minZoom: 0, maxZoom: 14 }],
};

/** A place in the desert as a tile has it. */
function placeOn(
  zoom: number,
  x: number,
  y: number,
  place: readonly [kind: string, population: number],
): Buffer {
  const writer = new PointTileWriter(['name', 'kind', 'kind_detail', 'population']);
  const right = ((desert.longitude / 360 + 0.5) * 2 ** zoom - x) * tileExtent;
  const down = (mercatorY(desert.latitude) * 2 ** zoom - y) * tileExtent;
  writer.add(Math.floor(right), Math.floor(down), ['MMMMMMMMMM', 'locality', ...place]);
  return Buffer.from(writer.finish('places'));
}

test(
  'a package that adds to the basemap names the places that the basemap does not name, and no others',
  slow,
  async ({ shown, browser }) => {
    const page = await shown.open('incidents');
    await page.setViewportSize({ width: 1440, height: 900 });
    await shown.push({ preferences: { theme: 'day' } });
    const map = page.locator('.map__canvas');
    await expect(map).toHaveAttribute('data-map-details', 'drawn');
    const goTo = page.getByRole('combobox', { name: 'Go to a place' });
    await goTo.fill(`${desert.latitude}, ${desert.longitude}`);
    await goTo.press('Enter');
    await expect(map).toHaveAttribute('data-camera', /^10\.500 23\.500 /);
    const { x, y, width, height } = (await map.boundingBox())!;
    const clip = { x: x + width / 2 - 150, y: y + height / 2 - 150, width: 300, height: 300 };
    const ink = async (): Promise<number> =>
      (
        await colourShares(
          browser,
          { screenshot: () => page.screenshot({ clip }) },
          [themes.day.mapLabel],
          40,
        )
      )[themes.day.mapLabel] ?? 0;
    const places = {
      a: ['village', 300],
      b: ['city', 300_000],
      c: ['village', 9_000],
      d: ['hamlet', 0],
      e: ['town', 0],
    } as const;
    await page.route(/\/tiles\//, (route) => {
      const [id = '', zoom, column, row] = new URL(route.request().url()).pathname.split('/').slice(-4);
      const place = places[id.charAt(0) as keyof typeof places];
      return route.fulfill({ body: placeOn(Number(zoom), Number(column), Number(row), place) });
    });
    const bare = await ink();
    for (const letter of ['a', 'b', 'd', 'c', 'e'] as const) {
      const id = letter.repeat(16);
      await shown.push({ maps: { packages: [{ ...names, id }] } });
      await expect(map).toHaveAttribute('data-map-packages', id);
      const isAlone = letter === 'a' || letter === 'd';
      if (isAlone) await expect.poll(ink, { message: letter }).toBeGreaterThan(bare + 0.002);
      else await expect.poll(ink, { message: letter }).toBeLessThan(bare + 0.001);
    }
    await page.unroute(/\/tiles\//);
  },
);
