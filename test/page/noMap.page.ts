import { expect, test } from './fixtures.ts';

// Page tests have no WebGL (playwright.config.ts).

test('a computer that can’t draw the map says so, and all else works', async ({ shown }) => {
  const page = await shown.open('incidents');
  const map = page.getByRole('region', { name: 'Map', exact: true });
  await expect(map).toContainText('This computer can’t draw the map.');
  await expect(map).toContainText('The list and the details work without the map.');
  await expect(map.getByRole('group', { name: 'Map controls' }), 'nothing zooms').toHaveCount(0);
  const row = page.getByRole('listbox', { name: 'Incident list' }).getByRole('option').first();
  await row.click();
  await expect(row).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('region', { name: 'Incident details' })).toBeVisible();
});

test('commands that need the map are unavailable without it, and say why', async ({ shown }) => {
  const page = await shown.open('incidents');
  await expect(page.locator('.map__missing')).toBeVisible();
  const dialog = page.getByRole('dialog');
  await page.keyboard.press('Control+k');
  for (const name of ['Go to a place or coordinates', 'Measure a line', 'Measure an area']) {
    await dialog.getByRole('combobox').fill(name);
    const found = dialog.getByRole('option').filter({ hasText: 'there is no map' });
    await expect(found).toContainText(name);
    await expect(found).toBeDisabled();
  }
  await page.keyboard.press('Enter');
  await expect(dialog, 'nothing was done').toBeVisible();
});
