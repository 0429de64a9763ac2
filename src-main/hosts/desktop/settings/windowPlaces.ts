import type { BrowserWindow, CommandLine, Display, Rectangle, Screen } from 'electron';
import { z } from 'zod';
import type { Clock, Documents, Logger } from '../../../core/base/ports.ts';
import { Timer } from '../../../core/base/timer.ts';
import type { WindowBounds } from '../window.ts';

/** The document with the positions of the console's main window. */
const ownDocument = 'windows.json';
const mostSets = 16;
/** The shortest time between two writes of a position, milliseconds. */
const settleMs = 1_000;

/** The height of a title bar, and how much of it must be on a display so that it can be dragged, in DIP. */
const barHeight = 32;
const gripHeight = 16;
const gripWidth = 120;

const coordinate = z.int().min(-100_000).max(100_000);
const extent = z.int().min(200).max(100_000);
const placeSchema = z.strictObject({
  // Without a position where the system does not tell it.
  bounds: z.strictObject({
    x: coordinate.optional(),
    y: coordinate.optional(),
    width: extent,
    height: extent,
  }),
  state: z.enum(['normal', 'maximised', 'full-screen']),
});
const savedPlaceSchema = z.strictObject({ displays: z.string().min(1).max(8_192), place: placeSchema });

/** A window's position: its rectangle while it is neither maximised nor full screen, in DIP. */
export type WindowPlace = z.infer<typeof placeSchema>;
/** The position on one set of displays. */
export type SavedPlace = z.infer<typeof savedPlaceSchema>;

type ShownDisplay = Pick<Display, 'id' | 'bounds' | 'scaleFactor'>;

/** The key of a set of displays: the same displays at the same positions give the same text. */
export function displaysKey(displays: readonly ShownDisplay[]): string {
  return [...displays]
    .sort((a, b) => a.id - b.id)
    .map(({ id, bounds: { x, y, width, height }, scaleFactor }) =>
      [id, x, y, width, height, scaleFactor].join(','),
    )
    .join(';');
}

/** The positions in a document, the latest first. Unreadable entries are left out. */
export function readPlaces(text: string | null): readonly SavedPlace[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(stored)) return [];
  return stored
    .slice(0, mostSets)
    .map((entry) => savedPlaceSchema.safeParse(entry))
    .filter((reading) => reading.success)
    .map((reading) => reading.data);
}

/** `places` with this one as the latest. The oldest sets of displays are forgotten. */
export function withPlace(places: readonly SavedPlace[], saved: SavedPlace): readonly SavedPlace[] {
  return [saved, ...places.filter(({ displays }) => displays !== saved.displays)].slice(0, mostSets);
}

/** How much of [from, from + length] is in [otherFrom, otherFrom + otherLength]; negative for a gap. */
export const overlap = (from: number, length: number, otherFrom: number, otherLength: number): number =>
  Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom);

/** Whether enough of the window's title bar is on a display's work area to drag it. */
export function isWithinReach(bounds: Rectangle, displays: readonly Pick<Display, 'workArea'>[]): boolean {
  return displays.some(
    ({ workArea: { x, y, width, height } }) =>
      overlap(bounds.x, bounds.width, x, width) >= gripWidth &&
      overlap(bounds.y, barHeight, y, height) >= gripHeight,
  );
}

/**
 * Whether the system tells windows their position. Wayland does not. Chromium appends the one that it chose to its own
 * command line before JavaScript runs.
 */
export const knowsPlaces = (
  platform: NodeJS.Platform,
  commandLine: Pick<CommandLine, 'getSwitchValue'>,
): boolean => platform !== 'linux' || commandLine.getSwitchValue('ozone-platform') !== 'wayland';

async function load(
  documents: Documents,
  documentName: string,
  logger?: Logger,
): Promise<readonly SavedPlace[]> {
  try {
    return readPlaces(await documents.read(documentName));
  } catch {
    logger?.warn('window-places-unreadable');
    return [];
  }
}

/**
 * The window's position when these displays were last connected; else its latest position that is on them. Null when
 * there is none, so that the system chooses. Never rejects.
 */
