import type { ExportJob } from '../../src-preload/contract/index.ts';
import { makeFailure } from '../../src-main/core/base/failure.ts';
import { expect, test } from './fixtures.ts';
import { recordedNow, unreachable, type Change } from './states.ts';

const broken = makeFailure({ code: 'service-error', status: 503, at: recordedNow });

const job: ExportJob = {
  id: 'a'.repeat(16),
  subject: 'incidents',
  format: 'csv',
  fileName: 'incidents.csv',
  state: 'writing',
  incidents: 122,
  written: 40,
  leftOut: 0,
  gone: 0,
  bytes: 0,
  exportId: null,
  failure: null,
};

const importing = {
  id: 'c'.repeat(16),
  fileName: 'harbour.pmtiles',
  bytes: 80_000_000,
  received: 31_000_000,
  failure: null,
} as const;

const firstRound = {
  phase: 'first',
  completeAsOf: null,
  windows: { complete: 3, planned: 14 },
} as const;

/** A notice that comes by itself, in each panel that has one, and what the pointer may lie on meanwhile. */
const cases: readonly {
  readonly state: string;
  readonly row: string;
  readonly change: Change;
}[] = [
  { state: 'integrations', row: '.integrations__one', change: { health: { failure: broken } } },
  ...[
    { incidents: { failure: broken } },
    { incidents: { rangeIgnored: true } },
    { incidents: { unreadable: { count: 3, examples: [] } } },
    { exports: { jobs: [job] } },
    { incidents: { completeness: 'at-least' as const }, sync: { ...firstRound } },
  ].map((change) => ({ state: 'incidents', row: 'main [role="option"]', change })),
  { state: 'missions', row: 'main [role="option"]', change: { missions: { blocked: unreachable } } },
  { state: 'missions', row: 'main [role="option"]', change: { missions: { failure: unreachable } } },
  { state: 'missions, offline', row: '.bar .button--primary', change: { missions: { blocked: null } } },
  { state: 'outbox, in every state', row: '.outbox [role="row"]', change: { outbox: { paused: true } } },
  {
    state: 'outbox, in every state',
    row: '.outbox [role="row"]',
    change: { outbox: { problem: unreachable } },
  },
  { state: 'evidence', row: '.evidence [role="row"]', change: { evidence: { complete: false } } },
  { state: 'evidence', row: '.evidence [role="row"]', change: { evidence: { failure: broken } } },
  { state: 'maps, packages', row: '.maps__list > li', change: { maps: { missing: [] } } },
  { state: 'maps, packages', row: '.maps__list > li', change: { maps: { imports: [] } } },
  { state: 'log', row: '.log [role="row"]', change: { watch: { damaged: 2 } } },
];

for (const { state, row, change } of cases) {
  test(`a notice moves nothing in "${state}": ${JSON.stringify(change).slice(0, 40)}`, async ({ shown }) => {
    const page = await shown.open(state);
    const first = page.locator(row).first();
    await expect(first).toBeVisible();
    const before = await first.boundingBox();
    const notices = page.locator('.notices').first();
    const text = await notices.textContent();
    await shown.push(change);
    await expect(notices).not.toHaveText(text ?? '');
    expect(await first.boundingBox()).toEqual(before);
  });
}

for (const [width, height] of [
  [1024, 768],
  [1280, 800],
  [1440, 900],
] as const)
  test(`what is said of the count moves nothing while incidents are read, at ${String(width)}`, async ({
    shown,
  }) => {
    for (const language of ['en', 'es', 'ar']) {
      // Before it is opened: what follows the size of a window does so some frames later.
      await shown.page.setViewportSize({ width, height });
      const page = await shown.open('incidents', { language });
      const summary = page.locator('.sum');
      const standing = async () => [
        await summary.boundingBox(),
        await page.locator('.order__open').boundingBox(),
        await page.locator('main [role="option"]').first().boundingBox(),
      ];
      await expect(page.locator('main [role="option"]').first()).toBeVisible();
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      const before = await standing();
      const text = await summary.textContent();
      await shown.push({ incidents: { completeness: 'at-least' }, sync: firstRound });
      await expect(summary).not.toHaveText(text ?? '');
      // Why is said below the list, and leads to the rest.
      await expect(page.locator('.left__why')).toBeVisible();
      expect(await standing(), language).toEqual(before);
      await shown.push({ incidents: { completeness: 'complete' } });
      await expect(page.locator('.left__why')).toHaveCount(0);
      expect(await standing(), language).toEqual(before);
    }
  });

test('why the incidents may not be all is said below them, and leads to how they are read', async ({
  shown,
}) => {
  const page = await shown.open('incidents');
  await shown.push({ incidents: { completeness: 'at-least' }, sync: firstRound });
  await page.locator('.incidents .notices').getByRole('button', { name: '3 of 14 windows read' }).click();
  await expect(page.getByRole('button', { name: 'Data status', exact: true })).toHaveAttribute(
    'aria-expanded',
    'true',
  );
});

test('maps that are imported stand below the maps that are there, and the first one beside what is said of none', async ({
  shown,
}) => {
  const page = await shown.open('maps, packages');
  const imports = page.getByRole('list', { name: 'Imports' });
  const list = page.getByRole('list', { name: 'Maps, the topmost first' });
  expect((await imports.boundingBox())!.y).toBeGreaterThan((await list.boundingBox())!.y);
  await shown.push({ maps: { packages: [], imports: [] } });
  const basemap = page.locator('.maps__basemap');
  await expect(page.getByText('No imported maps yet')).toBeVisible();
  const before = await basemap.boundingBox();
  await shown.push({
    maps: { imports: [{ ...importing, state: 'receiving' }] },
  });
  await expect(imports).toBeVisible();
  expect(await basemap.boundingBox()).toEqual(before);
});

test('a notice moves nothing in the details of an incident', async ({ shown }) => {
  const page = await shown.open('details');
  const before = await page.locator('.details__fields').first().boundingBox();
  await shown.open('details, no longer returned');
  await expect(page.locator('.details .notices')).not.toBeEmpty();
  expect(await page.locator('.details__fields').first().boundingBox()).toEqual(before);
});

test('a command that fails moves nothing in its panel, is announced and can be closed', async ({ shown }) => {
  const page = await shown.open('alarms, mute refused');
  const mute = page.locator('.mute button').first();
  const before = await mute.boundingBox();
  await mute.click();
  const failure = page.locator('.alarms .notices').getByRole('alert');
  await expect(failure).toContainText('service-error');
  expect(await mute.boundingBox()).toEqual(before);
  await failure.getByRole('button', { name: 'Close' }).click();
  await expect(failure).toBeHidden();
});
