import { expect, type Locator, type Page } from '@playwright/test';
import { pmtilesOf, pngOf } from '../../support/mapFiles.ts';

async function openMaps(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Map layers' }).click();
  await page.getByRole('button', { name: 'Imported maps' }).click();
  return page.getByRole('region', { name: 'Maps', exact: true });
}

/** Takes in a map of the world in one colour, as the panel "Maps" does, which stays open. */
export async function importMap(page: Page, name: string, colour: string): Promise<void> {
  const maps = await openMaps(page);
  const tiles = [{ z: 0, x: 0, y: 0, data: pngOf(colour) }];
  await maps.getByLabel('Map files').setInputFiles({
    name: `${name}.pmtiles`,
    mimeType: 'application/octet-stream',
    buffer: pmtilesOf({ tileType: 2, tiles, metadata: { name } }),
  });
  await expect(shownSwitch(page, name)).toBeChecked();
}

/** Removes an imported map from this computer. */
export async function removeMap(page: Page, name: string): Promise<void> {
  const maps = await openMaps(page);
  await maps.getByRole('button', { name: `Remove ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(shownSwitch(page, name)).toHaveCount(0);
}

/** Whether an imported map is shown, in the panel "Maps". */
export const shownSwitch = (page: Page, name: string): Locator =>
  page.getByRole('switch', { name: `Show ${name}` });
