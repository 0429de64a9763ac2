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
  const { scheme, stroke, marks, ...colours }: ThemeTokens = themes[name];
  for (const [token, value] of Object.entries(colours)) root.style.setProperty(propertyOf(token), value);
  root.style.setProperty('--stroke', `${stroke}px`);
  root.style.setProperty('color-scheme', scheme);
  // A desktop draws its title bar and dialogs as dark as this colour.
  root.ownerDocument.querySelector('meta[name="theme-color"]')?.setAttribute('content', colours.surface);
  root.dataset['theme'] = name;
  root.dataset['marks'] = marks;
}

/**
 * The theme to draw for a preference. `system` follows the operating system's setting, `schedule` the
 * minute of the day (0 to 1439, in the computer's time zone): day's theme from `dayFrom` until `nightFrom`,
 * over midnight if it has to be; all day long where both are the same minute.
 */
export function themeFor(
  { theme, schedule }: Pick<Preferences, 'theme' | 'schedule'>,
  systemIsDark: boolean,
  minuteOfDay: number,
): ThemeName {
  switch (theme) {
    case 'system':
      return systemTheme(systemIsDark);
    case 'schedule': {
      const { day, night, dayFrom, nightFrom } = schedule;
      const since = (from: number): number => (minuteOfDay - from + minutesInDay) % minutesInDay;
      return since(dayFrom) <= since(nightFrom) ? day : night;
    }
    case 'day':
    case 'night':
    case 'sunlight':
    case 'red':
      return theme;
  }
}
const minutesInDay = 1_440;

export const systemTheme = (isDark: boolean): ThemeName => (isDark ? 'night' : 'day');

/** The theme that the quick switch leads to: day from what is dark, night from what is light. */
export const otherTheme = (name: ThemeName): ThemeName => (themes[name].scheme === 'dark' ? 'day' : 'night');

/** Minutes since midnight at a moment in Unix ms, in the computer's time zone. */
export function minuteOfDay(at: number): number {
  const moment = new Date(at);
  return moment.getHours() * 60 + moment.getMinutes();
}
