import type { Browser, Page } from '@playwright/test';
import { openStoredConsole } from './storedConsole.ts';
import { median, type SizeLine } from './statistics.ts';

export interface AtRestOptions {
  readonly browser: Browser;
  /** How many incidents the console holds. */
  readonly size: number;
  /** How often each page is measured, in turn. */
  readonly runs: number;
}

/** A page that shows the time of day and nothing else, renewed each second. */
const clockPage = `<!doctype html><title>Clock</title><p></p><script>
const show = () => { document.querySelector('p').textContent = new Date().toISOString().slice(11, 19); };
setInterval(show, 1000); show();</script>`;
/** The map compiles its shaders with the first frames, and draws what fades in. */
const settleMs = 15_000;
const restMs = 20_000;

/**
 * What the page costs while nothing arrives and nothing is touched: processor time of all of the browser's
 * processes per time on the clock, in percent of one core. Beside it a page that shows only a clock, before
 * and after, while no other page is open in the browser.
 */
export async function benchAtRest({ browser, size, runs }: AtRestOptions): Promise<SizeLine[]> {
  const clock = await costOfClock(browser, runs);
  const stored = await openStoredConsole({ browser, size });
  let console: number[];
  try {
    await stored.page.waitForTimeout(settleMs);
    console = await costAtRest(browser, stored.page, runs);
  } finally {
    await stored.close();
  }
  clock.push(...(await costOfClock(browser, runs)));
  const line = (what: string, count: number, samples: readonly number[]): SizeLine => ({
    what,
    size: count,
    value: `${median(samples).toFixed(2)} % of a core (${samples.map((one) => one.toFixed(2)).join(', ')})`,
  });
  return [line('page at rest', size, console), line('page of a clock at rest', 0, clock)];
}

async function costOfClock(browser: Browser, runs: number): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await page.setContent(clockPage);
    return await costAtRest(browser, page, runs);
  } finally {
    await page.close();
  }
}

/** Percent of one core that the browser's processes take while `page` is left alone, `runs` times. */
async function costAtRest(browser: Browser, page: Page, runs: number): Promise<number[]> {
  const taken: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const [before, began] = [await processorSeconds(browser), performance.now()];
    await page.waitForTimeout(restMs);
    const [after, ended] = [await processorSeconds(browser), performance.now()];
    taken.push(((after - before) * 100_000) / (ended - began));
  }
  return taken;
}

async function processorSeconds(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}
