import type { Browser, Page } from '@playwright/test';
import { join } from 'node:path';
import {
  givePreferences,
  removeFolder,
  serveConsole,
  temporaryFolder,
  writeDeployment,
} from '../e2e/support/launch.ts';
import { Operator } from '../e2e/support/operator.ts';
import { credentials, deploymentId, makeVault, storeIncidents } from './vault.ts';

/** A console that opened its vault without its service, as at a station that has no network. */
export interface StoredConsole {
  readonly page: Page;
  /** Of its main process. */
  readonly pid: number;
  close(): Promise<void>;
}

/** Nothing answers there, so that nothing is read or polled while the page is measured. */
const nobody = 'http://127.0.0.1:9';
const largestWaitMs = 180_000;

/** The console as it ships, over a vault with `size` incidents: all of them drawn, the timeline open. */
export async function openStoredConsole({
  browser,
  size,
  towns = true,
}: {
  readonly browser: Browser;
  readonly size: number;
  /** Whether the bundled towns, waters and provinces come to the map. */
  readonly towns?: boolean;
}): Promise<StoredConsole> {
  const work = await temporaryFolder();
  const dataDir = join(work, 'data');
  await makeVault({ dataDir, url: nobody, fill: (vault, now) => storeIncidents(vault, size, now) });
  await givePreferences(dataDir, { tourDone: true, theme: 'night', language: 'en', motion: 'system' });
  const deployment = await writeDeployment(work, {
    id: deploymentId,
    name: 'Bench',
    infrastructureUrl: nobody,
    coordinationUrl: nobody,
    timestampUnit: 'seconds',
  });
  const console = await serveConsole(dataDir, ['--deployment', deployment]);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const close = async (): Promise<void> => {
    await page.close();
    await console.stop();
    await removeFolder(work);
  };
  try {
    page.setDefaultTimeout(largestWaitMs);
    if (!towns) await withoutTowns(page);
    await page.goto(console.url);
    const operator = new Operator(page);
    await operator.tryToSignIn(credentials);
    await page.waitForSelector(`[data-drawn-incidents="${String(size)}"]`, { state: 'attached' });
    await page.getByRole('button', { name: 'Show the timeline' }).click();
    await page.locator('.timeline').waitFor();
    return { page, pid: console.pid, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A map as it was before it had towns, waters and provinces: their archive does not come. */
export const withoutTowns = (page: Page): Promise<unknown> =>
  page.route(/\/details[^/]*\.pmtiles$/, (route) => route.abort());
