import type { Browser, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** What only somebody signed in sees: the map, the workspace, places' names, other languages. */
const later = /\/(?:map|maplibre|MapPane|OpenedStage|WallboardView|places|words-(?!en-))[^/]*\.(?:js|mjs)$/;
/** Before the page was split it was 2.9 MB, in two files of 1.1 MB; the map alone is still one of those. */
const mostScript = 800_000;

const addressOf = (origin: string, state: string): string =>
  `${origin}/?${new URLSearchParams({ state }).toString()}`;
const scripts = (page: Page): Promise<{ readonly name: string; readonly bytes: number }[]> =>
  page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => /\/assets\/.*\.m?js$/.test(name))
      .map(({ name, decodedBodySize }) => ({ name, bytes: decodedBodySize })),
  );

async function freshPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' });
  return context.newPage();
}

test.describe('first paint', () => {
  test('the sign-in page waits for neither the map nor the workspace nor other languages', async ({
    browser,
    origin,
  }) => {
    const page = await freshPage(browser);
    // What is loaded ahead, once the page has nothing to do, is not what the first paint waits for.
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0;
    });
    await page.goto(addressOf(origin, 'sign in'));
    await expect(page.getByRole('heading', { name: 'Harbour station' })).toBeVisible();
    const loaded = await scripts(page);
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter(({ name }) => later.test(name))).toEqual([]);
    expect(loaded.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(mostScript);
    await page.context().close();
  });

  test('an idle sign-in page loads ahead what comes after it', async ({ browser, origin }) => {
    const page = await freshPage(browser);
    await page.goto(addressOf(origin, 'sign in'));
    for (const part of ['OpenedStage', 'map']) {
      await expect
        .poll(async () => (await scripts(page)).some(({ name }) => name.includes(`/assets/${part}-`)), part)
        .toBe(true);
    }
    await expect(page.locator('canvas')).toHaveCount(0);
    await page.context().close();
  });

  test('the map asks for its graphics once, on its own canvas, with the list on the screen', async ({
    browser,
    origin,
  }) => {
    const page = await freshPage(browser);
    await page.addInitScript(() => {
      const asked: { canvas: string; listed: boolean }[] = [];
      const getContext = HTMLCanvasElement.prototype.getContext as (...args: unknown[]) => unknown;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: unknown[]) {
        if (!String(args[0]).startsWith('webgl')) return getContext.apply(this, args);
        asked.push({ canvas: this.className, listed: document.querySelector('.list__row') !== null });
        // As far as a trial goes; the map itself is refused.
        return this.isConnected ? null : { getExtension: () => null };
      } as typeof HTMLCanvasElement.prototype.getContext;
      Object.assign(window, { asked });
    });
    await page.goto(addressOf(origin, 'incidents'));
    await expect(page.getByText('This computer can’t draw the map.')).toBeVisible();
    expect(await page.evaluate(() => (window as unknown as { asked: unknown }).asked)).toEqual([
      { canvas: 'maplibregl-canvas', listed: true },
    ]);
    await page.context().close();
  });

  test('a part that is on its way is said', async ({ browser, origin }) => {
    const page = await freshPage(browser);
    let come = (): void => undefined;
    const coming = new Promise<void>((resolve) => (come = resolve));
    await page.route('**/assets/OpenedStage-*.js', async (route) => {
      await coming;
      await route.continue();
    });
    await page.goto(addressOf(origin, 'incidents'), { waitUntil: 'commit' });
    await expect(page.getByRole('main').getByRole('status')).toHaveText('Opening the console');
    come();
    await expect(page.locator('[data-region="panel"]')).toBeVisible();
    await page.context().close();
  });

  test('a part that cannot be loaded is said, and the page can be loaded again', async ({
    browser,
    origin,
  }) => {
    const page = await freshPage(browser);
    const files = '**/assets/OpenedStage-*.js';
    await page.route(files, (route) => route.abort());
    await page.goto(addressOf(origin, 'incidents'));
    const alert = page.getByRole('alert').filter({ hasText: 'A part of this page did not load.' });
    await expect(alert).toBeVisible();
    await page.unroute(files);
    await alert.getByRole('button', { name: 'Load again' }).click();
    await expect(page.locator('[data-region="panel"]')).toBeVisible();
    await page.context().close();
  });
});
