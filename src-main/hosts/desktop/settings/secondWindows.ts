import type { BrowserWindow, Display, Rectangle } from 'electron';
import type { SecondWindow } from '../../../core/base/control.ts';
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

/** How one is opened; one that is open already comes forward. */
export interface SecondWindows {
  open(show: SecondWindow): void;
}

/** Where each of the two remembers its place. */
const documentNames: Readonly<Record<SecondWindow, string>> = {
  map: 'window-map.json',
  list: 'window-list.json',
};

/** The area, in square DIP, that a window has on a display. */
const shared = (window: Rectangle, { bounds: { x, y, width, height } }: Pick<Display, 'bounds'>): number =>
  Math.max(0, overlap(window.x, window.width, x, width)) *
  Math.max(0, overlap(window.y, window.height, y, height));

/** All of the first display on which the console's own window is not; null where there is no other. */
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
 * Second windows with the map or the list only, one of each: on another display if there is one, each with
 * a place that is remembered for every set of displays. They end with the console's own window. `register`
 * is told how one is opened, and null when that is over.
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
      // Where the first window stands is not known everywhere, nor can a second be put beside it there.
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
      // Nothing watches over it as over the first: one whose page has died is opened again by hand.
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
              error: error instanceof Error ? error.message : 'unknown',
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
