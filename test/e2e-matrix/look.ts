import type { Page } from '@playwright/test';
import { themeNames, type Language, type ThemeName } from '../../src-preload/contract/index.ts';
import { expect, test } from '../e2e/support/fixtures.ts';
import { overflowingTexts } from '../e2e/support/overflow.ts';
import { preferTheme } from '../e2e/support/preferences.ts';
import { contrastViolations, violations } from '../e2e/support/violations.ts';
import type { Look } from '../support/lookReporter.ts';
import { plain, type State } from './state.ts';
import { show } from '../e2e/support/pageStores.ts';
import type { TrainingServer } from '../../src-main/training/index.ts';

const direction = (language: Language) => (language === 'ar' ? 'rtl' : 'ltr');

/** Tells a look to the reporter, which counts them, and what it found to the test, which goes on. */
function tell(look: Look): void {
  test.info().annotations.push({ type: 'look', description: JSON.stringify(look) });
  const where = [look.state, look.language, look.theme].filter((word) => word !== null).join(', ');
  expect.soft(look.found, where).toEqual([]);
}

/**
 * All of axe, sideways scrolling and texts that do not fit in this state and language, in the theme that
 * stands; then, in each of the others, what another theme can break. Each finding is told, so that one run
 * tells them all.
 */
async function look(
  page: Page,
  state: string,
  language: Language,
  theme: (page: Page, theme: ThemeName) => Promise<void> = preferTheme,
): Promise<void> {
  const root = page.locator('html');
  await expect(root).toHaveAttribute('lang', language);
  await expect(root).toHaveAttribute('dir', direction(language));
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const standing = await root.getAttribute('data-theme');
  const [first, ...others] = themeNames.toSorted(
    (one, other) => Number(other === standing) - Number(one === standing),
  );
  if (first === undefined) return;
  await theme(page, first);
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  tell({
    state,
    language,
    theme: first,
    found: [
      ...(await violations(page, first)),
      ...(await overflowingTexts(page)).map((text) => `does not fit: ${text}`),
      ...(sideways > 0 ? [`scrolls sideways by ${sideways} px`] : []),
    ],
  });
  for (const other of others) {
    await theme(page, other);
    tell({ state, language, theme: other, found: await contrastViolations(page, other) });
  }
}

/**
 * Draws the map of a page that nobody has signed in to with a twenty-fifth of its points, and everything else
 * as it is. Nothing here looks at the map's picture, which each theme draws anew, without a graphics card.
 */
export async function drawCoarseMap(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'devicePixelRatio', { get: () => 0.2 });
  });
  await page.reload();
}

/** Looks at each of these states; one that cannot be reached in time is a finding like others. */
export async function lookAtEach(
  page: Page,
  service: TrainingServer,
  states: readonly State[],
  language: Language,
): Promise<void> {
  for (const state of states) {
    try {
      await test.step(`${state.name}, ${language}`, async () => {
        // What the last state was pressed with would show its tooltip in this one.
        await page.mouse.move(0, 0);
        await state.enter(page, service);
        await look(page, state.name, language, state.theme);
        await state.leave?.(page, service);
      });
    } catch (error) {
      tell({ state: state.name, language, theme: null, found: [`not reached: ${String(error)}`] });
      // What stands in the way of this state would stand in the way of the next.
      for (const _ of [1, 2]) await page.keyboard.press('Escape');
      await show(page, plain).catch(() => undefined);
    }
  }
}
