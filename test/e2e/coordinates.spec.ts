import { expect, test } from './support/fixtures.ts';

test.describe('coordinates', () => {
  test('are chosen once: go to a place, set the station, read range, bearing and MGRS, copy in any', async ({
    operator,
    service,
  }) => {
    const { page, drawnMap } = operator;
    service.addIncident({
      id: 'opera',
      incident_type: 'wildfire',
      severity: 'critical',
      location: { latitude: -33.857, longitude: 151.215, altitude: 12.5 },
    });
    await operator.expectIncidents(1708);

    const goTo = page.getByRole('combobox', { name: 'Go to a place' });
    await goTo.fill('zurich');
    await expect(page.getByRole('option', { name: /^Zürich\s*Switzerland$/ })).toBeVisible();
    await goTo.press('Enter');
    await expect(drawnMap).toHaveAttribute('data-camera', /^8\.5\d+ 47\.3\d+ /);
    await expect(page.getByRole('img', { name: 'Where you went: Zürich' })).toBeVisible();
    // Every format is read by the same reader, which has unit tests of its own.
    for (const text of ['33°51.42′S 151°12.9′E', '56H LH 34873 52266']) {
      await goTo.fill(text);
      await goTo.press('Enter');
      await expect(drawnMap, text).toHaveAttribute('data-camera', /^151\.21\d -33\.85\d /);
    }
    await goTo.fill('nowhere at all');
    await expect(operator.map.getByText('No such place or coordinates').first()).toBeAttached();
    await goTo.press('Escape');
    await goTo.press('Escape');
    await expect(page.getByRole('img', { name: /^Where you went/ })).toHaveCount(0);

    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Settings/ })
      .click();
    const settings = page.getByRole('region', { name: 'Settings', exact: true });
    await settings.getByRole('textbox', { name: 'Station’s position' }).fill('33.8568 S, 150.215 E');
    await settings.getByRole('button', { name: 'Set', exact: true }).click();
    await expect(settings.getByText('33.85680° S, 150.21500° E')).toBeVisible();
    await expect(page.getByRole('img', { name: 'The station' })).toBeAttached();
    await settings.getByLabel('Coordinates', { exact: true }).selectOption('mgrs');
    await settings.getByRole('button', { name: 'Nautical' }).click();
    await expect(operator.map.locator('.maplibregl-ctrl-scale')).toHaveText(/NM$/);

    await operator.openPanel('Incidents');
    const row = operator.incidents.getByRole('option').first();
    await expect(row).toContainText('56H LH 348 522');
    await row.click();
    await expect(operator.details.getByText('56H LH 34873 52266', { exact: true })).toBeVisible();
    await expect(operator.details.getByText('50 NM, bearing 090° true')).toBeVisible();
    await operator.details.getByRole('button', { name: 'Copy in another format' }).click();
    const copies = page.getByRole('dialog', { name: 'Copy in another format' });
    await expect(copies.getByText('33°51′25.2″ S, 151°12′54.0″ E')).toBeVisible();
    await expect(copies.getByRole('button', { name: /^Copy as / })).toHaveCount(5);
  });

  test('measuring and grids work from the keyboard and stay with the layout', async ({ operator }) => {
    const { page, drawnMap } = operator;
    const goTo = page.getByRole('combobox', { name: 'Go to a place' });
    await goTo.fill('0 10');
    await goTo.press('Enter');
    await expect(drawnMap).toHaveAttribute('data-camera', /^10\.000 -?0\.000 /);
    await goTo.press('Escape');

    await operator.map.getByRole('button', { name: 'Measure' }).press('Enter');
    await page.getByRole('button', { name: 'Measure a line' }).press('Enter');
    const measuring = page.getByRole('group', { name: 'Measuring' });
    await expect(page.locator('.maplibregl-canvas')).toBeFocused();
    await page.keyboard.press('Space');
    await measuring.getByRole('button', { name: 'Point at the cross' }).isEnabled();
    await goTo.fill('0 11');
    await goTo.press('Enter');
    await expect(drawnMap).toHaveAttribute('data-camera', /^11\.000 -?0\.000 /);
    await measuring.getByRole('button', { name: 'Point at the cross' }).press('Enter');
    await expect(measuring.getByText('Length 111 km, bearing 090° true')).toBeVisible();
    await page.locator('.maplibregl-canvas').focus();
    await page.keyboard.press('Backspace');
    await expect(measuring.getByText(/^Length/)).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(measuring).toHaveCount(0);

    await operator.map.getByRole('button', { name: 'Grids' }).press('Enter');
    await page.getByRole('checkbox', { name: 'MGRS grid' }).press('Space');
    await page.getByRole('checkbox', { name: 'Graticule' }).press('Space');
    await expect(drawnMap).toHaveAttribute('data-grids', 'graticule mgrs-grid');
    await page.keyboard.press('Escape');
    await page.reload();
    await expect(drawnMap).toHaveAttribute('data-grids', 'graticule mgrs-grid');
  });
});
