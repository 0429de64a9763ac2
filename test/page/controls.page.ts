import { themeNames } from '../../src-preload/contract/index.ts';
import { expect, test } from './fixtures.ts';

test('a main action that cannot be taken does not look like one that can, in no theme', async ({ shown }) => {
  const page = await shown.open('leave kiosk, throttled');
  const action = page.getByRole('dialog').locator('.button--primary');
  await expect(action).toHaveAttribute('aria-disabled', 'true');
  for (const theme of themeNames) {
    await shown.push({ preferences: { theme } });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    const [own, accent] = await action.evaluate((element) => {
      const probe = document.createElement('i');
      probe.style.background = 'var(--accent)';
      element.append(probe);
      const colours = [element, probe].map((one) => getComputedStyle(one).backgroundColor);
      probe.remove();
      return colours;
    });
    expect(own, theme).not.toBe(accent);
  }
});

test('licences, which are in English, run from left to right in every language', async ({ shown }) => {
  const page = await shown.open('licences', { language: 'ar' });
  const text = page.locator('.notices__text');
  await expect(text).toHaveCSS('direction', 'ltr');
  const [close, box] = [await page.locator('.notices__head button').boundingBox(), await text.boundingBox()];
  expect(box!.y).toBeGreaterThanOrEqual(close!.y + close!.height + 4);
});

test('a choice is drawn in the colours of the theme', async ({ shown }) => {
  const page = await shown.open('export');
  const radio = page.getByRole('radio').first();
  for (const theme of themeNames) {
    await shown.push({ preferences: { theme } });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await expect(radio).toHaveCSS('appearance', 'none');
    const [own, named] = await radio.evaluate((element) => {
      const probe = document.createElement('i');
      probe.style.borderColor = element.matches(':checked') ? 'var(--accent)' : 'var(--line-strong)';
      element.after(probe);
      const colours = [element, probe].map((one) => getComputedStyle(one).borderTopColor);
      probe.remove();
      return colours;
    });
    expect(own, theme).toBe(named);
  }
});
