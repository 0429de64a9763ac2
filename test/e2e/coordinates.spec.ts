import { coordinateFormats, type CoordinateFormat } from '../../src-preload/contract/index.ts';
import { expect, test } from './support/fixtures.ts';

/** 33.3° N, 44.4° E as docs/coordinates.md has it. */
const written: Readonly<Record<CoordinateFormat, string>> = {
  dd: '33.30000° N, 44.40000° E',
  dm: '33°18.000′ N, 44°24.000′ E',
  dms: '33°18′00.0″ N, 44°24′00.0″ E',
  utm: '38S 444141 3684706',
  mgrs: '38S MB 44140 84706',
};
/** The poles, 180° from both sides, and the zones that are wider than others. */
const odd: readonly (readonly [typed: string, mgrs: RegExp])[] = [
  ['90 N 0 E', /^Z AH 00000 00000/],
  ['90 S 0 E', /^B AN 00000 00000/],
  ['0 N 180 E', /^1N AA 66021 00000/],
  ['0 N 180 W', /^1N AA 66021 00000/],
  ['60.5 N 4 E', /^32V /],
  ['55.9 N 4 E', /^31U /],
  ['73 N 8 E', /^31X /],
  ['73 N 10 E', /^33X /],
  ['78 N 22 E', /^35X /],
  ['78 N 34 E', /^37X /],
];

