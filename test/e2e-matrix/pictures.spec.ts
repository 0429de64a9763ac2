import type { Page } from '@playwright/test';
import process from 'node:process';
import { themeNames } from '../../src-preload/contract/index.ts';
import { expect, test } from '../e2e/support/fixtures.ts';
import { show } from '../e2e/support/pageStores.ts';
import { preferTheme } from '../e2e/support/preferences.ts';

const pinned = 'Chromium of the npm package @sparticuz/chromium';
const browserLabel = process.env['FIELD_CONSOLE_BROWSER_LABEL'] ?? '';

/** What differs from run to run: times and ages, ports, and the caret. Out of the flow where it moves others. */
async function hold(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      * { caret-color: transparent !important; }
      [data-volatile] { visibility: hidden !important; }
      footer > :not([role='status']), .map-arrival { display: none !important; }
    `);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
}
/** Marks whatever says a time, an age or an address of this run. */
async function markVolatile(page: Page): Promise<void> {
  await page.evaluate(() => {
    const volatile = /\d+\s?(?:s|min|h|d)\b|\d\d:\d\d|\d{4}-\d\d-\d\d|127\.0\.0\.1|localhost/;
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
      const { parentElement, textContent } = words.currentNode;
      // What is pressed says no time of this run: "24 h" is a range.
      if (parentElement === null || parentElement.closest('button') !== null) continue;
      if (volatile.test(textContent ?? '')) parentElement.dataset['volatile'] = '';
    }
  });
}

test('the six main states look in the four themes as they did', async ({ opened, service }) => {
  test.skip(browserLabel !== pinned, `Pictures are compared in the pinned browser; this is ${browserLabel}`);
  const { page, operator } = opened;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 720 });
  await hold(page);
  const compare = async (state: string) => {
    for (const theme of themeNames) {
      await preferTheme(page, theme);
      await page.mouse.move(0, 0);
      await markVolatile(page);
      await expect
        .soft(page)
        .toHaveScreenshot(`${state}-${theme}.png`, { maxDiffPixels: 200, timeout: 60_000 });
    }
  };
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page.getByText('Service reachable')).toBeVisible();
  await compare('sign-in');
  await operator.signIn(service.credentials);
  await operator.expectIncidents(1707);
  await expect(page.locator('[data-drawn-incidents="1702"]')).toBeAttached();
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await compare('incidents');
  await operator.incidents.getByRole('option').nth(3).click();
  await expect(operator.details).toBeVisible();
  await compare('details');
  await page.keyboard.press('Escape');
  for (const panel of ['integrations', 'outbox', 'settings'] as const) {
    await show(page, { panel, selectedRow: null });
    await compare(panel);
  }
});
