import type { Browser, Page } from '@playwright/test';
import { largestPageWords, residentWords } from './resident.ts';
import { measure, type Measure, type Row, type SizeLine, type Stall } from './statistics.ts';
import { openStoredConsole, type StoredConsole } from './storedConsole.ts';
import { frameInterval, longestTask, recordTrace, toNextPaint, type PageTrace } from './trace.ts';

export interface PanZoomOptions {
  readonly browser: Browser;
  readonly size: number;
  /** What it is held against: the same console with so many, or without towns on its map. */
  readonly floor: { readonly size: number; readonly towns: boolean };
  readonly runs: number;
}

const goal = 1.2;
const settleMs = 4_000;
const idleMs = 5_000;
const moves = 24;
const movePause = 33;
const notches = 6;
const notchPause = 120;
const restMs = 1_500;

/**
 * Moving the map of the console as it ships: a drag across it and back, some notches of the wheel in and
 * out. From each move to its paint, and from one presented frame to the next, beside the longest task of
 * the page's thread; against the same console with fewer incidents, both open at once and used in turn.
 */
export async function benchPanZoom({ browser, size, floor: held, runs }: PanZoomOptions): Promise<Row[]> {
  const ours = await openStoredConsole({ browser, size });
  const sizes: SizeLine[] = [
    { what: 'page process, map at rest', size, value: await largestPageWords(browser) },
    { what: 'main process, map at rest', size, value: await residentWords(ours.pid) },
  ];
  const floor = await openStoredConsole({ browser, ...held });
  const consoles: Record<'ours' | 'floor', StoredConsole> = { ours, floor };
  const taken = {
    pan: { ours: [] as PageTrace[], floor: [] as PageTrace[] },
    zoom: { ours: [] as PageTrace[], floor: [] as PageTrace[] },
  };
  try {
    await ours.page.waitForTimeout(settleMs);
    await ours.page.bringToFront();
    const idle = await recordTrace(browser, ours.page, () => ours.page.waitForTimeout(idleMs));
    for (let run = 0; run < runs + 1; run += 1) {
      for (const name of ['ours', 'floor'] as const) {
        const { page } = consoles[name];
        await page.bringToFront();
        const panned = await recordTrace(browser, page, () => pan(page));
        const zoomed = await recordTrace(browser, page, () => zoom(page));
        // Nobody's first look at a place counts: its tiles are made once.
        if (run === 0) continue;
        taken.pan[name].push(panned);
        taken.zoom[name].push(zoomed);
      }
    }
    sizes.push({ what: 'page process, map moved', size, value: await largestPageWords(browser) });
    const words = held.towns
      ? `the same with ${String(held.size)}`
      : 'the same without towns, waters and provinces';
    const named = (what: string): string => (held.towns ? what : `towns, ${what}`);
    const line = (what: string, how: 'pan' | 'zoom', of: (trace: PageTrace) => number[]): Measure =>
      measure({
        what,
        size,
        goal,
        floor: words,
        ours: taken[how].ours.flatMap(of),
        floorSamples: taken[how].floor.flatMap(of),
      });
    const stall = (what: string, how: 'pan' | 'zoom'): Stall => ({
      what,
      size,
      longest: Math.max(...taken[how].ours.map(longestTask)),
      idleLongest: longestTask(idle),
      floorLongest: Math.max(...taken[how].floor.map(longestTask)),
    });
    return [
      line(named('pan: move'), 'pan', (trace) => toNextPaint(trace, 'MOUSE_DRAGGED')),
      line(named('pan: frame'), 'pan', (trace) => [frameInterval(trace)]),
      line(named('zoom: notch'), 'zoom', (trace) => toNextPaint(trace, 'MOUSE_WHEEL')),
      line(named('zoom: frame'), 'zoom', (trace) => [frameInterval(trace)]),
      stall(named('pan'), 'pan'),
      stall(named('zoom'), 'zoom'),
      ...sizes,
    ];
  } finally {
    await floor.close();
    await ours.close();
  }
}

async function middleOf(page: Page): Promise<{ readonly x: number; readonly y: number }> {
  const box = await page.locator('[data-map-state]').boundingBox();
  if (box === null) throw new Error('The map is not there');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function pan(page: Page): Promise<void> {
  const { x, y } = await middleOf(page);
  for (const way of [1, -1]) {
    await page.mouse.move(x - way * 150, y);
    await page.mouse.down();
    for (let move = 1; move <= moves; move += 1) {
      await page.mouse.move(x - way * 150 + (way * 300 * move) / moves, y);
      await page.waitForTimeout(movePause);
    }
    // Held still before it is let go: it must not glide on.
    await page.waitForTimeout(restMs / 5);
    await page.mouse.up();
  }
  await page.waitForTimeout(restMs);
}

async function zoom(page: Page): Promise<void> {
  const { x, y } = await middleOf(page);
  await page.mouse.move(x, y);
  for (const way of [-1, 1]) {
    for (let notch = 0; notch < notches; notch += 1) {
      await page.mouse.wheel(0, way * 100);
      await page.waitForTimeout(notchPause);
    }
    await page.waitForTimeout(restMs);
  }
}
