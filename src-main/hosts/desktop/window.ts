import type { BrowserWindow, BrowserWindowConstructorOptions, Session } from 'electron';
import { desktopOrigin, type paneParameter } from '../../../src-preload/contract/index.ts';
import type { SecondWindow } from '../../core/base/control.ts';
import type { Clock, Logger } from '../../core/base/ports.ts';
import type { DesktopElectron } from './electron.ts';
import { logPageConsole } from './pageConsole.ts';
import { revealOnce } from './reveal.ts';

/** Where the window was left, in device-independent pixels. */
export type WindowBounds = Pick<
  BrowserWindowConstructorOptions,
  'x' | 'y' | 'width' | 'height' | 'fullscreen'
> & { readonly maximised?: boolean };

/**
 * How the window stands on the screen. `second`: another one, with a part of the page. `self-test`: shown
 * without taking the keyboard. A hidden one would draw nothing on Wayland, nor would its page's
 * `requestAnimationFrame` tick, so the self-test would wait for a map that never comes.
 */
export type WindowForm = 'window' | 'kiosk' | 'self-test' | 'second';

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
    // It appears with something in it, where the system lets a hidden window draw (reveal.ts).
    show: false,
    paintWhenInitiallyHidden: true,
    backgroundColor: '#111113',
  };
}

/** Only what places a window: nothing else of what was kept on the disk becomes an option. */
function placed(bounds: WindowBounds | null): BrowserWindowConstructorOptions {
  if (bounds === null) return {};
  const { x, y, width = 1440, height = 900 } = bounds;
  return {
    ...(x === undefined || y === undefined ? {} : { x, y }),
    ...{ width, height },
    // Never `false`: given explicitly it takes full screen away for good on macOS.
    ...(bounds.fullscreen === true ? { fullscreen: true } : {}),
  };
}

export interface OpenedWindow {
  readonly window: BrowserWindow;
  /** Loads the console's page, or another one of its origin. */
  readonly load: (path?: PagePath) => void;
}

/** The console's pages. */
export type PagePath =
  | '/'
  | '/stopped.html'
  | '/not-loaded.html'
  | `/?${typeof paneParameter}=${SecondWindow}`;

/** Chromium's code for a load whose place another one took. */
export const loadAborted = -3;

/**
 * Opens a window and loads the console's page into it. Where that page or its preload fails, the window says
 * so with its own page.
 */
export function openWindow(options: {
  readonly electron: Pick<DesktopElectron, 'BrowserWindow'>;
  readonly session: Session;
  readonly preload: string;
  /** Whether the page comes from `npm run dev`; it then has developer tools. */
  readonly development: boolean;
  readonly form: WindowForm;
  readonly bounds: WindowBounds | null;
  /** The size of the page from its first paint; a zoom that is set later is drawn after that. */
  readonly zoom: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What is loaded at once; the whole page where nothing else is said. */
  readonly path?: PagePath;
  /** The document is going: its subscription must not outlive it. */
  readonly onDocumentGone: (window: BrowserWindow) => void;
}): OpenedWindow {
  const { electron, session, preload, development, form, bounds, zoom, clock, logger } = options;
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
      zoomFactor: zoom,
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
      devTools: development,
    },
  });
  const reveal = revealOnce({
    window,
    clock,
    maximised: bounds?.maximised === true,
    inactive: form === 'self-test',
  });
  let shown: PagePath = '/';
  const load = (path: PagePath = '/'): void => {
    shown = path;
    const url = new URL(path, desktopOrigin).href;
    window.loadURL(url).catch((error: unknown) => {
      logger.error('page-not-loaded', { error: error instanceof Error ? error.message : 'unknown' });
    });
  };
  const failed = (): void => {
    reveal.now();
    // The pages that say so are not loaded over and over when they fail too.
    if (shown !== '/not-loaded.html' && shown !== '/stopped.html') load('/not-loaded.html');
  };
  window.webContents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (!isMainFrame || code === loadAborted) return;
    logger.error('page-not-loaded', { form, code, description });
    failed();
  });
  window.webContents.on('did-fail-provisional-load', (_event, code, description, _url, isMainFrame) => {
    if (!isMainFrame) return;
    logger.warn('page-load-ended', { form, code, description });
    reveal.now();
  });
  window.webContents.on('preload-error', (_event, _path, error) => {
    logger.error('preload-failed', { form, error: error.name });
    failed();
  });
  logPageConsole({ contents: window.webContents, form, logger });
  // Not when a navigation starts: it may be denied, and then the document stays and wants its pushes.
  window.webContents.on('did-navigate', () => options.onDocumentGone(window));
  window.webContents.on('render-process-gone', () => options.onDocumentGone(window));
  load(options.path);
  return { window, load };
}
