import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { mapFixture, pmtilesOf, pngOf, squareTile, writeMbtiles } from '../support/mapFiles.ts';
import { themes } from '../../src-renderer/design/tokens.ts';
import { expect, test } from './support/fixtures.ts';
import type { Operator } from './support/operator.ts';
import { colourShares } from './support/pixels.ts';
import { violations } from './support/violations.ts';

/** Colours that nothing else on the map comes near. */
const magenta = '#d016c8';
const teal = '#0f9d77';

const worldOf = (colour: string) =>
  [0, 1, 2].flatMap((z) =>
    Array.from({ length: 4 ** z }, (_, at) => ({
      z,
      x: at % 2 ** z,
      y: Math.floor(at / 2 ** z),
      data: pngOf(colour),
    })),
  );

const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'Maps', exact: true });
const rowOf = (page: Page, name: string): Locator =>
  panelOf(page)
    .getByRole('list', { name: /topmost first/ })
    .getByRole('listitem', { name });

async function openMaps(operator: Operator): Promise<Locator> {
  await operator.openPanel('Maps');
  return panelOf(operator.page);
}

async function choose(page: Page, files: { name: string; buffer: Buffer }[]): Promise<void> {
  await panelOf(page)
    .getByLabel('Map files')
    .setInputFiles(files.map((file) => ({ ...file, mimeType: 'application/octet-stream' })));
}

async function mbtiles(folder: string, name: string, colour: string, more: Record<string, string> = {}) {
  const path = join(folder, `${name}.mbtiles`);
  writeMbtiles(path, {
    metadata: { name, format: 'png', bounds: '-180,-85.0511,180,85.0511', ...more },
    tiles: worldOf(colour),
  });
  return { name: `${name}.mbtiles`, buffer: await readFile(path) };
}

const pmtiles = (name: string, colour: string) => ({
  name: `${name}.pmtiles`,
  buffer: pmtilesOf({ tileType: 2, tiles: worldOf(colour), metadata: { name } }),
});

