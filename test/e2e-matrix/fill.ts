import { randomBytes } from 'node:crypto';
import { pngOf, pmtilesOf } from '../support/mapFiles.ts';
import { chooseFiles } from '../e2e/support/files.ts';
import { expect } from '../e2e/support/fixtures.ts';
import type { Operator } from '../e2e/support/operator.ts';

/**
 * Gives every panel something to show: a station, a note and a pin, a file that was sent, a mission that was
 * approved, a map package, a saved view and one of its maps gone. In English, before another language is
 * looked at. `decided` is the id of the mission to approve; the others wait for their decision.
 */
export async function fill(operator: Operator, decided: string): Promise<void> {
  const { page, incidents } = operator;
  const rail = page.getByRole('navigation', { name: 'Panels' });
  const region = (name: string) => page.getByRole('region', { name, exact: true });

  await incidents.getByRole('option').first().click();
  const notes = region('Notes');
  await notes.getByRole('button', { name: 'Pin', exact: true }).click();
  await notes.getByRole('textbox', { name: 'New note' }).fill('The bridge is closed since noon.');
  await notes.getByRole('button', { name: 'Save note' }).click();
  await expect(notes.getByRole('listitem')).toContainText('The bridge is closed');
  await page.keyboard.press('Escape');

  await rail.getByRole('button', { name: /^Settings/ }).click();
  const settings = region('Settings');
  await settings.getByRole('textbox', { name: 'Station’s position' }).fill('33.8568 S, 150.215 E');
  await settings.getByRole('button', { name: 'Set', exact: true }).click();
  await expect(settings.getByText('33.85680° S, 150.21500° E')).toBeVisible();

  await operator.openPanel('Outbox');
  await chooseFiles(region('Outbox').getByRole('button', { name: 'Add files' }), [
    { name: 'levee.jpg', buffer: randomBytes(40_000) },
  ]);
  const sent = region('Outbox').getByRole('row').filter({ hasText: 'levee.jpg' });
  await expect(sent).toContainText('sent', { timeout: 60_000 });

  await operator.openPanel('Missions');
  await region('Missions').getByRole('option').filter({ hasText: decided }).click();
  await region('Missions').getByRole('button', { name: 'Approve', exact: true }).click();
  const decision = page.getByRole('dialog');
  await decision.getByRole('textbox').fill(await decision.locator('label code').innerText());
  await decision.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(
    region('Missions')
      .getByText(/^Approved/)
      .first(),
  ).toBeVisible();

  await rail.getByRole('button', { name: /^Maps/ }).click();
  for (const [name, colour] of [
    ['Harbour', '#335577'],
    ['Pier', '#775533'],
  ] as const) {
    const tiles = [{ z: 0, x: 0, y: 0, data: pngOf(colour) }];
    await chooseFiles(region('Maps').getByRole('button', { name: 'Import' }), [
      { name: `${name}.pmtiles`, buffer: pmtilesOf({ tileType: 2, tiles, metadata: { name } }) },
    ]);
    await expect(page.getByRole('switch', { name: `Show ${name}` })).toBeVisible();
  }
  await page.getByRole('switch', { name: 'Show Harbour' }).click();
  await operator.openPanel('Incidents');
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name of the view' }).fill('Harbour and pier');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Saved views' })).toContainText('Harbour and pier');
  await page.keyboard.press('Escape');
  await rail.getByRole('button', { name: /^Maps/ }).click();
  await page.getByRole('button', { name: /Remove Pier/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Remove/ })
    .click();
  await expect(page.getByRole('switch', { name: 'Show Pier' })).toHaveCount(0);
  await operator.openPanel('Incidents');
}
