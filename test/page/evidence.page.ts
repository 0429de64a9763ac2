import type { Locator, Page } from '@playwright/test';
import { catchCopies } from './copies.ts';
import { expect, test } from './fixtures.ts';

const evidenceOf = (page: Page): Locator => page.getByRole('region', { name: 'Evidence', exact: true });
const rowOf = (page: Page, text: string): Locator =>
  evidenceOf(page).getByRole('row').filter({ hasText: text });
/** The newest item, which names no incident. */
const newest = 'drone-10-4404.mp4';
const itsCid = 'bafkreidhqtqap262jpr6d2bxznd4wtnawubbmevdkeipqqnzeigtaa36qq';

test.describe('evidence', () => {
  test('counts its items and says of each what it is, and how old', async ({ shown }) => {
    const page = await shown.open('evidence');
    await expect(evidenceOf(page).getByText('44 items', { exact: true })).toBeVisible();
    await expect(evidenceOf(page).getByRole('row').first()).toContainText(newest);
    // Collected a minute before what the recorded clock says.
    await expect(rowOf(page, newest).getByText(/^[12]\smin$/)).toBeVisible();
  });

  test('that it is not allowed is said once, with what to do', async ({ shown }) => {
    const page = await shown.open('evidence, not granted');
    await expect(evidenceOf(page).getByText(/You don’t have permission/)).toHaveText([
      'You don’t have permission to view evidence.',
    ]);
    await expect(evidenceOf(page).getByText(/Ask an administrator/)).toHaveCount(1);
  });

  test('in Arabic, each fact of a picture keeps its number beside its unit', async ({ shown }) => {
    const page = await shown.open('evidence, viewer', { language: 'ar' });
    const facts = page.getByRole('dialog').locator('.pane__name .quiet bdi');
    await expect(facts).toHaveText(['image/jpeg', '1024 × 768', /^241/]);
    const places = await facts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(places.toSorted((one, other) => other - one)).toEqual(places);
  });

  test('opened it shows every field as it came, and what can be done with it', async ({ shown }) => {
    const page = await shown.open('evidence');
    // Training has a gateway.
    await shown.push({ evidence: { gateways: [] } });
    const row = rowOf(page, newest);
    await row.click();
    await expect(row).toContainText(itsCid);
    await expect(row).toContainText('{"lens":"wide","height_m":101}');
    const copy = row.getByTitle('Copy CID', { exact: true });
    await expect(copy).toHaveAccessibleName('Copy CID');
    const copies = await catchCopies(page);
    await copy.click();
    await expect.poll(copies).toEqual([itsCid]);
    await expect(row.getByRole('button', { name: 'Verify a file' })).toBeVisible();
    await expect(row.getByLabel('File to verify')).toBeAttached();
    // It names no incident, and the deployment no gateway.
    await expect(row.getByRole('button', { name: 'Show incident' })).toHaveCount(0);
    await expect(row.getByRole('button', { name: 'Open in gateway' })).toHaveCount(0);
  });

  test('a file is held against the CID of the opened item', async ({ shown }) => {
    const page = await shown.open('evidence');
    const row = rowOf(page, newest);
    await row.click();
    await shown.hold('beginVerification');
    const asked = page.waitForEvent('filechooser');
    await row.getByRole('button', { name: 'Verify a file' }).click();
    await (await asked).setFiles({ name: 'drone.mp4', mimeType: 'video/mp4', buffer: Buffer.from('abc') });
    await expect
      .poll(() => shown.calls('beginVerification'))
      .toEqual([{ cid: itsCid, fileName: 'drone.mp4', bytes: 3 }]);
  });

  test('where the deployment names a gateway it asks before an item is opened there', async ({ shown }) => {
    const page = await shown.open('evidence');
    await shown.push({ evidence: { gateways: ['https://gateway.example/ipfs/'] } });
    const row = rowOf(page, newest);
    await row.click();
    await row.getByRole('button', { name: 'Open in gateway' }).click();
    const dialog = page.getByRole('dialog', { name: 'Open in a gateway?' });
    await expect(dialog).toContainText('gateway.example');
    await expect(dialog).toContainText(itsCid);
    await dialog.getByRole('button', { name: 'Stay here' }).click();
    await expect(dialog).toBeHidden();
  });

  test('leads to the incident that the item names', async ({ shown }) => {
    const page = await shown.open('evidence');
    const row = evidenceOf(page).getByRole('row').nth(2);
    await expect(row, 'by its name').toContainText(/incident [A-Z][a-z]+, .+·drone-05·image\/jpeg/);
    await expect(row).not.toContainText(/0000h|bafk/);
    await row.click();
    await row.getByRole('button', { name: 'Show incident' }).click();
    expect(await shown.calls('readIncident')).toHaveLength(1);
  });

  test('details say what the service counts and what the list holds, and never one for the other', async ({
    shown,
  }) => {
    const page = await shown.open('details');
    const words = page.getByRole('region', { name: 'Incident details' }).getByText(/^Evidence: /);
    await expect(words).toHaveText('Evidence: 1 according to the service, 0 listed');
    await shown.push({ evidence: { complete: false } });
    await expect(words).toHaveText('Evidence: 1 according to the service, at least 0 listed');
    await shown.push({ evidence: { lastReadAt: null } });
    await expect(words).toHaveText('Evidence: 1 according to the service');
  });

  test('details say one figure where the service and a whole list agree', async ({ shown }) => {
    const page = await shown.open('incidents');
    await page.locator('[data-search]').fill('id:syn-7-0000h');
    await expect(page.getByRole('option')).toHaveCount(1);
    await page.getByRole('option').click();
    const words = page.getByRole('region', { name: 'Incident details' }).getByText(/^Evidence: /);
    await expect(words).toHaveText('Evidence: 4');
    await shown.push({ evidence: { complete: false } });
    await expect(words).toHaveText('Evidence: 4 according to the service, at least 4 listed');
  });

  test('the list of one incident does not name it in each row', async ({ shown }) => {
    const page = await shown.open('incidents');
    await page.locator('[data-search]').fill('id:syn-7-0000h');
    await expect(page.getByRole('option')).toHaveCount(1);
    await page.getByRole('option').click();
    await page.getByRole('button', { name: /^Show evidence/ }).click();
    const rows = evidenceOf(page).getByRole('row');
    await expect(rows.first()).toBeVisible();
    await expect(rows.filter({ hasText: /incident|0000h/ })).toHaveCount(0);
  });

  test('an item without a CID says so', async ({ shown }) => {
    const page = await shown.open('evidence, in parts');
    await expect(rowOf(page, newest)).toContainText('no CID');
  });

  test('what is still to load is not said to be kept, nor is what cannot be shown said to be damaged', async ({
    shown,
  }) => {
    const page = await shown.open('evidence, fetched');
    await expect(evidenceOf(page).getByText(/^1 file kept for offline · 1 still to load · /)).toBeVisible();
    const verified = rowOf(page, newest);
    await verified.click();
    await expect(verified.getByText('kept for offline', { exact: true })).toBeVisible();
    const waiting = rowOf(page, 'waiting');
    await waiting.click();
    await expect(waiting.getByRole('button', { name: 'Cancel loading' })).toBeVisible();
    await expect(waiting.getByText('kept for offline', { exact: true })).toHaveCount(0);
    await page.route('**/evidence/*', (route) =>
      route.fulfill({ contentType: 'image/jpeg', body: 'no picture' }),
    );
    await verified.click();
    await verified.getByRole('button', { name: 'Open viewer' }).click();
    const viewer = page.getByRole('dialog', { name: 'Evidence viewer' });
    await expect(viewer.getByText('This file could not be shown.')).toBeVisible();
    await expect(viewer.getByText('Every byte matches the CID.')).toBeVisible();
  });

  test('much evidence is kept only once an operator has confirmed how much it is', async ({ shown }) => {
    const page = await shown.open('evidence, keep');
    const dialog = page.getByRole('dialog', { name: 'Keep 1,240 files for offline?' });
    await expect(dialog).toContainText('1,180 of them are not on this computer yet.');
    await expect(dialog).toContainText('Only 900 more files can be kept.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    expect(await shown.calls('keepContent')).toEqual([]);
    await evidenceOf(page).getByRole('button', { name: 'Keep the evidence of the incidents shown' }).click();
    await dialog.getByRole('button', { name: 'Keep for offline' }).click();
    await expect(dialog).toBeHidden();
    const [counted] = (await shown.calls('countContent')) as { of: { kind: string; keys: number[] } }[];
    expect(counted?.of.kind).toBe('incidents');
    expect(counted?.of.keys.length).toBeGreaterThan(20);
    await expect.poll(() => shown.calls('keepContent')).toEqual([{ of: counted?.of, kept: true }]);
  });

  test('what is not much is kept at once', async ({ shown }) => {
    const page = await shown.open('evidence, fetched');
    await evidenceOf(page).getByRole('button', { name: 'Keep all for offline' }).click();
    await expect.poll(() => shown.calls('keepContent')).toEqual([{ of: { kind: 'list' }, kept: true }]);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

test('the viewer loads what it opens, once, and nothing that failed', async ({ shown }) => {
  const page = await shown.open('evidence, viewer');
  const viewer = page.getByRole('dialog', { name: 'Evidence viewer' });
  for (let step = 1; step <= 6; step += 1) {
    await page.keyboard.press('PageDown');
    await expect(viewer.getByText(`${String(step + 1)} of`)).toBeVisible();
  }
  await expect.poll(() => shown.calls('loadContent')).toHaveLength(1);
  expect(await shown.calls('loadContent')).toMatchObject([{ soon: true }]);
});

test('all evidence of an incident that is not here is loaded by one press', async ({ shown }) => {
  const page = await shown.open('evidence of an incident');
  await page.getByRole('button', { name: 'Load and verify all 3' }).click();
  await expect.poll(async () => (await shown.calls('loadContent')).length).toBe(3);
});

test('the viewer begins below the band of a training', async ({ shown }) => {
  const page = await shown.open('evidence, viewer');
  await shown.push({ app: { training: true } });
  const band = page.getByRole('complementary', { name: 'Training notice' });
  await expect(band).toBeVisible();
  const [over, under] = await Promise.all([
    band.boundingBox(),
    page.getByRole('dialog', { name: 'Evidence viewer' }).boundingBox(),
  ]);
  expect(under?.y).toBeGreaterThanOrEqual((over?.y ?? Number.NaN) + (over?.height ?? Number.NaN));
});

test('a line that is cut in a page from right to left keeps the beginning of a media type', async ({
  shown,
}) => {
  const page = await shown.open('evidence', { language: 'ar' });
  const lines = page.locator('.item__facts').filter({ hasText: /\w+\/\w+/ });
  await expect(lines.first()).toBeVisible();
  const lost = await lines.evaluateAll((all: HTMLElement[]) =>
    all.flatMap((line) => {
      const types = Array.from(line.querySelectorAll(':scope > bdi')).flatMap((part) => {
        const text = part.firstChild as Text | null;
        return text !== null && /^\w+\/\w/.test(text.data) ? [text] : [];
      });
      return types.flatMap((text) => {
        const whole = document.createRange();
        whole.selectNodeContents(text);
        const { left, width } = whole.getBoundingClientRect();
        // The line ends amid the type.
        line.style.maxWidth = `${String(line.getBoundingClientRect().right - left - width / 3)}px`;
        whole.setEnd(text, 1);
        return whole.getBoundingClientRect().left < line.getBoundingClientRect().left - 1 ? [text.data] : [];
      });
    }),
  );
  expect(lost).toEqual([]);
});
