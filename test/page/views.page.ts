import type { Locator, Page } from '@playwright/test';
import { expect, test, type Shown } from './fixtures.ts';
import { recorded, recordedNow } from './states.ts';

const view = {
  id: 'd938e46abf224b52b15e817856b5b2fb',
  name: 'Harbour and pier',
  camera: null,
  range: 'all',
  severities: [],
  statuses: ['open'],
  search: 'pier',
  columns: null,
  groupBy: 'type',
  overlays: { graticule: true, mgrsGrid: false },
  packages: null,
} as const;

/** The menu of views, with the view above and another one below it. */
async function openViews(shown: Shown): Promise<{ page: Page; saved: Locator }> {
  const page = await shown.open('incidents');
  const other = { ...view, id: 'e'.repeat(32), name: 'Night', search: '', statuses: [] };
  await shown.push({ workspace: { views: [view, other] as never } });
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  return { page, saved: page.getByRole('list', { name: 'Saved views' }) };
}

test.describe('saved views', () => {
  test('each says all that it holds, and what else can be done with it stays folded', async ({ shown }) => {
    const { page, saved } = await openViews(shown);
    await expect(saved.getByRole('listitem').first()).toContainText(
      'status open, search “pier”, all on the map, grouped by type and graticule',
    );
    // A narrow menu cuts it off.
    await expect(
      saved.getByTitle('status open, search “pier”, all on the map, grouped by type and graticule'),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Remove Harbour and pier' })).toHaveCount(0);
    const more = page.getByRole('button', { name: 'More for Harbour and pier' });
    await expect(more).toHaveAttribute('aria-expanded', 'false');
    await more.click();
    await expect(more).toHaveAttribute('aria-expanded', 'true');
    for (const [name, text] of [
      ['Update Harbour and pier to what is shown now', 'Update'],
      ['Rename Harbour and pier', 'Rename'],
      ['Save Harbour and pier as a file', ''],
    ] as const)
      await expect(page.getByRole('button', { name }), name).toHaveText(text);
    await expect(page.getByRole('button', { name: 'Update Harbour and pier' })).toHaveAttribute(
      'title',
      'Saves what is shown now under this name',
    );
  });

  test('pressed, a view brings its filters and its search back, and the menu closes', async ({ shown }) => {
    const { page, saved } = await openViews(shown);
    await saved.getByRole('button', { name: 'Harbour and pier' }).first().click();
    await expect(saved).toBeHidden();
    await expect(page.locator('[data-search]')).toHaveValue('pier');
    await expect(page.getByRole('button', { name: /^Sort by: .*, by type$/ })).toBeVisible();
    expect(await shown.calls('setIncidentQuery')).toMatchObject([{ range: 'all', statuses: ['open'] }]);
  });

  test('the one that was named is removed, and the first cannot go up', async ({ shown }) => {
    const { page } = await openViews(shown);
    await page.getByRole('button', { name: 'More for Harbour and pier' }).click();
    const up = page.getByRole('button', { name: 'Move Harbour and pier up' });
    await expect(up).toHaveAttribute('aria-disabled', 'true');
    // A forced press waits for nothing, and a screen reader presses what is disabled too.
    await up.dispatchEvent('click');
    expect(await shown.calls('moveView')).toEqual([]);
    await page.getByRole('button', { name: 'Move Harbour and pier down' }).click();
    expect(await shown.calls('moveView')).toEqual([{ id: view.id, to: 1 }]);
    await page.getByRole('button', { name: 'Remove Harbour and pier' }).click();
    expect(await shown.calls('removeView')).toEqual([{ id: view.id }]);
  });

  test('the last one goes up, is updated under its name, and is saved as a file where the policy allows it', async ({
    shown,
  }) => {
    const { page } = await openViews(shown);
    await page.getByRole('button', { name: 'More for Night' }).click();
    await page.getByRole('button', { name: 'Move Night up' }).click();
    expect(await shown.calls('moveView')).toEqual([{ id: 'e'.repeat(32), to: 0 }]);
    await page.getByRole('button', { name: 'Update Night to what is shown now' }).click();
    expect(await shown.calls('saveView')).toMatchObject([{ name: 'Night' }]);
    await shown.push({ policy: { exports: false } });
    const share = page.getByRole('button', { name: 'Save Night as a file' });
    await expect(share).toHaveAttribute('aria-disabled', 'true');
    await expect(share).toHaveAttribute('title', 'The computer policy does not allow exports.');
    await share.dispatchEvent('click');
    expect(await shown.calls('exportViews')).toEqual([]);
  });

  test('Escape gives up a new name, and leaves the menu open', async ({ shown }) => {
    const { page, saved } = await openViews(shown);
    await page.getByRole('button', { name: 'More for Harbour and pier' }).click();
    await page.getByRole('button', { name: 'Rename Harbour and pier' }).click();
    const field = page.getByRole('textbox', { name: 'New name of Harbour and pier' });
    await field.fill('Pier');
    await field.press('Escape');
    await expect(field).toHaveCount(0);
    await expect(saved).toBeVisible();
    expect(await shown.calls('renameView')).toEqual([]);
  });
});

test.describe('the room of the list', () => {
  const widths: readonly (readonly [window: number, shown: number])[] = [
    [1920, 1374],
    [1440, 1144],
    [1024, 728],
  ];
  for (const [window, shownWidth] of widths)
    test(`a table of all columns takes ${String(shownWidth)} px of ${String(window)}`, async ({ shown }) => {
      await shown.page.setViewportSize({ width: window, height: 800 });
      const page = await shown.open('table over the map');
      const grid = page.getByRole('grid', { name: 'Incident table' });
      await expect.poll(async () => Math.round((await grid.boundingBox())?.width ?? 0)).toBe(shownWidth);
    });

  for (const [window] of widths)
    test(`what stands on the map is beside the table, not below it, in a window of ${String(window)} px`, async ({
      shown,
    }) => {
      await shown.page.setViewportSize({ width: window, height: 800 });
      const page = await shown.open('table over the map');
      const map = page.getByRole('region', { name: 'Map', exact: true });
      const legend = map.getByRole('list', { name: 'Legend' });
      const panel = (await page.getByRole('region', { name: 'Incidents' }).boundingBox())!;
      expect((await legend.boundingBox())!.x).toBeGreaterThan(panel.x + panel.width);
      await legend.click({ trial: true });
      // Neither runs out of its box, nor below the table.
      expect(await legend.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      const missing = (await map.getByText('Can’t draw the map.').boundingBox())!;
      expect(missing.x).toBeGreaterThan(panel.x + panel.width);
      await map.getByRole('button', { name: /not on the map/ }).click({ trial: true });
      await map.getByRole('combobox', { name: 'Go to a place' }).click({ trial: true });
    });

  test('a column of times that is narrow says the time whole, and not how long ago', async ({ shown }) => {
    const page = await shown.open('table');
    const times = page.locator('.grid__cell--created');
    await expect(times.first().getByText('14:00 UTC')).toBeVisible();
    const isWhole = (time: Element): boolean => time.scrollWidth <= time.clientWidth;
    expect(await times.first().getByTitle('14:00 UTC').evaluate(isWhole)).toBe(true);
    await expect(times.first().locator('.grid__more')).toBeHidden();
    await shown.open('table over the map');
    await expect(times.first().locator('.grid__more')).toBeVisible();
  });

  test('a severity is whole also in a row that changed', async ({ shown }) => {
    const page = await shown.open('table');
    const changedIds = Object.values(recorded.details).map(({ id }) => id);
    const change = { field: 'severity', from: 'low', to: 'high', at: recordedNow } as const;
    await shown.push({
      changes: { changed: changedIds.map((id) => ({ id, change })), fresh: [], last: changedIds.length },
    });
    const changed = page.locator('.grid__cell--severity').filter({ has: page.locator('.grid__news') });
    await expect(changed.first()).toBeVisible();
    const cut = await changed
      .locator('.truncate > bdi')
      .evaluateAll((words) =>
        words.flatMap((word) => (word.scrollWidth > word.clientWidth ? [word.textContent] : [])),
      );
    expect(cut).toEqual([]);
  });

  test('a wide list names the severities, a narrow one shows their marks', async ({ shown }) => {
    const chip = shown.page.getByRole('button', { name: /^Critical \d+$/ });
    await shown.open('incidents');
    expect((await chip.boundingBox())!.width).toBeLessThan(70);
    await shown.page.setViewportSize({ width: 2560, height: 1440 });
    await shown.open('second window, list');
    expect((await chip.boundingBox())!.width).toBeGreaterThan(80);
  });

  test('rows of a wide window say the coordinates, the time and the id too', async ({ shown }) => {
    const first = shown.page.locator('[role="option"]').first();
    await shown.open('incidents');
    await expect(first).not.toContainText('syn-7-');
    await shown.page.setViewportSize({ width: 2560, height: 1440 });
    await expect(first).toContainText('syn-7-0002e');
    await expect(first).toContainText(/\d\d:\d\d UTC/);
    await expect(first).toContainText(/\d+\.\d+/);
  });
});
