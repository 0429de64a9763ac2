import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { TrainingServer } from '../support/training/index.ts';
import { expect, test, type OpenedConsole } from './support/fixtures.ts';
import { violations } from './support/violations.ts';

const evidenceOf = (page: Page): Locator => page.getByRole('region', { name: 'Evidence', exact: true });
const rowOf = (page: Page, text: string): Locator =>
  evidenceOf(page).getByRole('row').filter({ hasText: text });
const viewerOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Evidence viewer' });

const expectSeen = async (page: Page): Promise<void> => {
  const picture = viewerOf(page).getByRole('img');
  await expect(picture).toBeVisible();
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(700);
};

test.use({
  deployment: async ({ service }, use) => {
    await use({ gateways: [service.gatewayUrl] });
  },
});

test(
  'a picture is loaded, verified, seen, kept and seen again without the network',
  { tag: ['@journey', '@stand-in'] },
  async ({ open, service }) => {
    const first = await open();
    await first.operator.signIn(service.credentials);
    await first.operator.openPanel('Evidence');
    const row = rowOf(first.page, 'image/jpeg').first();
    await row.click();
    await row.getByRole('button', { name: 'Load', exact: true }).click();
    await expect(row.getByText('verified', { exact: true }).first()).toBeVisible();
    await row.getByRole('button', { name: 'Keep for offline' }).click();
    await expect(evidenceOf(first.page).getByText(/1 file kept for offline/)).toBeVisible();
    await row.getByRole('button', { name: 'Open viewer' }).click();
    await expectSeen(first.page);
    await first.page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await violations(first.page), 'viewer').toEqual([]);
    await first.page.keyboard.press('1');
    await expect(viewerOf(first.page).getByText('100 %')).toBeVisible();
    await first.page.keyboard.press('0');
    await first.page.keyboard.press('c');
    await expect(viewerOf(first.page).getByRole('figure')).toHaveCount(2);
    await first.page.keyboard.press('Escape');
    await expect(viewerOf(first.page)).toHaveCount(0);
    await first.stop();

    const { credentials } = service;
    await service.goDown();
    const second = await open();
    await second.operator.tryToSignIn(credentials);
    await second.operator.openPanel('Evidence');
    const again = rowOf(second.page, 'image/jpeg').filter({ hasText: 'verified' }).first();
    await again.click();
    await again.getByRole('button', { name: 'Open viewer' }).click();
    await expectSeen(second.page);
  },
);

test('a video is shown and goes to any time', { tag: '@stand-in' }, async ({ operator }) => {
  const { page } = operator;
  await operator.openPanel('Evidence');
  const row = rowOf(page, 'video/mp4').first();
  await row.click();
  await row.getByRole('button', { name: 'Load', exact: true }).click();
  await expect(row.getByText('verified', { exact: true }).first()).toBeVisible();
  await row.getByRole('button', { name: 'Open viewer' }).click();
  const video = viewerOf(page).locator('video');
  await expect.poll(() => video.evaluate((element) => (element as HTMLVideoElement).duration)).toBe(6);
  const time = await video.evaluate(async (element) => {
    const player = element as HTMLVideoElement;
    const sought = new Promise((resolve) => player.addEventListener('seeked', resolve, { once: true }));
    player.currentTime = 4.2;
    await sought;
    return player.currentTime;
  });
  expect(time).toBeCloseTo(4.2, 1);
});

test(
  'bytes that are not those of the CID are reported and never shown',
  { tag: '@journey' },
  async ({ operator, service }) => {
    const { page } = operator;
    await service.set({ gatewayFault: 'other-bytes' });
    await operator.openPanel('Evidence');
    const row = rowOf(page, 'image/jpeg').first();
    await row.click();
    await row.getByRole('button', { name: 'Load', exact: true }).click();
    await expect(row.getByText('does not match', { exact: true }).first()).toBeVisible();
    await expect(row.getByText(/They were discarded/)).toBeVisible();
    await expect(row.getByRole('button', { name: 'Open viewer' })).toHaveCount(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await violations(page), 'does not match').toEqual([]);
    await service.set({ gatewayFault: 'none' });
    await row.getByRole('button', { name: 'Load again' }).click();
    await expect(row.getByText('verified', { exact: true }).first()).toBeVisible();
  },
);

