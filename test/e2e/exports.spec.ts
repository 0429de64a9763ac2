import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import type { Locator, Page } from '@playwright/test';
import { readCsv } from '../core/features/exports/csvReader.ts';
import { syntheticIncidents } from '../support/dataset.ts';
import { paperOf, readPdf, unspaced } from '../support/pdf.ts';
import { expect, test as base } from './support/fixtures.ts';
import { violations } from './support/violations.ts';

interface Saved {
  readonly name: string;
  readonly bytes: Buffer;
}

const test = base.extend<{
  /** What is saved after a press: a browser's download, or a file where the desktop's dialog was answered with. */
  savedBy: (press: () => Promise<void>) => Promise<Saved>;
}>({
  savedBy: async ({ opened, folder }, use, testInfo) => {
    const { page } = opened;
    const savesIn = join(folder, 'saved');
    // A file has its name only once it is whole; until then it is hidden.
    const saved = async (): Promise<string[]> =>
      (await readdir(savesIn)).filter((name) => !name.startsWith('.'));
    await use(async (press) => {
      if (testInfo.project.metadata['host'] !== 'stand-in') {
        const download = page.waitForEvent('download');
        await press();
        const file = await download;
        return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
      }
      const before = await saved();
      await press();
      await expect.poll(async () => (await saved()).length).toBe(before.length + 1);
      const name = (await saved()).find((one) => !before.includes(one)) ?? '';
      return { name, bytes: await readFile(join(savesIn, name)) };
    });
  },
});

const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Export incidents' });

