import type { BrowserWindow, Display, Rectangle } from 'electron';
import type { SecondWindow } from '../../../core/base/control.ts';
import { textOf } from '../../../core/base/errors.ts';
import type { Documents } from '../../../core/base/ports.ts';
import type { Attachment } from '../attachment.ts';
import {
  keepWindowPlaces,
  overlap,
  placeOptions,
  readWindowPlace,
  type WindowPlace,
} from './windowPlaces.ts';
import { keepZoom } from './zoom.ts';

/** Opens a second window. If it is open already, it comes forward. */
export interface SecondWindows {
  open(show: SecondWindow): void;
}

/** The document with the remembered positions of each. */
const documentNames: Readonly<Record<SecondWindow, string>> = {
  map: 'window-map.json',
  list: 'window-list.json',
};

/** The area of a window on a display, in square DIP. */
const shared = (window: Rectangle, { bounds: { x, y, width, height } }: Pick<Display, 'bounds'>): number =>
  Math.max(0, overlap(window.x, window.width, x, width)) *
  Math.max(0, overlap(window.y, window.height, y, height));

/** The whole first display without the console's main window; null when there is no other. */
export function placeBeside(
  window: Rectangle,
  displays: readonly Pick<Display, 'bounds' | 'workArea'>[],
): WindowPlace | null {
  const most = Math.max(...displays.map((display) => shared(window, display)));
  const taken = displays.findIndex((display) => shared(window, display) === most);
  const other = displays.find((_, at) => at !== taken);
  return other ? { bounds: { ...other.workArea }, state: 'maximised' } : null;
}

/**
 * Second windows with only the map or the list, one of each: on another display if there is one, each with a remembered
 * position for every set of displays. They close with the main window. `register` gets the function that opens one, and
 * null at the end.
 */
export const keepSecondWindows =
  (documents: Documents, register: (windows: SecondWindows | null) => void): Attachment =>
  (shown) => {
    const { electron, window, console, knowsPlaces, clock, logger } = shown;
    const opened = new Map<SecondWindow, BrowserWindow>();
    const opening = new Set<SecondWindow>();
    let ended = false;

    const show = async (which: SecondWindow): Promise<void> => {
      const documentName = documentNames[which];
      const kept = await readWindowPlace(documents, electron.screen, documentName);
      if (ended || window.isDestroyed()) return;
      // Not every system tells where the main window is, or lets a second one be placed beside it.
      const beside = knowsPlaces
        ? placeBeside(window.getNormalBounds(), electron.screen.getAllDisplays())
        : null;
      const place = kept ?? beside;
      const second = shown.openSecond(which, place === null ? null : placeOptions(place));
      opened.set(which, second);
      const parts = [
        keepWindowPlaces(
          documents,
          documentName,
        )({
          ...{ electron, window: second, knowsPlaces, clock, logger },
        }),
        keepZoom({ console, window: second }),
      ];
      second.on('closed', () => {
        opened.delete(which);
        for (const part of parts) part.close();
      });
      // Second windows are not supervised like the main one: after a crash the operator opens it again.
      second.webContents.on('render-process-gone', (_event, { reason }) => {
        logger.error('second-window-gone', { which, reason });
        if (!second.isDestroyed()) second.close();
      });
    };
    const closeAll = (): void => {
      ended = true;
      register(null);
      for (const second of [...opened.values()]) if (!second.isDestroyed()) second.close();
    };
    window.on('closed', closeAll);
    register({
      open: (which) => {
        const known = opened.get(which);
        if (known) {
          if (known.isMinimized()) known.restore();
          known.show();
          known.focus();
          return;
        }
        if (ended || opening.has(which)) return;
        opening.add(which);
        void show(which)
          .catch((error: unknown) => {
            logger.error('second-window-failed', {
              error: textOf(error),
            });
          })
          .finally(() => opening.delete(which));
      },
    });
    return {
      close: () => {
        window.off('closed', closeAll);
        closeAll();
      },
    };
  };
