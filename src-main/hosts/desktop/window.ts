import type { BrowserWindow, BrowserWindowConstructorOptions, Session } from 'electron';
import { desktopOrigin, type paneParameter } from '../../../src-preload/contract/index.ts';
import type { SecondWindow } from '../../core/control.ts';
import type { Logger } from '../../core/ports.ts';
import type { DesktopElectron } from './electron.ts';

/** Where the window was left, in device-independent pixels. */
export type WindowBounds = Pick<
  BrowserWindowConstructorOptions,
  'x' | 'y' | 'width' | 'height' | 'fullscreen'
>;

/**
 * How the window stands on the screen. `hidden`: it is never shown, as in a self-test. `second`: another one,
 * with a part of the page.
 */
export type WindowForm = 'window' | 'kiosk' | 'hidden' | 'second';

/** A window's options but the page's rights. */
function windowOptions(options: {
  readonly form: WindowForm;
  readonly bounds: WindowBounds | null;
}): BrowserWindowConstructorOptions {
  const { form, bounds } = options;
  return {
    title: 'Field Console',
    width: 1440,
    height: 900,
    ...(form === 'window' ? { minWidth: 960, minHeight: 600, ...placed(bounds) } : {}),
    ...(form === 'second' ? { minWidth: 480, minHeight: 400, ...placed(bounds) } : {}),
    ...(form === 'kiosk'
      ? { kiosk: true, fullscreen: true, frame: false, minimizable: false, autoHideMenuBar: true }
      : {}),
    show: false,
    // A window that is never shown draws all the same: the self-test waits for its map.
    paintWhenInitiallyHidden: true,
    backgroundColor: '#111113',
  };
}

/** Only what places a window: nothing else of what was kept on the disk becomes an option. */
function placed(bounds: WindowBounds | null): WindowBounds {
  if (bounds === null) return {};
  const { x, y, width = 1440, height = 900, fullscreen = false } = bounds;
  return x === undefined || y === undefined
    ? { width, height, fullscreen }
    : { x, y, width, height, fullscreen };
}

export interface OpenedWindow {
  readonly window: BrowserWindow;
  /** Loads the console's page, or another one of its origin. */
  readonly load: (path?: PagePath) => void;
}

/** The console's pages. */
export type PagePath = '/' | '/stopped.html' | `/?${typeof paneParameter}=${SecondWindow}`;

/** Opens a window and loads the console's page into it. */
export function openWindow(options: {
  readonly electron: Pick<DesktopElectron, 'BrowserWindow'>;
  readonly session: Session;
  readonly preload: string;
  readonly developmentUrl: string | null;
  readonly form: WindowForm;
  readonly bounds: WindowBounds | null;
  readonly logger: Logger;
  /** What is loaded at once; the whole page where nothing else is said. */
  readonly path?: PagePath;
  /** The document is going: its subscription must not outlive it. */
  readonly onDocumentGone: (window: BrowserWindow) => void;
}): OpenedWindow {
  const { electron, session, preload, developmentUrl, form, bounds, logger } = options;
  const { BrowserWindow } = electron;
  const window = new BrowserWindow({
    ...windowOptions({ form, bounds }),
    // Every right is named, so that a changed default of Electron changes nothing here; and as a literal in
    // this place, because that is where scanners look for it.
    webPreferences: {
      preload,
      session,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      plugins: false,
      webviewTag: false,
      // A click of the middle button is nothing here: it would ask for a window of its own.
      disableBlinkFeatures: 'Auxclick',
      navigateOnDragDrop: false,
      spellcheck: false,
      enableWebSQL: false,
      enableDeprecatedPaste: false,
      javascript: true,
      images: true,
      webgl: true,
      transparent: false,
      offscreen: false,
      defaultEncoding: 'UTF-8',
      zoomMode: 'isolated',
      v8CacheOptions: 'code',
      safeDialogs: true,
      // A page's alert or prompt would stand above a kiosk and look like the system's own.
      disableDialogs: true,
      disableWakeLocks: true,
      disableHtmlFullscreenWindowResize: true,
      focusOnNavigation: true,
      scrollBounce: false,
      // A wall display's window may be covered or behind another for days and must not freeze.
      backgroundThrottling: false,
      // An alarm must be heard on a display that nobody has touched since it was started.
      autoplayPolicy: 'no-user-gesture-required',
      devTools: developmentUrl !== null,
    },
  });
  const load = (path: PagePath = '/'): void => {
    const url = new URL(path, developmentUrl ?? desktopOrigin).href;
    window.loadURL(url).catch((error: unknown) => {
      logger.error('page-not-loaded', { error: error instanceof Error ? error.message : 'unknown' });
    });
  };
  window.once('ready-to-show', () => {
    if (form !== 'hidden') window.show();
  });
  window.webContents.on('did-start-navigation', (event) => {
    if (event.isMainFrame && !event.isSameDocument) options.onDocumentGone(window);
  });
  window.webContents.on('render-process-gone', () => options.onDocumentGone(window));
  load(options.path);
  return { window, load };
}
