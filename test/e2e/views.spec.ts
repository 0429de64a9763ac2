import { readFile } from 'node:fs/promises';
import { expect, test } from './support/fixtures.ts';
import { chooseFiles, dropFiles } from './support/files.ts';
import { importMap, removeMap, shownSwitch } from './support/importedMaps.ts';
import { Operator } from './support/operator.ts';
import { violations } from './support/violations.ts';

test.describe('views', () => {
  test('a view with columns and a search comes back, and is shared as a file', async ({
    opened,
    service,
  }) => {
    const { page, operator } = opened;
    await operator.signIn(service.credentials);
    await operator.expectIncidents(1712);
    const table = page.getByRole('grid', { name: 'Incident table' });
    const heading = (name: string) => table.getByRole('columnheader', { name, exact: true });
    const press = async (name: string): Promise<void> =>
      page.getByRole('button', { name, exact: true }).click();
    const search = operator.incidents.getByRole('combobox', { name: 'Search incidents' });

    // A table of the operator's own: sorted, sized and put in order without a mouse.
    await press('Columns');
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Evidence' }).click();
    await page.getByRole('button', { name: 'Move Evidence up' }).press('Enter');
    expect(await violations(page), 'the columns menu').toEqual([]);
    await page.keyboard.press('Escape');
    await expect(table.getByRole('columnheader')).toHaveText([
      'Severity',
      'Type',
      'Status',
      'Time',
      'Evidence',
      'Place',
    ]);
    await heading('Severity').focus();
    await page.keyboard.press('Enter');
    await expect(heading('Severity')).toHaveAttribute('aria-sort', 'descending');
    await expect(table.getByRole('row').nth(1)).toContainText('Critical');
    const width = async (): Promise<number> => (await heading('Type').boundingBox())?.width ?? 0;
    const before = await width();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    const edge = table.getByRole('separator', { name: 'Width of the column Type' });
    await expect(edge).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect.poll(width).toBe(before + 16);
    await expect(edge).toHaveAttribute('aria-valuenow', String(before + 16));
    expect(await violations(page), 'the table').toEqual([]);

    const all = await table.getAttribute('aria-rowcount');
    await search.fill('medium');
    await expect(table).not.toHaveAttribute('aria-rowcount', all ?? '');
    const found = await table.getAttribute('aria-rowcount');
    await operator.filter('Status', 'open');
    await expect(table).not.toHaveAttribute('aria-rowcount', found ?? '');
    const narrowed = await table.getAttribute('aria-rowcount');

    await press('Views');
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Open and medium');
    await page.keyboard.press('Enter');
    const saved = page.getByRole('list', { name: 'Saved views' });
    await expect(saved).toContainText('status open, search “medium”, all on the map and 6 columns');
    await press('Reset layout');
    await operator.clearFilters();
    await search.fill('');
    await expect(table).toHaveCount(0);
    await operator.expectIncidents(1712);

    await press('Views');
    await saved.getByRole('button', { name: 'Open and medium' }).first().click();
    await expect(table).toHaveAttribute('aria-rowcount', narrowed ?? '');
    await expect(search).toHaveValue('medium');
    await expect.poll(width).toBe(before + 16);

    // Out as a file, and in again.
    await press('Views');
    const [download] = await Promise.all([page.waitForEvent('download'), press('Save all as a file')]);
    expect(download.suggestedFilename()).toMatch(/\.views\.json$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toContain('"search": "medium"');
    expect(text).not.toMatch(/[0-9a-f]{32}/);
    await press('More for Open and medium');
    await press('Remove Open and medium');
    await expect(saved).toHaveCount(0);
    const file = { name: 'station.views.json', buffer: Buffer.from(text) };
    await chooseFiles(page.getByRole('button', { name: 'Open a file' }), [file]);
    await expect(page.getByText('1 view was added.')).toBeVisible();
    await expect(saved).toContainText('Open and medium');
    await dropFiles(page, page.getByRole('dialog', { name: 'Views' }), [file]);
    await expect(page.getByRole('dialog', { name: 'Replace 1 view?' })).toContainText('Open and medium');
    await page
      .getByRole('dialog', { name: 'Replace 1 view?' })
      .getByRole('button', { name: 'Replace' })
      .click();
    await expect(page.getByText('1 view was replaced.')).toBeVisible();
    await press('More for Open and medium');
    expect(await violations(page), 'the views').toEqual([]);
  });

  test(
    'a view shows its imported maps again, and says which one is not on this computer',
    { tag: '@map' },
    async ({ operator }) => {
      const { page } = operator;
      await operator.expectIncidents(1712);
      await importMap(page, 'Relief', '#2f855a');
      await importMap(page, 'Coast', '#d016c8');
      await operator.openPanel('Incidents');
      // With a place of its own on the map, and the graticule over it.
      const goTo = page.getByRole('combobox', { name: 'Go to a place' });
      await goTo.fill('53.5 10');
      await goTo.press('Enter');
      await expect(operator.drawnMap).toHaveAttribute('data-camera', /^10\.000 53\.500 /);
      const camera = await operator.drawnMap.getAttribute('data-camera');
      const graticule = async (): Promise<void> => {
        await operator.map.getByRole('button', { name: 'Map layers' }).press('Enter');
        await page.getByRole('checkbox', { name: 'Graticule' }).press('Space');
        await page.keyboard.press('Escape');
      };
      await graticule();
      await expect(operator.drawnMap).toHaveAttribute('data-grids', 'graticule');
      await page.getByRole('button', { name: 'Views', exact: true }).click();
      await page.getByRole('textbox', { name: 'Name of the view' }).fill('Harbour');
      await page.keyboard.press('Enter');
      const saved = page.getByRole('list', { name: 'Saved views' });
      await expect(saved).toContainText('its own map, graticule and 2 imported maps');
      await page.keyboard.press('Escape');
      await graticule();
      await expect(operator.drawnMap).toHaveAttribute('data-grids', '');
      await operator.map.getByRole('button', { name: 'Show all incidents' }).click();
      await expect(operator.drawnMap).not.toHaveAttribute('data-camera', camera ?? '');

      await operator.openPanel('Maps');
      await shownSwitch(page, 'Relief').click();
      await expect(shownSwitch(page, 'Relief')).not.toBeChecked();
      await removeMap(page, 'Coast');
      const notice = page.getByRole('status').filter({ hasText: 'without imported maps' });
      await expect(notice).toHaveCount(0);

      await operator.openPanel('Incidents');
      await page.getByRole('button', { name: 'Views', exact: true }).click();
      await saved.getByRole('button', { name: 'Harbour' }).first().click();
      await expect(notice).toContainText(
        'Shown without imported maps that are missing on this computer: Coast.',
      );
      await expect(operator.drawnMap).toHaveAttribute('data-camera', camera ?? '');
      await expect(operator.drawnMap).toHaveAttribute('data-grids', 'graticule');
      expect(await violations(page), 'a map is missing').toEqual([]);
      await operator.openPanel('Maps');
      await expect(shownSwitch(page, 'Relief')).toBeChecked();
      await notice.getByRole('button', { name: 'Close' }).click();
      await expect(notice).toHaveCount(0);
    },
  );

  test('the widths of list and details are moved by keys, remembered, and reset by one press', async ({
    operator,
  }) => {
    const { page } = operator;
    await operator.expectIncidents(1712);
    await operator.incidents.getByRole('option').first().click();
    const edges = ['Width of the panel', 'Width of the details'].map((name) =>
      page.getByRole('separator', { name, exact: true }),
    );
    const widths = (): Promise<(string | null)[]> =>
      Promise.all(edges.map((edge) => edge.getAttribute('aria-valuenow')));
    const usual = await widths();
    const drawn = async (): Promise<number> => (await operator.incidents.boundingBox())?.width ?? 0;
    const before = await drawn();
    for (const edge of edges) {
      await edge.press('ArrowRight');
      await edge.press('ArrowRight');
    }
    const moved = [Number(usual[0]) + 32, Number(usual[1]) - 32].map(String);
    await expect.poll(widths).toEqual(moved);
    await expect.poll(drawn).toBe(before + 32);

    await page.reload();
    await operator.expectIncidents(1712);
    await operator.incidents.getByRole('option').first().click();
    await expect.poll(widths).toEqual(moved);
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('button', { name: 'Reset layout', exact: true }).click();
    await expect.poll(widths).toEqual(usual);
    await expect.poll(drawn).toBe(before);
  });

  test(
    'a second window follows the first, and is locked with it',
    { tag: ['@map', '@packed'] },
    async ({ opened, service }) => {
      const { page, operator } = opened;
      await operator.signIn(service.credentials);
      await operator.expectIncidents(1712);
      const [second] = await Promise.all([
        page.context().waitForEvent('page'),
        operator.command('Open a second window with the map'),
      ]);
      const other = new Operator(second);
      await expect(other.drawnMap).toHaveAttribute('data-map-state', 'ready');
      await expect(other.incidents).toHaveCount(0);
      expect(second.url(), 'its code is spent and gone').toMatch(/\/\?pane=map$/);
      expect(await violations(second), 'the second window').toEqual([]);

      const camera = (): Promise<string | null> => other.drawnMap.getAttribute('data-camera');
      const before = await camera();
      await operator.incidents.getByRole('option').nth(3).click();
      await expect(operator.details).toBeVisible();
      await expect(other.drawnMap).not.toHaveAttribute('data-camera', before ?? '');
      await expect(other.drawnMap).toHaveAttribute('data-selected-incident', /\d/);
      await operator.filter('Severity', 'critical');
      await expect(other.connection).toBeVisible();

      // Left alone by a press, and taken along again.
      const follows = second.getByRole('switch', { name: 'Linked to the other windows' });
      await follows.click();
      await expect(follows).not.toBeChecked();
      const alone = await camera();
      await page.keyboard.press('Escape');
      await operator.incidents.getByRole('option').nth(1).click();
      await expect(operator.details).toBeVisible();
      await expect(other.drawnMap).toHaveAttribute('data-camera', alone ?? '');

      await page.getByRole('button', { name: 'Lock', exact: true }).click();
      for (const window of [page, second]) {
        await expect(window.getByRole('textbox', { name: 'Password' })).toBeVisible();
        await expect(window.getByRole('region', { name: 'Map' })).toHaveCount(0);
      }
      await page.getByRole('textbox', { name: 'Password' }).fill(service.credentials.password);
      await page.keyboard.press('Enter');
      await expect(other.map).toBeVisible();
      await expect(other.incidents).toHaveCount(0);
    },
  );
});
