import { severityNames, themeNames } from '../../src-preload/contract/index.ts';
import { expect, test } from './fixtures.ts';
import { greyContrast } from '../e2e/support/pixels.ts';

test('a critical mark is the loudest in grey, in each theme', async ({ shown, browser }) => {
  const page = await shown.open('table over the map');
  const legend = page.getByRole('list', { name: 'Legend' });
  for (const theme of themeNames) {
    await shown.push({ preferences: { theme } });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    const loudness: Record<string, number> = {};
    for (const name of severityNames) {
      loudness[name] = await greyContrast(browser, legend.locator(`.glyph--${name}`));
    }
    const { critical = 0, unknown: _unknown, ...others } = loudness;
    for (const [name, of] of Object.entries(others))
      expect(critical, `${theme}: ${name}`).toBeGreaterThan(of * 1.1);
  }
});
