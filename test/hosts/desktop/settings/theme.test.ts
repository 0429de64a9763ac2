import { afterEach, beforeEach, expect, it } from 'vitest';
import { defaultPreferences } from '../../../../src-main/core/features/preferences/preferences.ts';
import { followTheme } from '../../../../src-main/hosts/desktop/settings/theme.ts';
import { themeNames, type Preferences } from '../../../../src-preload/contract/index.ts';
import { themes } from '../../../../src-renderer/design/tokens.ts';
import { desktopUnderTest, type DesktopUnderTest } from '../../support/desktopHost.ts';
import type { FakeWindow } from '../fake/window.ts';

let desktop: DesktopUnderTest;
let window: FakeWindow;
beforeEach(async () => {
  desktop = await desktopUnderTest();
  window = await desktop.run({ attachments: [followTheme] });
});
afterEach(() => desktop.end());

const prefer = (theme: Preferences['theme']): void =>
  desktop.fake.tell('preferences', { ...defaultPreferences, theme });
const draw = (colour: string | null): unknown =>
  window.webContents.emit('did-change-theme-color', {}, colour);

it.each(themeNames)('title bar and dialogs are as dark as the page in %s', (theme) => {
  prefer(theme);
  draw(themes[theme].surface);
  expect(desktop.electron.theme.themeSource).toBe(themes[theme].scheme);
});

it('a schedule is followed as the page is drawn', () => {
  prefer('schedule');
  draw(themes.day.surface);
  draw(null);
  expect(desktop.electron.theme.themeSource).toBe('light');
  draw(themes.red.surface);
  draw(null);
  expect(desktop.electron.theme.themeSource).toBe('dark');
});

it('a page that follows the system learns the system’s own setting', () => {
  prefer('red');
  draw(themes.red.surface);
  prefer('system');
  expect(desktop.electron.theme.themeSource).toBe('system');
  draw(themes.night.surface);
  expect(desktop.electron.theme.themeSource).toBe('system');
});
