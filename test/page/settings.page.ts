import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { themes } from '../../src-renderer/design/tokens.ts';

const settingsOf = (page: Page): Locator => page.getByRole('region', { name: 'Settings', exact: true });

test.describe('appearance', () => {
  test('each choice has its name, stands on what is set, and is sent under its own key', async ({
    shown,
  }) => {
    const page = await shown.open('settings');
    const settings = settingsOf(page);
    for (const [name, about, before, label, change] of [
      ['Text size', /^$/, 'normal', 'Largest', { textSize: 'largest' }],
      ['Touch', /^Larger controls and rows/, 'auto', 'Always', { touch: 'on' }],
      ['Motion', /^Reduced: no animation/, 'reduced', 'System', { motion: 'system' }],
      ['Language', /^For this console\./, 'en', 'System', { language: 'system' }],
    ] as const) {
      const choice = settings.getByRole('combobox', { name, exact: true });
      await expect(choice, name).toHaveAccessibleDescription(about);
      await expect(choice, name).toHaveValue(before);
      await choice.selectOption(label);
      expect((await shown.calls('setPreferences')).at(-1), name).toEqual(change);
      await expect(choice, name).toHaveValue(Object.values(change)[0] ?? '');
    }
  });

  test('a switch is named in the language that the page changes to', async ({ shown }) => {
    const page = await shown.open('settings');
    const single = settingsOf(page).getByRole('switch');
    await expect(single).toHaveAccessibleName('Single-key shortcuts');
    await expect(single).toHaveAccessibleDescription(/^One letter, digit or sign\./);
    await settingsOf(page).getByRole('combobox', { name: 'Language', exact: true }).selectOption('fr');
    await expect(page.getByRole('switch')).toHaveAccessibleName('Touches seules');
    await expect(page.getByRole('switch')).toHaveAccessibleDescription(/^Une lettre, un chiffre ou un signe/);
  });

  test('theme and times are buttons of which one is pressed', async ({ shown }) => {
    const page = await shown.open('settings');
    const settings = settingsOf(page);
    await expect(settings.getByRole('button', { name: 'UTC', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    // The one that is pressed stays so.
    await settings.getByRole('button', { name: 'UTC', exact: true }).click();
    await settings.getByRole('button', { name: 'Local', exact: true }).click();
    await settings.getByRole('button', { name: 'Red', exact: true }).click();
    expect(await shown.calls('setPreferences')).toEqual([{ zone: 'local' }, { theme: 'red' }]);
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'red');
    // By which a desktop makes its title bar and dialogs as dark.
    await expect(page.locator('meta[name="theme-color"]')).toHaveAttribute('content', themes.red.surface);
  });

  test('on the desktop the size of the page is named in percent', async ({ shown }) => {
    const page = await shown.open('settings, desktop');
    const size = settingsOf(page).getByRole('combobox', { name: 'Page zoom', exact: true });
    await expect(size.locator('option:checked')).toHaveText('100 %');
    await size.selectOption('125 %');
    expect(await shown.calls('setPreferences')).toEqual([{ zoom: 1.25 }]);
  });

  test('the layout goes back to how it comes', async ({ shown }) => {
    const page = await shown.open('settings');
    await page.getByRole('button', { name: 'Show the timeline' }).click();
    await expect(page.getByRole('region', { name: 'Incidents over time' })).toBeVisible();
    const reset = settingsOf(page).getByRole('button', { name: 'Reset layout', exact: true });
    await expect(reset).toHaveAccessibleDescription('Restore default widths, columns and timeline.');
    await reset.click();
    await expect(page.getByRole('region', { name: 'Incidents over time' })).toHaveCount(0);
    expect(await shown.calls('setPreferences')).toEqual([{ listWidth: expect.any(Number) as unknown }]);
  });

  test('the hours of a schedule are asked for only where the theme follows one', async ({ shown }) => {
    const page = await shown.open('settings');
    const settings = settingsOf(page);
    await expect(settings.getByRole('button', { name: 'Schedule', exact: true })).toBeVisible();
    await expect(settings.getByLabel('Day begins at')).toHaveCount(0);
    await settings.getByRole('button', { name: 'Schedule', exact: true }).click();
    await expect(settings.getByLabel('Day begins at')).toHaveValue('06:00');
  });
});
