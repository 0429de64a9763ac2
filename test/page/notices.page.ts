import type { ExportJob } from '../../src-preload/contract/index.ts';
import { makeFailure } from '../../src-main/core/base/failure.ts';
import { expect, test } from './fixtures.ts';
import { recordedNow, unreachable, type Change } from './states.ts';

const broken = makeFailure({ code: 'service-error', status: 503, at: recordedNow });

const job: ExportJob = {
  id: 'a'.repeat(16),
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
