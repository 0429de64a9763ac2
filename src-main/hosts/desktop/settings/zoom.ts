import type { MenuItemConstructorOptions, WebContents } from 'electron';
import { zoomSteps } from '../../../../src-preload/contract/index.ts';
import type { App } from '../../../core/scopes/app.ts';
import type { Words } from '../words.ts';

/** The size of the page, for the menu, its keys and the wheel. */
export interface Zoomer {
  change(to: 'in' | 'out' | 'reset'): void;
  /** The operator's preference. */
  zoom(): number;
  close(): void;
}

/** The next step from `zoom`, which may be between two steps. The last step stays. */
export function zoomFrom(zoom: number, to: 'in' | 'out' | 'reset'): number {
  switch (to) {
    case 'in':
      return zoomSteps.find((step) => step > zoom + 0.001) ?? zoom;
    case 'out':
      return zoomSteps.findLast((step) => step < zoom - 0.001) ?? zoom;
    case 'reset':
      return 1;
  }
}

/** Changes the preference, which the window follows. */
export function createZoomer(console: Pick<App, 'call' | 'watch'>): Zoomer {
  // The latest request: a second key press must not start from the value before the first.
  let zoom = 1;
  const stop = console.watch('preferences', (preferences) => {
    zoom = preferences.zoom;
  });
  return {
    change: (to) => {
      const wanted = zoomFrom(zoom, to);
      if (wanted === zoom) return;
      const before = zoom;
      zoom = wanted;
      void console.call('setPreferences', { zoom: wanted }).then((result) => {
        // A locked console refuses it. A preference that could not be stored is still used until the console closes.
        if (!result.ok && result.failure.code !== 'storage-failed') zoom = before;
      });
    },
    zoom: () => zoom,
    close: stop,
  };
}

/** The menu's entries with their keys; those of the number pad, and `+` without Shift, are not shown. */
export function zoomMenuItems(
  zoomer: Pick<Zoomer, 'change'>,
  { text }: Pick<Words, 'text'>,
): MenuItemConstructorOptions[] {
  const item = (
    label: string,
    to: 'in' | 'out' | 'reset',
    [key, ...others]: readonly [string, ...string[]],
  ): MenuItemConstructorOptions[] => {
    const click = (): void => zoomer.change(to);
    const accelerator = (name: string): string => `CommandOrControl+${name}`;
    return [
      { label, accelerator: accelerator(key), click },
      ...others.map((other) => ({ label, accelerator: accelerator(other), visible: false, click })),
    ];
  };
  return [
    ...item(text('menu.actualSize'), 'reset', ['0', 'num0']),
    ...item(text('menu.zoomIn'), 'in', ['Plus', '=', 'numadd']),
    ...item(text('menu.zoomOut'), 'out', ['-', 'numsub']),
  ];
}

interface ZoomEvents {
  (event: 'dom-ready', listener: () => void): unknown;
  (event: 'zoom-changed', listener: (event: unknown, direction: 'in' | 'out') => void): unknown;
}

export interface ZoomedDesktop {
  readonly console: Pick<App, 'call' | 'watch'>;
  readonly window: {
    readonly webContents: Pick<WebContents, 'isDestroyed' | 'setZoomFactor'> & {
      readonly on: ZoomEvents;
      readonly off: ZoomEvents;
    };
  };
}

/** Draws the page in the preferred size, and changes the preference with Ctrl and the wheel. */
export function keepZoom({ console, window: { webContents } }: ZoomedDesktop): { close(): void } {
  const zoomer = createZoomer(console);
  let zoom = 1;
  const apply = (): void => {
    if (!webContents.isDestroyed()) webContents.setZoomFactor(zoom);
  };
  const onWheel = (_event: unknown, direction: 'in' | 'out'): void => zoomer.change(direction);
  const stop = console.watch('preferences', (preferences) => {
    if (preferences.zoom === zoom) return;
    zoom = preferences.zoom;
    apply();
  });
  // Chromium stores a size for each origin, and has none for this one before its first page.
  webContents.on('dom-ready', apply);
  webContents.on('zoom-changed', onWheel);
  return {
    close: () => {
      stop();
      zoomer.close();
      if (webContents.isDestroyed()) return;
      webContents.off('dom-ready', apply);
      webContents.off('zoom-changed', onWheel);
    },
  };
}
