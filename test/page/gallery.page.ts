import { languages, themeNames } from '../../src-preload/contract/index.ts';
import { violations } from '../e2e/support/violations.ts';
import { allStates } from './allStates.ts';
import { expect, inLanguage, test } from './fixtures.ts';
import { states } from './states.ts';
import { seesSurfaces } from './seesSurfaces.ts';

test('no two states have one name', () => {
  const names = allStates.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

/**
 * Of the states that later ones are made of every third, which axe looks at in one theme. gallery.matrix.ts, in the
 * slow tier, takes every state in all themes.
 */
const axeTheme = new Map(
  states
    .filter((_, at) => at % 3 === 0)
    .map(({ name }, at) => [name, themeNames[at % themeNames.length]] as const),
);

/** Those states, and of the others the first that shows a surface. gallery.matrix.ts opens every one. */
const seen = new Set<string>();
const opened = allStates.filter(({ name, shows = [] }) => {
  const first = shows.some((surface) => !seen.has(surface));
  for (const surface of shows) seen.add(surface);
  return first || axeTheme.has(name);
});

// Several states to a test: to begin one costs as much as to open a state.
for (const [group, inGroup] of Map.groupBy(opened, (state) => state.group)) {
  const parts = Array.from({ length: Math.ceil(inGroup.length / 8) }, (_, at) =>
    inGroup.slice(8 * at, 8 * at + 8),
  );
  for (const [at, part] of parts.entries()) {
    test(`${group}, part ${String(at + 1)}: states show what they are there for, and axe finds nothing`, async ({
      shown,
    }) => {
      for (const { name, shows = [] } of part) {
        const theme = axeTheme.get(name);
        const page = await shown.open(name, theme && { theme });
        await seesSurfaces(page, shows);
        if (theme !== undefined) expect(await violations(page, theme), `${name}, ${theme}`).toEqual([]);
      }
    });
  }
}

for (const language of languages) {
  test(`every panel is written in ${language}`, inLanguage(language), async ({ shown }) => {
    const page = await shown.open('incidents', { language });
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
  });
}

test('the gallery links every state in the chosen look, in a window of the chosen size', async ({
  shown: { page },
  origin,
}) => {
  await page.goto(`${origin}/gallery`);
  for (const choice of ['red', 'fr', 'largest', '1024x768'])
    await page.getByRole('link', { name: choice, exact: true }).click();
  const links = page.getByRole('listitem').getByRole('link');
  await expect(links).toHaveCount(allStates.length);
  const popup = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'decision unknown', exact: true }).click();
  const opened = await popup;
  await expect(opened.locator('html[data-gallery]')).toHaveAttribute('data-theme', 'red');
  await expect(opened.locator('html')).toHaveAttribute('lang', 'fr');
  expect(await opened.evaluate(() => [innerWidth, innerHeight])).toEqual([1024, 768]);
  await opened.close();
  // The fixture reads the faults of a state.
  await page.goto(`${origin}/?state=incidents`);
});
