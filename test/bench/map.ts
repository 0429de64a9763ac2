import type { Browser, Page } from '@playwright/test';
import type {} from './pages/api.ts';
import { measure, type Measure, type Row } from './statistics.ts';

type PageName = 'ours' | 'bare';

export interface MapBenchOptions {
  readonly browser: Browser;
  readonly url: string;
  readonly size: number;
  readonly runs: number;
}

/** Opening, filtering and a live change, ours and bare in turn so that both see the same machine. */
export async function benchMap({ browser, url, size, runs }: MapBenchOptions): Promise<Row[]> {
  const opened: Record<PageName, number[]> = { ours: [], bare: [] };
  const filtered: Record<PageName, number[]> = { ours: [], bare: [] };
  const live: Record<PageName, number[]> = { ours: [], bare: [] };
  const stalled: Record<PageName, number[]> = { ours: [], bare: [] };
  const idle: number[] = [];

  for (let run = 0; run < runs; run += 1) {
    for (const name of ['ours', 'bare'] as const) {
      const page = await open(browser, `${url}${name}.html?size=${String(size)}`);
      opened[name].push(await page.evaluate(() => window.bench.opened));
      if (run === runs - 1) await inUse(page, name);
      await page.close();
    }
  }

  async function inUse(page: Page, name: PageName): Promise<void> {
    await page.waitForTimeout(1000);
    for (let run = 0; run < runs + 1; run += 1) {
      const on = await page.evaluate(() => window.bench.filter('high'));
      await page.evaluate(() => window.bench.filter(null));
      if (run > 0) filtered[name].push(on);
    }
    for (let run = 0; run < runs + 1; run += 1) {
      const { drawnMs, stallMs } = await page.evaluate(() => window.bench.live());
      if (name === 'ours') idle.push(await page.evaluate((ms) => window.bench.idle(ms), drawnMs));
      if (run === 0) continue;
      live[name].push(drawnMs);
      stalled[name].push(stallMs);
    }
  }

  const line = (what: string, goal: number, floor: string, samples: Record<PageName, number[]>): Measure =>
    measure({ what, size, goal, floor, ours: samples.ours, floorSamples: samples.bare });
  return [
    line('map', 1.2, 'bare MapLibre page, the same GeoJSON clustered, the same basemap', opened),
    line('filter', 1.5, 'one pass + setData of the clustered source', filtered),
    line('live change', 1.2, 'updateData of 100 on the clustered source', live),
    {
      what: 'live change',
      size,
      longest: Math.max(...stalled.ours),
      idleLongest: Math.max(...idle),
      floorLongest: Math.max(...stalled.bare),
    },
  ];
}

async function open(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.waitForFunction(() => 'bench' in window);
  return page;
}
