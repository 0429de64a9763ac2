import { languages, panelNames, themeNames, type Language } from '../../src-preload/contract/index.ts';
import { expect, test } from '../e2e/support/fixtures.ts';
import { show, type Shown } from '../e2e/support/pageStores.ts';
import { prefer, preferTheme } from '../e2e/support/preferences.ts';
import { contrastViolations, violations } from '../e2e/support/violations.ts';

const plain: Shown = { panel: 'incidents', drawer: null, overlay: null, timeline: false, selectedRow: null };
const states: readonly (readonly [name: string, shown: Shown])[] = [
  ...panelNames.map((panel) => [panel, { ...plain, panel }] as const),
  ['details', { ...plain, selectedRow: 0 }],
  ['timeline', { ...plain, timeline: true }],
  ...(['sync', 'storage', 'events'] as const).map((drawer) => [drawer, { ...plain, drawer }] as const),
  ...(['palette', 'shortcuts', 'tour', 'export'] as const).map(
    (overlay) => [overlay, { ...plain, overlay }] as const,
  ),
];
const direction = (language: Language) => (language === 'ar' ? 'rtl' : 'ltr');

for (const language of languages) {
  test(`axe finds nothing in any state and theme, ${language}`, async ({ opened, service }) => {
    const { page, operator } = opened;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1024, height: 768 });
    const look = async (state: string) => {
      const root = page.locator('html');
      await expect(root).toHaveAttribute('lang', language);
      await expect(root).toHaveAttribute('dir', direction(language));
      expect(await violations(page), `${state}, ${language}`).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        `${state}, ${language}: scrolls sideways`,
      ).toBe(true);
      for (const theme of themeNames) {
        await preferTheme(page, theme);
        expect.soft(await contrastViolations(page, theme), `${state}, ${language}, ${theme}`).toEqual([]);
      }
    };
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    await prefer(page, { language });
    await look('sign-in');
    await prefer(page, { language: 'en' });
    await operator.signIn(service.credentials);
    await operator.expectIncidents(1707);
    await prefer(page, { language });
    for (const [name, shown] of states) {
      await show(page, shown);
      await look(name);
    }
  });
}
