import { readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { Locator, Page } from '@playwright/test';
import { patience } from '../support/patience.ts';
import { expect, test } from './support/fixtures.ts';
import { forgetPeak, memoryOf } from './support/memory.ts';

const megabyte = 1_048_576;
const large = 2_048 * megabyte;
/** Less than a sixteenth of the file, in megabytes: nothing that holds a good part of it stays below. */
const mostGrowth = 128;

/** A file of that size that takes no room on the disk. */
async function hollowFile(path: string, bytes: number): Promise<string> {
  await writeFile(path, '');
  await truncate(path, bytes);
  return path;
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  // What is being removed may be gone between the two.
  const size = (path: string): Promise<number> =>
    stat(path).then(
      (found) => found.size,
      () => 0,
    );
  const sizes = await Promise.all(files.map(({ parentPath, name }) => size(join(parentPath, name))));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

const outboxOf = (page: Page): Locator => page.getByRole('region', { name: 'Outbox', exact: true });
const rowOf = (page: Page, name: string): Locator =>
  outboxOf(page).getByRole('row').filter({ hasText: name });
const expectState = (page: Page, name: string, state: string): Promise<void> =>
  expect(rowOf(page, name).getByText(state, { exact: true })).toBeVisible({ timeout: patience.test });

async function choose(page: Page, path: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    outboxOf(page).getByRole('button', { name: 'Add files' }).click(),
  ]);
  await chooser.setFiles(path);
}

test.describe('a file of 2 GiB on its way into the outbox of a desktop', { tag: '@desktop' }, () => {
  test.beforeEach(async ({ opened, service, folder }) => {
    test.skip(process.platform !== 'linux', 'Only Linux says the peak of another process’s memory');
    const { operator, page } = opened;
    await operator.signIn(service.credentials);
    await operator.openPanel('Outbox');
    // What a first upload loads and sets aside is no growth of the next.
    await choose(page, await hollowFile(join(folder, 'small.mp4'), 64 * megabyte));
    await expectState(page, 'small.mp4', 'Sent');
    // What is looked at is the way into the outbox, not the way to the service.
    await outboxOf(page).getByRole('button', { name: 'Pause all' }).click();
    await expect(outboxOf(page).getByText('Nothing is sent until you resume.')).toBeVisible();
  });

  test('leaves the memory of the main process as it was', async ({ opened, folder }, testInfo) => {
    const { page, pid, dataDir } = opened;
    const before = await memoryOf(pid);
    await forgetPeak(pid);
    const begun = performance.now();
    await choose(page, await hollowFile(join(folder, 'large.mp4'), large));
    await expectState(page, 'large.mp4', 'Queued');
    const seconds = (performance.now() - begun) / 1_000;
    const growth = (await memoryOf(pid)).peak - before.held;
    const figure = `2 GiB in ${seconds.toFixed(0)} s; the main process held ${before.held.toFixed(0)} MB and grew by ${growth.toFixed(0)} MB at most`;
    testInfo.annotations.push({ type: 'measured', description: figure });
    console.log(figure);
    expect(await bytesBelow(dataDir), 'all of it lies in the spool').toBeGreaterThan(large);
    expect(growth).toBeLessThan(mostGrowth);
  });

  test('is cancelled while it is copied, and nothing of it stays', async ({ opened, folder }, testInfo) => {
    const { page, dataDir } = opened;
    const before = await bytesBelow(dataDir);
    await choose(page, await hollowFile(join(folder, 'large.mp4'), large));
    await expectState(page, 'large.mp4', 'Copying');
    await expect.poll(() => bytesBelow(dataDir)).toBeGreaterThan(before + 64 * megabyte);
    const cancelled = performance.now();
    await rowOf(page, 'large.mp4').getByRole('button', { name: 'Cancel large.mp4' }).click();
    await expectState(page, 'large.mp4', 'Failed');
    const figure = `Cancelled after ${(performance.now() - cancelled).toFixed(0)} ms`;
    testInfo.annotations.push({ type: 'measured', description: figure });
    console.log(figure);
    await expect.poll(() => bytesBelow(dataDir)).toBeLessThan(before + 16 * megabyte);
  });
});
