import type { NativeTheme } from 'electron';
import type { Preferences } from '../../../../src-preload/contract/index.ts';
import type { App } from '../../../core/scopes/app.ts';

export interface ThemedDesktop {
  readonly electron: { readonly nativeTheme: Pick<NativeTheme, 'themeSource'> };
  readonly console: Pick<App, 'watch'>;
  readonly window: {
    readonly webContents: {
      on(event: 'did-change-theme-color', listener: (event: unknown, colour: string | null) => void): unknown;
    };
  };
}

/** Makes the system's title bars, menus and dialogs as dark as the page, whose theme colour says how dark that is. */
export function followTheme({ electron, console, window: { webContents } }: ThemedDesktop): {
  close(): void;
} {
  let preference: Preferences['theme'] = 'system';
  let page: 'light' | 'dark' | 'system' = 'system';
  const apply = (): void => {
    // A page that follows the system would no longer learn the system's own setting from another source.
    electron.nativeTheme.themeSource = preference === 'system' ? 'system' : page;
  };
  const stop = console.watch('preferences', ({ theme }) => {
    preference = theme;
    apply();
  });
  webContents.on('did-change-theme-color', (_event, colour) => {
    // A document that is just loading has none.
    if (colour === null) return;
    page = isDark(colour) ? 'dark' : 'light';
    apply();
  });
  return { close: stop };
}

/** Whether `#rrggbb` is nearer to black than to white. */
function isDark(colour: string): boolean {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return Math.max(red ?? 0, green ?? 0, blue ?? 0) < 128;
}