/** A console under a policy file, signed in, its evidence listed. */
async function underPolicy(
  {
    open,
    folder,
    service,
  }: {
    readonly open: (args: readonly string[]) => Promise<OpenedConsole>;
    readonly folder: string;
    readonly service: TrainingServer;
  },
  policy: Readonly<Record<string, unknown>>,
): Promise<Page> {
  const path = join(folder, 'policy.json');
  await writeFile(path, JSON.stringify({ version: 1, ...policy }));
  const { page, operator } = await open(['--policy', path, '--deployment', join(folder, 'station-1.json')]);
  await operator.signIn(service.credentials);
  await operator.openPanel('Evidence');
  await expect(rowOf(page, 'image/jpeg').first()).toBeVisible();
  return page;
}

test('a kiosk shows pictures and has no way to a browser of the system', async ({
  open,
  folder,
  service,
}) => {
  const page = await underPolicy({ open, folder, service }, { kiosk: { mode: 'operator' } });
  const row = rowOf(page, 'image/jpeg').first();
  await row.click();
  await expect(row.getByRole('button', { name: 'Copy CID', exact: true })).toBeVisible();
  await expect(row.getByRole('button', { name: 'Open in gateway' })).toHaveCount(0);
  await expect(evidenceOf(page).getByRole('link')).toHaveCount(0);
  await row.getByRole('button', { name: 'Load', exact: true }).click();
  await row.getByRole('button', { name: 'Open viewer' }).click();
  await expectSeen(page);
});

test('a policy that forbids it leaves nothing to load', async ({ open, folder, service }) => {
  const page = await underPolicy({ open, folder, service }, { evidencePreview: false });
  const row = rowOf(page, 'image/jpeg').first();
  await row.click();
  await expect(row.getByRole('button', { name: 'Copy CID', exact: true })).toBeVisible();
  await expect(row.getByRole('button', { name: 'Load', exact: true })).toHaveCount(0);
  await expect(evidenceOf(page).getByRole('button', { name: /offline/ })).toHaveCount(0);
});

test('what is saved is what the CID names', async ({ operator, service }) => {
  const { page } = operator;
  await operator.openPanel('Evidence');
  const row = rowOf(page, 'application/geo+json').first();
  await row.click();
  await row.getByRole('button', { name: 'Load', exact: true }).click();
  await expect(row.getByText('verified', { exact: true }).first()).toBeVisible();
  const cid =
    (await row
      .getByText(/^baf\w{50,}$/)
      .first()
      .textContent()) ?? '';
  const named = Buffer.from(await (await fetch(`${service.gatewayUrl}${cid}`)).arrayBuffer());
  const download = page.waitForEvent('download');
  await row.getByRole('button', { name: 'Save', exact: true }).click();
  const saved = await readFile(await (await download).path());
  expect(saved.byteLength).toBeGreaterThan(60);
  expect(saved.equals(named)).toBe(true);
});

test('the evidence of the incidents that the list shows is kept', async ({ operator }) => {
  const { page } = operator;
  await operator.openPanel('Evidence');
  await expect(rowOf(page, 'image/jpeg').first()).toBeVisible();
  await evidenceOf(page).getByRole('button', { name: 'Keep the evidence of the incidents shown' }).click();
  await expect(evidenceOf(page).getByText(/ kept for offline · .* used/)).toBeVisible();
  await expect(evidenceOf(page).getByText(/still to load/)).toHaveCount(0);
});

test.describe('where a list fetches what it shows', () => {
  test.use({
    deployment: async ({ service }, use) => {
      await use({ gateways: [service.gatewayUrl], evidencePreview: 'auto' });
    },
  });

  test('pictures come without a press', async ({ operator }) => {
    const { page } = operator;
    await operator.openPanel('Evidence');
    await expect(rowOf(page, 'verified').first()).toBeVisible();
    await expect(evidenceOf(page).locator('canvas').first()).toBeVisible();
  });
});
