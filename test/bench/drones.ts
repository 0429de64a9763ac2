import type { Browser } from '@playwright/test';
import type {} from './pages/api.ts';
import { measure, type Row } from './statistics.ts';

const names = ['ours', 'bare'] as const;
type PageName = (typeof names)[number];

/** Milliseconds of a flight, and of the time before it in which a map comes to rest. */
const flightMs = 10_000;
const settleMs = 4_000;

/**
 * So many drones that say five times a second where they are, with names, headings and trails, beside a map with
 * the same points as circles. Frames, and the longest task of the page's thread; the idle page is ours too.
 */
export async function benchDrones({
  browser,
  url,
  count,
  points,
  runs,
}: {
  readonly browser: Browser;
  readonly url: string;
  readonly count: number;
  /** How many incidents lie on the map under them. */
  readonly points: number;
  readonly runs: number;
}): Promise<Row[]> {
  const frames: Record<PageName, number[]> = { ours: [], bare: [] };
  const stalled: Record<PageName, number[]> = { ours: [], bare: [] };
  const idle: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    for (const name of names) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await page.goto(`${url}${name}.html?size=${String(points)}`);
      await page.waitForFunction(() => 'bench' in window);
      await page.evaluate(() => window.bench.opened);
      await page.waitForTimeout(settleMs);
      if (name === 'ours') {
        const still = await page.evaluate((ms) => window.bench.fly(0, ms), flightMs / 2);
        idle.push(still.stallMs);
      }
      const flown = await page.evaluate(([drones, ms]) => window.bench.fly(drones, ms), [
        count,
        flightMs,
      ] as const);
      frames[name].push(...flown.frames);
      stalled[name].push(flown.stallMs);
      await page.close();
    }
  }
  return [
    measure({
      what: 'drones: frame',
      size: count,
      goal: null,
      floor: 'bare MapLibre page, updateData of the same points as circles, 5 a second',
      ours: frames.ours,
      floorSamples: frames.bare,
    }),
    {
      what: 'drones',
      size: count,
      longest: Math.max(...stalled.ours),
      idleLongest: Math.max(...idle),
      floorLongest: Math.max(...stalled.bare),
    },
  ];
}
