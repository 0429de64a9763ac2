import type { Browser, Page } from '@playwright/test';
import type { Row } from './statistics.ts';
import { openStoredConsole } from './storedConsole.ts';

const settleMs = 4_000;
/** Until what was asked for is drawn, ms. */
const restMs = 1_000;

/**
 * The longest task of the page's thread while the list of `size` incidents is grouped by type, then by nearest town
 * until all towns are known, and while a group is closed and opened.
 */
export async function* benchGrouping({
  browser,
  size,
}: {
  readonly browser: Browser;
  readonly size: number;
}): AsyncGenerator<Row> {
  const console = await openStoredConsole({ browser, size });
  const { page } = console;
  try {
    await page.waitForTimeout(settleMs);
    const idleLongest = await longestTask(page, () => page.waitForTimeout(settleMs));
    const stall = async (what: string, run: () => Promise<void>): Promise<Row> => ({
      what,
      size,
      longest: await longestTask(page, run),
      idleLongest,
      floorLongest: idleLongest,
    });
    const headers = page.locator('.list__group');
    const groupBy = async (name: string): Promise<void> => {
      await page.locator('.order__open').click();
      await page.getByRole('button', { name, exact: true }).click();
      await headers.first().waitFor();
      await page.waitForTimeout(restMs);
    };
    yield await stall('by type', () => groupBy('by type'));
    yield await stall('by town', async () => {
      await groupBy('by nearest town');
      await page.getByText('Place not known yet').waitFor({ state: 'detached' });
      await page.waitForTimeout(restMs);
    });
    yield await stall('one group', async () => {
      for (let press = 0; press < 4; press += 1) {
        await headers.first().click();
        await page.waitForTimeout(restMs);
      }
    });
  } finally {
    await console.close();
  }
}

/** Milliseconds; 0 where no task took over 50, which no browser tells of. */
async function longestTask(page: Page, run: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    });
    observer.observe({ type: 'longtask' });
    const stop = (): number => {
      for (const { duration } of observer.takeRecords()) tasks.push(duration);
      observer.disconnect();
      return Math.max(0, ...tasks);
    };
    Object.assign(globalThis, { benchTasks: { stop } });
  });
  await run();
  return page.evaluate(() => (globalThis as unknown as { benchTasks: { stop(): number } }).benchTasks.stop());
}
