import type { Locator, Page } from '@playwright/test';
import { expect, test, type Shown } from './fixtures.ts';

const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Export incidents' });

async function openExport(shown: Shown): Promise<Locator> {
  const page = await shown.open('incidents');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = dialogOf(page);
  await expect(dialog).toBeVisible();
  return dialog;
}

/** What the dialog says beside one of its terms. */
const factOf = (dialog: Locator, term: string): Locator =>
  dialog.locator('dt', { hasText: new RegExp(`^${term}$`) }).locator('xpath=following-sibling::dd[1]');

test.describe('export', () => {
  test('says what would be written: how many, narrowed by what, how old and how complete', async ({
    shown,
  }) => {
    const dialog = await openExport(shown);
    await expect(factOf(dialog, 'Incidents')).toHaveText('122 incidents, in the order of the list');
    await expect(factOf(dialog, 'Filters')).toHaveText('none, everything known');
    await expect(factOf(dialog, 'Age')).toHaveText(/^Fresh, \d+\ss old$/);
    await expect(factOf(dialog, 'Completeness')).toHaveText('complete as of 14:00 UTC');
    await expect(dialog.getByLabel('Contents', { exact: true })).toContainText('122 incidents');
    await expect(dialog.getByRole('radio', { name: /^CSV/ })).toHaveAccessibleName(
      /Spreadsheet table\. Formulas are disabled\.$/,
    );
    // A policy may change while it is open.
    await shown.push({ policy: { exports: false } });
    await expect(dialog.getByText('The computer policy does not allow exports.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Export', exact: true })).toHaveCount(0);
  });

  test('counts what the search leaves, and names the search', async ({ shown }) => {
    const page = await shown.open('incidents');
    await page.locator('[data-search]').fill('syn-7-0002e');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await expect(factOf(dialogOf(page), 'Incidents')).toHaveText('1 incident, in the order of the list');
    await expect(factOf(dialogOf(page), 'Filters')).toHaveText('search “syn-7-0002e”');
  });

  test('each format has its own choices and no other’s', async ({ shown }) => {
    const dialog = await openExport(shown);
    const mark = dialog.getByRole('switch', { name: 'Mark for spreadsheets' });
    const paper = dialog.getByRole('group', { name: 'Paper' });
    for (const [format, marks, papers] of [
      ['GeoJSON', 0, 0],
      ['CSV', 1, 0],
      ['KML', 0, 0],
      ['GPX', 0, 0],
      ['Web page', 0, 1],
      ['Print', 0, 1],
    ] as const) {
      await dialog.getByRole('radio', { name: new RegExp(`^${format}`) }).check();
      await expect(mark, format).toHaveCount(marks);
      await expect(paper, format).toHaveCount(papers);
    }
  });

  test('asks the console for the format that was chosen, on the paper that was', async ({ shown }) => {
    const dialog = await openExport(shown);
    await shown.push({ app: { host: 'desktop' } });
    await dialog.getByRole('radio', { name: /^PDF sheet/ }).check();
    await dialog.getByRole('button', { name: 'Letter' }).click();
    await expect(dialog.getByRole('button', { name: 'Letter' })).toHaveAttribute('aria-pressed', 'true');
    await expect(dialog.getByRole('button', { name: 'A4' })).toHaveAttribute('aria-pressed', 'false');
    await shown.hold('beginExport');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await expect(dialog.getByRole('button', { name: 'Preparing' })).toBeDisabled();
    // The paper is written first.
    await expect
      .poll(() => shown.calls('beginExport'))
      .toMatchObject([{ format: 'pdf', incidents: 122, filters: 'none, everything known' }]);
  });

  test('a table carries the mark for spreadsheets unless it is switched off', async ({ shown }) => {
    const dialog = await openExport(shown);
    await dialog.getByRole('radio', { name: /^CSV/ }).check();
    const mark = dialog.getByRole('switch', { name: 'Mark for spreadsheets' });
    await expect(mark).toBeChecked();
    await mark.click();
    await expect(mark).not.toBeChecked();
    await shown.hold('beginExport');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    expect(await shown.calls('beginExport')).toMatchObject([{ format: 'csv', byteOrderMark: false }]);
  });

  test('“Close” closes it and begins nothing', async ({ shown }) => {
    const dialog = await openExport(shown);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    expect(await shown.calls('beginExport')).toEqual([]);
  });
});