export async function readWindowPlace(
  documents: Documents,
  screen: Pick<Screen, 'getAllDisplays'>,
  documentName = ownDocument,
): Promise<WindowPlace | null> {
  const displays = screen.getAllDisplays();
  const key = displaysKey(displays);
  const places = await load(documents, documentName);
  const own = places.filter((saved) => saved.displays === key);
  const found = [...own, ...places].find(({ place: { bounds } }) => {
    const { x, y, width, height } = bounds;
    return x === undefined || y === undefined || isWithinReach({ x, y, width, height }, displays);
  });
  return found?.place ?? null;
}

/** A position as options for a new window. */
export function placeOptions(place: WindowPlace | null): WindowBounds {
  if (place === null) return {};
  switch (place.state) {
    case 'normal':
      return { ...place.bounds };
    case 'maximised':
      return { ...place.bounds, maximised: true };
    case 'full-screen':
      return { ...place.bounds, fullscreen: true };
  }
}

/** Events of a window: its position changed, or it closes. */
interface PlaceEvents {
  (event: 'resize', listener: () => void): unknown;
  (event: 'move', listener: () => void): unknown;
  (event: 'maximize', listener: () => void): unknown;
  (event: 'unmaximize', listener: () => void): unknown;
  (event: 'enter-full-screen', listener: () => void): unknown;
  (event: 'leave-full-screen', listener: () => void): unknown;
  (event: 'close', listener: () => void): unknown;
}

export interface PlacedDesktop {
  readonly electron: { readonly screen: Pick<Screen, 'getAllDisplays'> };
  readonly window: Pick<
    BrowserWindow,
    'getNormalBounds' | 'isDestroyed' | 'isFullScreen' | 'isMaximized' | 'isMinimized'
  > & { readonly on: PlaceEvents; readonly off: PlaceEvents };
  /** Whether the system tells windows their position. */
  readonly knowsPlaces: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

function placeOf({
  window,
  knowsPlaces: placed,
}: Pick<PlacedDesktop, 'knowsPlaces' | 'window'>): WindowPlace {
  const { x, y, width, height } = window.getNormalBounds();
  const bounds = {
    ...(placed ? { x: Math.round(x), y: Math.round(y) } : {}),
    width: Math.round(width),
    height: Math.round(height),
  };
  if (window.isFullScreen()) return { bounds, state: 'full-screen' };
  return { bounds, state: window.isMaximized() ? 'maximised' : 'normal' };
}

/** Remembers a window's position for each set of displays, in a document of the data folder. */
export const keepWindowPlaces =
  (documents: Documents, documentName = ownDocument) =>
  (placed: PlacedDesktop): { close(): void } => {
    const { electron, window, clock, logger } = placed;
    let places: readonly SavedPlace[] | null = null;

    const keep = (): void => {
      settling.stop();
      // A minimised window has no position: the one before counts.
      if (places === null || window.isDestroyed() || window.isMinimized()) return;
      // Reads the displays now: a system that loses one moves the window before it reports that.
      const displays = displaysKey(electron.screen.getAllDisplays());
      const saved: SavedPlace = { displays, place: placeOf(placed) };
      if (JSON.stringify(places[0]) === JSON.stringify(saved)) return;
      places = withPlace(places, saved);
      documents.write(documentName, `${JSON.stringify(places)}\n`).catch(() => {
        logger.warn('window-places-not-written');
      });
    };
    const settling = new Timer(clock, keep);
    const onChange = (): void => settling.setOnce(settleMs);

    window.on('resize', onChange);
    window.on('move', onChange);
    window.on('maximize', onChange);
    window.on('unmaximize', onChange);
    window.on('enter-full-screen', onChange);
    window.on('leave-full-screen', onChange);
    window.on('close', keep);
    void load(documents, documentName, logger).then((read) => {
      places = read;
    });

    return {
      close: () => {
        keep();
        if (window.isDestroyed()) return;
        window.off('resize', onChange);
        window.off('move', onChange);
        window.off('maximize', onChange);
        window.off('unmaximize', onChange);
        window.off('enter-full-screen', onChange);
        window.off('leave-full-screen', onChange);
        window.off('close', keep);
      },
    };
  };