test.describe('offline maps', { tag: '@map' }, () => {
  const share = async (operator: Operator, colour: string): Promise<number> => {
    const browser = operator.page.context().browser();
    if (!browser) throw new Error('No browser');
    return (await colourShares(browser, operator.map, [colour]))[colour] ?? 0;
  };

  test(
    'a PMTiles and an MBTiles package are drawn, reordered, hidden and removed',
    { tag: '@packed' },
    async ({ operator, folder }) => {
      const { page } = operator;
      await operator.expectIncidents(1712);
      const water = themes.day.mapWater;
      await expect.poll(() => share(operator, water)).toBeGreaterThan(0.2);
      await openMaps(operator);
      await choose(page, [pmtiles('Magenta', magenta), await mbtiles(folder, 'Teal', teal)]);
      await expect(rowOf(page, 'Magenta')).toContainText(/Raster, PNG 256 px · Zoom 0–2/);
      await expect(rowOf(page, 'Teal')).toBeVisible();

      // The last one in lies on top, and both lie under the incidents.
      await expect.poll(() => share(operator, teal)).toBeGreaterThan(0.5);
      expect(await share(operator, magenta)).toBe(0);
      await expect.poll(() => share(operator, themes.day.severityMedium)).toBeGreaterThan(0.0002);

      await page.getByRole('button', { name: 'Move Magenta up' }).click();
      await expect.poll(() => share(operator, magenta)).toBeGreaterThan(0.5);
      expect(await share(operator, teal)).toBe(0);

      await page.getByRole('switch', { name: 'Show Magenta' }).click();
      await expect(page.getByRole('switch', { name: 'Show Magenta' })).not.toBeChecked();
      await expect.poll(() => share(operator, teal)).toBeGreaterThan(0.5);

      for (const name of ['Magenta', 'Teal']) {
        await page.getByRole('button', { name: `Remove ${name}` }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
        await expect(rowOf(page, name)).toHaveCount(0);
      }
      await expect.poll(() => share(operator, water)).toBeGreaterThan(0.2);
      expect(await share(operator, teal)).toBe(0);
      expect(await readdir(join(folder, 'data', 'maps'))).toEqual([]);
    },
  );

  test('a dropped package is imported, and shown where it lies', async ({ operator, folder }) => {
    const { page } = operator;
    await operator.expectIncidents(1712);
    const bytes = mapFixture('usgs-mt-whitney-8-15-webp-512.pmtiles').toString('base64');
    const transfer = await page.evaluateHandle((base64) => {
      const data = new DataTransfer();
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      data.items.add(new File([content], 'whitney.pmtiles'));
      return data;
    }, bytes);
    await operator.map.dispatchEvent('dragover', { dataTransfer: transfer });
    await expect(page.getByText('Drop PMTiles or MBTiles files')).toBeVisible();
    await operator.map.dispatchEvent('drop', { dataTransfer: transfer });
    const row = rowOf(page, 'whitney');
    await expect(row).toContainText('Raster, WebP 512 px · Zoom 8–15 · 2.0 MB');
    await expect(row).toContainText('36.5611° N – 36.5930° N, 118.3198° W – 118.2607° W');
    await expect(row).toContainText('Created by QGIS algorithm');

    await page.getByRole('button', { name: 'Show extent of whitney' }).click();
    await expect(operator.map.getByText('Created by QGIS algorithm')).toBeVisible();
    // There is nothing but land on the basemap; the map of the mountain covers most of it with lines.
    await expect.poll(() => share(operator, themes.day.mapLand)).toBeLessThan(0.6);
    await page.getByRole('switch', { name: 'Show whitney' }).click();
    await expect.poll(() => share(operator, themes.day.mapLand)).toBeGreaterThan(0.85);
    const kept = await readdir(join(folder, 'data', 'maps'));
    expect(kept).toHaveLength(1);
  });

  test('vector packages are drawn in the colours of both themes', async ({ operator }) => {
    const { page } = operator;
    // MapLibre writes what is wrong with a style on the page's console and draws on without it.
    const said: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load'))
        said.push(message.text());
    });
    await operator.expectIncidents(1712);
    await openMaps(operator);
    const vector = (name: string, layers: string[], properties: Record<string, string>) => {
      const data = squareTile(layers, properties);
      const tiles = worldOf(magenta).map((place) => ({ ...place, data }));
      return { name: `${name}.pmtiles`, buffer: pmtilesOf({ tileType: 1, tiles, metadata: { name } }) };
    };
    const greens = async (): Promise<void> => {
      for (const name of ['day', 'night'] as const) {
        const toggle = page.getByRole('button', { name: `Switch to ${name}` });
        if (await toggle.isVisible()) await toggle.click();
        await expect.poll(() => share(operator, themes[name].mapGreen)).toBeGreaterThan(0.3);
      }
    };
    await choose(page, [vector('Parks', ['earth', 'landuse', 'roads'], { kind: 'park' })]);
    await expect(rowOf(page, 'Parks')).toContainText('Vector, Protomaps layers');
    await greens();
    expect(await violations(page), 'listed, at night').toEqual([]);
    await page.getByRole('switch', { name: 'Show Parks' }).click();
    await choose(page, [vector('Woods', ['landcover', 'place', 'transportation'], { class: 'wood' })]);
    await expect(rowOf(page, 'Woods')).toContainText('Vector, OpenMapTiles layers');
    await greens();
    await page.getByRole('switch', { name: 'Show Woods' }).click();
    await choose(page, [{ name: 'cities.mbtiles', buffer: mapFixture('world_cities.mbtiles') }]);
    await expect(rowOf(page, 'Major cities')).toContainText('Vector, other layers');
    // Its one full tile is that of zoom 0; the map shows it where the deeper ones are left out.
    await expect.poll(() => share(operator, themes.night.mapPlainA)).toBeGreaterThan(0.000_05);
    expect(said).toEqual([]);
  });

  test('what cannot be used is refused with its reason, and nothing of it stays', async ({
    operator,
    folder,
  }) => {
    const { page } = operator;
    const panel = await openMaps(operator);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      panel.getByRole('button', { name: 'Import' }).press('Enter'),
    ]);
    expect(chooser.isMultiple()).toBe(true);
    const whole = pmtiles('Cut', magenta).buffer;
    await choose(page, [
      { name: 'cut.pmtiles', buffer: whole.subarray(0, whole.byteLength / 2) },
      { name: 'portal.pmtiles', buffer: Buffer.from('<!doctype html><title>Sign in</title>') },
      { name: 'new.pmtiles', buffer: mapFixture('invalid_v4.pmtiles') },
      { name: 'empty.mbtiles', buffer: Buffer.alloc(0) },
    ]);
    for (const [file, reason] of [
      ['cut.pmtiles', 'cut short'],
      ['portal.pmtiles', 'web page'],
      ['new.pmtiles', 'version 4'],
      ['empty.mbtiles', 'empty'],
    ]) {
      const line = panel.getByRole('listitem', { name: file });
      await expect(line).toContainText(`${file} was refused`);
      await expect(line).toContainText(reason ?? '');
      if (file === 'cut.pmtiles') expect(await violations(page), 'refused').toEqual([]);
      await line.getByRole('button', { name: 'Dismiss' }).click();
      await expect(line).toHaveCount(0);
    }
    await expect(panel.getByText('No imported maps yet')).toBeVisible();
    expect(await violations(page), 'empty').toEqual([]);
    expect(await readdir(join(folder, 'data', 'maps'))).toEqual([]);
  });

  test('markup in metadata is text', async ({ operator, folder }) => {
    const { page } = operator;
    await openMaps(operator);
    const hostile = await mbtiles(folder, 'hostile', teal, {
      name: '<img src=x onerror="document.title=1"><b>Bold</b>',
      attribution: '<script>document.title=2</script><a href="https://example.org">© Somebody &amp; Co</a>',
    });
    await choose(page, [hostile]);
    await expect(panelOf(page).getByRole('heading', { name: '<b>Bold</b>' })).toBeVisible();
    await expect(panelOf(page).getByText('© Somebody & Co')).toBeVisible();
    await expect(operator.map.getByText('© Somebody & Co')).toBeVisible();
    await expect(page.locator('a[href*="example.org"], img[src="x"], .maps b')).toHaveCount(0);
    await expect(page).toHaveTitle(/Field Console/);
  });

  test('packages outlive the console, and one whose file is gone is said', async ({
    open,
    service,
    folder,
  }) => {
    const first = await open();
    await first.operator.signIn(service.credentials);
    await openMaps(first.operator);
    await choose(first.page, [pmtiles('Magenta', magenta), pmtiles('Teal', teal)]);
    await expect(rowOf(first.page, 'Teal')).toBeVisible();
    // A sign-in brings back the panel that was left.
    await first.operator.openPanel('Incidents');
    await expect(first.operator.incidents).toBeVisible();
    await first.stop();
    const names = await readdir(join(folder, 'data', 'maps'));
    expect(names).toHaveLength(2);
    await writeFile(join(folder, 'data', 'maps', '0123456789abcdef.part'), 'half of a dead import');

    const second = await open();
    await second.operator.signIn(service.credentials);
    await expect.poll(() => share(second.operator, teal)).toBeGreaterThan(0.5);
    await openMaps(second.operator);
    await expect(rowOf(second.page, 'Magenta')).toBeVisible();
    expect((await readdir(join(folder, 'data', 'maps'))).sort()).toEqual(names.sort());
    await second.operator.openPanel('Incidents');
    await expect(second.operator.incidents).toBeVisible();
    await second.stop();

    for (const name of names) await writeFile(join(folder, 'data', 'maps', name), '');
    const third = await open();
    await third.operator.signIn(service.credentials);
    await openMaps(third.operator);
    await expect(panelOf(third.page).getByText(/The file of Teal is missing/)).toBeVisible();
    await third.page.getByRole('button', { name: 'Forget Teal' }).click();
    await expect(panelOf(third.page).getByText(/The file of Teal is missing/)).toHaveCount(0);
  });
});
