import type { Preferences, ThemeName } from '../../src-preload/contract/index.ts';
import { themes, type ThemeTokens } from './tokens.ts';

/** `mapLabelHalo` -> `--map-label-halo`. */
const propertyOf = (token: string): string =>
  `--${token.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Writes a theme's tokens as custom properties on the page's root. Through the CSSOM, because the
 * content security policy refuses inline style text.
 */
export function applyTheme(root: HTMLElement, name: ThemeName): void {
  const tokens: ThemeTokens = themes[name];
  for (const [token, value] of Object.entries(tokens)) {
    if (token !== 'scheme') root.style.setProperty(propertyOf(token), String(value));
  }
  root.style.setProperty('color-scheme', tokens.scheme);
  root.dataset['theme'] = name;
}

/** The theme to draw for a preference; `system` follows the operating system's setting. */
export function themeFor(preference: Preferences['theme'], systemIsDark: boolean): ThemeName {
  if (preference !== 'system' && preference !== 'schedule') return preference;
  return systemIsDark ? 'night' : 'day';
}