async function openExport(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = dialogOf(page);
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Exports in one format and reads what was saved. */
async function save(
  savedBy: (press: () => Promise<void>) => Promise<Saved>,
  dialog: Locator,
  format: string,
): Promise<Saved> {
  await dialog.getByRole('radio', { name: new RegExp(`^${format}`) }).check();
  const saved = await savedBy(() => dialog.getByRole('button', { name: 'Export', exact: true }).click());
  await expect(dialog.getByText(/^Saved: [\d,]+ incidents/).first()).toBeVisible();
  return saved;
}

/** The sheet as the desktop saves it, or as a browser prints it. */
async function sheetOf(
  savedBy: (press: () => Promise<void>) => Promise<Saved>,
  dialog: Locator,
): Promise<Uint8Array> {
  const page = dialog.page();
  const printed = dialog.getByRole('radio', { name: /^Print/ });
  if ((await printed.count()) === 0) return (await save(savedBy, dialog, 'PDF sheet')).bytes;
  await page.evaluate(() => {
    window.print = () => void (document.documentElement.dataset['printed'] = 'yes');
  });
  await printed.check();
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes');
  const bytes = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  await expect(dialog.getByText('Given to your browser’s print dialog.')).toBeVisible();
  return bytes;
}

test(
  'the filtered incidents are saved in every format, and each says how old and how complete they are',
  { tag: '@map' },
  async ({ operator, service, savedBy }) => {
    const { page } = operator;
    service.addIncident({
      id: 'formula',
      severity: 'high',
      incident_type: '=HYPERLINK("//x")',
      status: '<open>',
    });
    await operator.expectIncidents(1713);
    await operator.filter('Severity', 'high');
    const dialog = await openExport(page);
    await expect(dialog.getByText(/severity high/)).toBeVisible();
    const words = await dialog.getByText(/in the order of the list$/).textContent();
    const count = Number(words?.replaceAll(/\D/g, ''));
    expect(count).toBeGreaterThan(10);
    expect(await violations(page), 'the dialog').toEqual([]);

    const geojson = await save(savedBy, dialog, 'GeoJSON');
    expect(geojson.name).toMatch(/^station-1-incidents-\d{8}-\d{4}\.geojson$/);
    const collection = JSON.parse(geojson.bytes.toString()) as {
      field_console: Record<string, unknown>;
      features: { id: string; properties: Record<string, unknown> }[];
    };
    expect(collection.features).toHaveLength(count);
    expect(new Set(collection.features.map(({ properties }) => properties['severity']))).toEqual(
      new Set(['high']),
    );
    expect(collection.field_console).toMatchObject({
      deployment: 'Harbour station',
      filters: 'severity high',
    });
    expect(collection.field_console['age']).toMatch(/^Data as of .* old when this was made\.$/);

    const csv = await save(savedBy, dialog, 'CSV');
    const [header = [], ...rows] = readCsv(csv.bytes.toString().replace(/^\uFEFF/, ''));
    expect(rows.map((row) => row[header.indexOf('id')])).toEqual(collection.features.map(({ id }) => id));
    expect(rows.every((row) => row[header.indexOf('completeness')] !== '')).toBe(true);
    // What a spreadsheet would calculate is text to it.
    const formula = rows.find((row) => row[header.indexOf('id')] === 'formula') ?? [];
    expect(formula).toContain('\'=HYPERLINK("//x")');
    expect(formula).not.toContain('=HYPERLINK("//x")');

    const parse = (bytes: Buffer): Document => new DOMParser().parseFromString(bytes.toString(), 'text/xml');
    const kml = await save(savedBy, dialog, 'KML');
    const placemarks = parse(kml.bytes).getElementsByTagName('Placemark');
    expect(placemarks).toHaveLength(count);
    const gpx = await save(savedBy, dialog, 'GPX');
    const located = rows.filter((row) => row[header.indexOf('latitude')] !== '').length;
    expect(parse(gpx.bytes).getElementsByTagName('wpt')).toHaveLength(located);
    for (const { bytes } of [kml, gpx]) {
      const text = parse(bytes).documentElement?.textContent ?? '';
      expect(text).toMatch(/Data as of .* old when this was made\./);
      expect(text).toContain('severity high');
      expect(text).toContain('=HYPERLINK("//x")');
      expect(bytes.toString()).not.toContain('<open>');
    }

    const pages = await readPdf(await sheetOf(savedBy, dialog));
    const text = pages.map((one) => one.text).join(' ');
    // The map's picture is on it, as the page drew it.
    expect(pages[0]?.images).toBeGreaterThan(0);
    expect(pages[0]?.text).toContain('Incidents, ');
    expect(text).toContain(`Page ${String(pages.length)} of ${String(pages.length)}`);
    for (const words of ['severity high', '=HYPERLINK("//x")', '<open>', 'old when this was made.'])
      expect(unspaced(text)).toContain(unspaced(words));
    expect(new Set(pages.map(paperOf))).toEqual(new Set(['a4']));

    const web = await save(savedBy, dialog, 'Web page');
    expect(web.name).toMatch(/^station-1-incidents-\d{8}-\d{4}\.html$/);
    expect(web.bytes.toString()).toContain('&lt;open&gt;');
    expect(web.bytes.toString()).toContain('src="data:image/png;base64,');
    expect(web.bytes.toString()).not.toMatch(/<script|<open>/);

    await dialog.getByRole('button', { name: /^Remove .*\.pdf from this list$/ }).click();
    await expect(dialog.getByText(/\.pdf$/)).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
  },
);

test.describe('with many incidents', () => {
  // As GeoJSON 20 MB: the system takes up to 10 MB off a sender's hands before a slow line holds it up.
  test.use({ serviceOptions: { dataset: syntheticIncidents(40_000, 11) } });

  test('a large export tells how far it is, and ends when it is cancelled', async ({ operator }) => {
    const { page } = operator;
    await operator.expectIncidents(40_000);
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const throttle = (bytes: number) =>
      network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: bytes,
        uploadThroughput: -1,
      });
    const dialog = await openExport(page);
    await dialog.getByRole('radio', { name: /^GeoJSON/ }).check();
    await throttle(100_000);
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await expect(dialog.getByText(/^[\d,]+ of 40,000 written\.$/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    // While the dialog is closed, a quiet line leads back to it.
    await operator.incidents.getByRole('button', { name: 'One export is running' }).click();
    let saved = 0;
    page.on('download', () => (saved += 1));
    await dialog.getByRole('button', { name: /^Cancel station-1-incidents/ }).click();
    await expect(dialog.getByText('Cancelled. Nothing was saved.')).toBeVisible();
    await throttle(-1);
    // A download of what was cancelled would have come before that of the next export.
    await dialog.getByRole('radio', { name: /^GPX/ }).check();
    const next = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    expect((await next).suggestedFilename()).toMatch(/\.gpx$/);
    expect(saved).toBe(1);
  });
});