test.describe('coordinates', { tag: '@map' }, () => {
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
    await operator.expectIncidents(1713);

    const goTo = page.getByRole('combobox', { name: 'Go to a place' });
    await goTo.fill('zurich');
    await expect(page.getByRole('option', { name: /^Zürich\s*Switzerland$/ })).toBeVisible();
    await goTo.press('Enter');
    await expect(drawnMap).toHaveAttribute('data-camera', /^8\.5\d+ 47\.3\d+ /);
    await expect(page.getByRole('img', { name: 'Destination: Zürich' })).toBeVisible();
    // Every format is read by the same reader, which has unit tests of its own.
    for (const text of ['33°51.42′S 151°12.9′E', '56H LH 34873 52266']) {
      await goTo.fill(text);
      await goTo.press('Enter');
      await expect(drawnMap, text).toHaveAttribute('data-camera', /^151\.21\d -33\.85\d /);
    }
    await goTo.fill('nowhere at all');
    await expect(operator.map.getByText('Not in this console’s list of towns').first()).toBeAttached();
    await goTo.press('Escape');
    await goTo.press('Escape');
    await expect(page.getByRole('img', { name: /^Destination/ })).toHaveCount(0);

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
    await expect(row).toContainText('Sydney, AU');
    await expect(row.getByTitle('56H LH 348 522')).toBeVisible();
    await row.click();
    await expect(operator.details.getByText('56H LH 34873 52266', { exact: true })).toBeVisible();
    await expect(operator.details.getByText('50 NM, bearing 090° true')).toBeVisible();
    await operator.details.getByRole('button', { name: 'Copy in another format' }).click();
    const copies = page.getByRole('dialog', { name: 'Copy in another format' });
    await expect(copies.getByText('33°51′25.2″ S, 151°12′54.0″ E')).toBeVisible();
    await expect(copies.getByRole('button', { name: /^Copy as / })).toHaveCount(5);
  });

  test('in each of the five formats: shown everywhere, copied, gone to; right at poles, 180° and in odd zones', async ({
    operator,
    service,
  }) => {
    const { page, drawnMap } = operator;
    service.addIncident({
      id: 'docs',
      severity: 'critical',
      location: { latitude: 33.3, longitude: 44.4, altitude: null },
    });
    await operator.expectIncidents(1713);
    await operator.incidents.getByRole('option').first().click();
    await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
    const settings = page.getByRole('region', { name: 'Settings', exact: true });
    await settings.getByRole('textbox', { name: 'Station’s position' }).fill('33.3, 44.4');
    await settings.getByRole('button', { name: 'Set', exact: true }).click();
    for (const format of coordinateFormats) {
      await settings.getByLabel('Coordinates', { exact: true }).selectOption(format);
      await expect(settings.getByText(written[format], { exact: true })).toBeVisible();
      await expect(operator.details.getByText(written[format], { exact: true })).toBeVisible();
    }
    for (const [units, ends] of [
      ['Metric', /k?m$/],
      ['Imperial', /(mi|ft)$/],
      ['Nautical', /NM$/],
    ] as const) {
      await settings.getByRole('button', { name: units }).click();
      await expect(operator.map.locator('.maplibregl-ctrl-scale'), units).toHaveText(ends);
    }

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await operator.details.getByRole('button', { name: 'Copy in another format' }).click();
    const copies = page.getByRole('dialog', { name: 'Copy in another format' });
    for (const [at, format] of coordinateFormats.entries()) {
      await copies
        .getByRole('button', { name: /^Copy as / })
        .nth(at)
        .click();
      await expect.poll(copied).toBe(format === 'dd' ? '33.3, 44.4' : written[format]);
    }
    await page.keyboard.press('Escape');

    const goTo = page.getByRole('combobox', { name: 'Go to a place' });
    for (const format of coordinateFormats) {
      await goTo.fill('0 0');
      await goTo.press('Enter');
      await expect(drawnMap).toHaveAttribute('data-camera', /^-?0\.000 -?0\.000 /);
      await goTo.fill(written[format]);
      await goTo.press('Enter');
      await expect(drawnMap, format).toHaveAttribute('data-camera', /^44\.400 33\.300 /);
    }
    for (const [typed, mgrs] of odd) {
      await goTo.fill(typed);
      await expect(operator.map.getByRole('option').first(), typed).toHaveText(mgrs);
    }
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
    await expect(measuring.getByRole('button', { name: 'Add point at the cross' })).toBeEnabled();
    await goTo.fill('0 11');
    await goTo.press('Enter');
    await expect(drawnMap).toHaveAttribute('data-camera', /^11\.000 -?0\.000 /);
    await measuring.getByRole('button', { name: 'Add point at the cross' }).press('Enter');
    await expect(measuring.getByText('Length 111 km, bearing 090° true')).toBeVisible();
    await page.locator('.maplibregl-canvas').focus();
    await page.keyboard.press('Backspace');
    await expect(measuring.getByText(/^Length/)).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(measuring).toHaveCount(0);

    await operator.map.getByRole('button', { name: 'Measure' }).press('Enter');
    await page.getByRole('button', { name: 'Measure an area' }).press('Enter');
    for (const [corner, camera] of [
      ['0 10', /^10\.000 -?0\.000 /],
      ['0 11', /^11\.000 -?0\.000 /],
      ['1 11', /^11\.000 1\.000 /],
      ['1 10', /^10\.000 1\.000 /],
    ] as const) {
      await goTo.fill(corner);
      await goTo.press('Enter');
      await expect(drawnMap).toHaveAttribute('data-camera', camera);
      await measuring.getByRole('button', { name: 'Add point at the cross' }).press('Enter');
    }
    // A square degree at the equator is 12,309 km² on WGS 84.
    await expect(measuring.getByText(/^Area 12,3\d\d km², outline 444 km$/)).toBeVisible();
    await measuring.getByRole('button', { name: 'Close' }).press('Enter');

    await operator.map.getByRole('button', { name: 'Map layers' }).press('Enter');
    await page.getByRole('checkbox', { name: 'MGRS grid' }).press('Space');
    await page.getByRole('checkbox', { name: 'Graticule' }).press('Space');
    await expect(drawnMap).toHaveAttribute('data-grids', 'graticule mgrs-grid');
    await page.keyboard.press('Escape');
    await page.reload();
    await expect(drawnMap).toHaveAttribute('data-grids', 'graticule mgrs-grid');
  });
});
