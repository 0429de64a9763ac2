import type { Page } from '@playwright/test';
import { languages, themeNames } from '../../src-preload/contract/index.ts';
import { overflowingTexts } from '../e2e/support/overflow.ts';
import { contrastViolations, violations } from '../e2e/support/violations.ts';
import { allStates } from './allStates.ts';
import { expect, test } from './fixtures.ts';
import { seesSurfaces } from './seesSurfaces.ts';
import type { GalleryState } from './states.ts';

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
];

/**
 * What axe finds on a page of a state. It takes all that lies in a disabled fieldset for disabled, but a browser only
 * form controls: that the frozen list takes the focus and scrolls by keys is tried instead.
 */
async function violationsIn(page: Page, { host }: GalleryState): Promise<string[]> {
  const found = await violations(page);
  const list = page.locator('.list__scroller');
  if (host !== 'lost' || (await list.count()) === 0) return found;
  await list.focus();
  await expect(list).toBeFocused();
  const scrolled = (): Promise<number> => list.evaluate(({ scrollTop }) => scrollTop);
  await page.keyboard.press('End');
  await expect.poll(scrolled).toBeGreaterThan(0);
  await page.keyboard.press('Home');
  await expect.poll(scrolled).toBe(0);
  return found.filter((violation) => !violation.startsWith('scrollable-region-focusable: .list__scroller '));
}

for (const state of allStates) {
  const { group, name, host, slices, shows = [] } = state;
  test(`${group}: ${name}: shows what it is there for, and axe finds nothing, in no theme`, async ({
    shown,
  }) => {
    await seesSurfaces(await shown.open(name), shows);
    expect(await violationsIn(shown.page, state)).toEqual([]);
    // A console that has told nothing yet has no preferences to change.
    for (const theme of slices.preferences === undefined ? [] : themeNames) {
      // A page that lost its console hears of no change.
      if (host === 'lost') await shown.open(name, { theme });
      else await shown.push({ preferences: { theme } });
      await expect(shown.page.locator('html')).toHaveAttribute('data-theme', theme);
      expect(await contrastViolations(shown.page, theme), theme).toEqual([]);
    }
  });

  test(`${group}: ${name}: every text fits and has a name, in all languages and sizes`, async ({ shown }) => {
    const found: string[] = [];
    for (const language of languages) {
      const page = await shown.open(name, { language });
      found.push(...(await violationsIn(page, state)).map((violation) => `${language}: ${violation}`));
      for (const size of sizes) {
        await page.setViewportSize(size);
        // What follows the window's size does so in its next frames.
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        );
        const where = `${language} ${String(size.width)}`;
        found.push(...(await overflowingTexts(page)).map((text) => `${where}: ${text}`));
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (sideways > 0) found.push(`${where}: scrolls sideways by ${String(sideways)} px`);
      }
    }
    expect(found).toEqual([]);
  });
}
