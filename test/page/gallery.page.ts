import { languages, themeNames } from '../../src-preload/contract/index.ts';
import { contrastViolations, violations } from '../e2e/support/violations.ts';
import { expect, test } from './fixtures.ts';
import { states } from './states.ts';

test('no two states have one name', () => {
  const names = states.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

for (const { group, name } of states) {
  test(`${group}: ${name}: axe finds nothing, in no theme`, async ({ shown }) => {
    await shown.open(name);
    expect(await violations(shown.page)).toEqual([]);
    for (const theme of themeNames) {
      await shown.push({ preferences: { theme } });
      await expect(shown.page.locator('html')).toHaveAttribute('data-theme', theme);
      expect(await contrastViolations(shown.page, theme), theme).toEqual([]);
    }
  });
}

for (const language of languages) {
  test(`every panel is written in ${language}`, async ({ shown }) => {
    const page = await shown.open('incidents', { language });
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
  });
}
