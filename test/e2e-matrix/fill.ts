import { randomBytes } from 'node:crypto';
import { pngOf, pmtilesOf } from '../support/mapFiles.ts';
import { chooseFiles } from '../e2e/support/files.ts';
import { expect } from '../e2e/support/fixtures.ts';
import type { Operator } from '../e2e/support/operator.ts';

/**
 * Gives every panel something to show: a station, a note and a pin, a file that was sent, a map package. In
 * English, before another language is looked at.
 */
export async function fill(operator: Operator): Promise<void> {
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

  await rail.getByRole('button', { name: /^Maps/ }).click();
  const tiles = [{ z: 0, x: 0, y: 0, data: pngOf('#335577') }];
  await chooseFiles(region('Maps').getByRole('button', { name: 'Import' }), [
    { name: 'harbour.pmtiles', buffer: pmtilesOf({ tileType: 2, tiles, metadata: { name: 'Harbour' } }) },
  ]);
  await page.getByRole('switch', { name: 'Show Harbour' }).click();
  await operator.openPanel('Incidents');
}
