import { languages, themeNames } from '../../src-preload/contract/index.ts';
import { overflowingTexts } from '../e2e/support/overflow.ts';
import { contrastViolations, violations } from '../e2e/support/violations.ts';
import { allStates } from './allStates.ts';
import { expect, test } from './fixtures.ts';

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 1920, height: 1080 },
];

for (const { group, name } of allStates) {
  test(`${group}: ${name}: axe finds nothing, in no theme`, async ({ shown }) => {
    await shown.open(name);
    expect(await violations(shown.page)).toEqual([]);
    // A console that has told nothing yet has no preferences to change.
    for (const theme of name === 'starting' ? [] : themeNames) {
      await shown.push({ preferences: { theme } });
      await expect(shown.page.locator('html')).toHaveAttribute('data-theme', theme);
      expect(await contrastViolations(shown.page, theme), theme).toEqual([]);
    }
  });

  test(`${group}: ${name}: every text fits, in all sizes and languages`, async ({ shown }) => {
    test.setTimeout(120_000);
    const cut: string[] = [];
    for (const language of languages) {
      const page = await shown.open(name, { language });
      for (const size of sizes) {
        await page.setViewportSize(size);
        // What follows the window's size does so in its next frames.
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        );
        const found = await overflowingTexts(page);
        cut.push(...found.map((text) => `${language} ${String(size.width)}: ${text}`));
      }
    }
    expect(cut).toEqual([]);
  });
}
