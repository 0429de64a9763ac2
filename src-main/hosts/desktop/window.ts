import type { BrowserWindow, BrowserWindowConstructorOptions, Session, WebContents } from 'electron';
import { desktopOrigin, type paneParameter } from '../../../src-preload/contract/index.ts';
import type { SecondWindow } from '../../core/base/control.ts';
import { textOf } from '../../core/base/errors.ts';
import type { BasePorts, Logger } from '../../core/base/ports.ts';
import type { DesktopElectron } from './electron.ts';
import { revealOnce } from './reveal.ts';

/** The last position of the window, in device-independent pixels. */
export type WindowBounds = Pick<
  BrowserWindowConstructorOptions,
  'x' | 'y' | 'width' | 'height' | 'fullscreen'
> & { readonly maximised?: boolean };

/**
 * The kind of window. `second`: another window, with part of the page. `self-test`: shown without taking the keyboard.
 * On Wayland a hidden window would draw nothing, and its page's `requestAnimationFrame` would not run, so the self-test
 * would wait for a map that never comes.
 */
export type WindowForm = 'window' | 'kiosk' | 'self-test' | 'second';

/** A window's options without the rights of its page. */
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
    // Where the system lets a hidden window draw, it appears with its content (reveal.ts).
    show: false,
    paintWhenInitiallyHidden: true,
    backgroundColor: '#111113',
  };
}

/** Only a window's position: no other member of the stored document becomes an option. */
function placed(bounds: WindowBounds | null): BrowserWindowConstructorOptions {
  if (bounds === null) return {};
  const { x, y, width = 1440, height = 900 } = bounds;
  return {
    ...(x === undefined || y === undefined ? {} : { x, y }),
    ...{ width, height },
    // Never `false`: on macOS an explicit false disables full screen for good.
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

/** Chromium's code for a load that another one replaced. */
export const loadAborted = -3;

interface OpenWindowOptions extends Pick<BasePorts, 'clock' | 'logger'> {
  readonly electron: Pick<DesktopElectron, 'BrowserWindow'>;
  readonly session: Session;
  readonly preload: string;
  /** Whether the page comes from `npm run dev`, with developer tools. */
  readonly development: boolean;
  readonly form: WindowForm;
  readonly bounds: WindowBounds | null;
  /** The size of the page at its first paint; a zoom set later would be drawn only after that. */
  readonly zoom: number;
  /** The first page to load; default: the whole page. */
  readonly path?: PagePath;
  /** The document closes: its subscription must not outlive it. */
  readonly onDocumentGone: (window: BrowserWindow) => void;
}

/** An empty window with the rights of its page. */
function createWindow(options: OpenWindowOptions): BrowserWindow {
  const { electron, session, preload, development, form, bounds, zoom } = options;
  // Under this name, because scanners look for it.
  const { BrowserWindow } = electron;
  return new BrowserWindow({
    ...windowOptions({ form, bounds }),
    // Every right is set, so that a changed default of Electron has no effect. A literal in this place, because
    // scanners look for it here.
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
      // A click of the middle button would open another window.
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
      // A page's alert or prompt would be above a kiosk and look like the system's own.
      disableDialogs: true,
      disableWakeLocks: true,
      disableHtmlFullscreenWindowResize: true,
      focusOnNavigation: true,
      scrollBounce: false,
      // The window of a wall display may be covered for days and must not freeze.
      backgroundThrottling: false,
      // A display must play alarms although no touch or key came since the start.
      autoplayPolicy: 'no-user-gesture-required',
      devTools: development,
    },
  });
}

/**
 * Opens a window and loads the console's page. When that page or its preload fails, the window shows a page that says
 * so.
 */
export function openWindow(options: OpenWindowOptions): OpenedWindow {
  const { form, bounds, clock, logger } = options;
  const window = createWindow(options);
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
      logger.error('page-not-loaded', { error: textOf(error) });
    });
  };
  const failed = (): void => {
    reveal.now();
    // The pages for failures are not loaded repeatedly when they fail too.
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
  // Not at the start of a navigation: it may be denied, and then the document stays and needs its pushes.
  window.webContents.on('did-navigate', () => options.onDocumentGone(window));
  window.webContents.on('render-process-gone', () => options.onDocumentGone(window));
  load(options.path);
  return { window, load };
}

/** The most lines for each document: a page that fails in a loop must not fill the log. */
const mostLines = 20;

/**
 * Logs the errors in a page's console by kind and place: faults of its code, or refusals of its policy. Never the
 * message, which may repeat an operator's text.
 */
function logPageConsole(options: {
  readonly contents: WebContents;
  /** The kind of window. */
  readonly form: string;
  readonly logger: Logger;
}): void {
  const { contents, form, logger } = options;
  let lines = 0;
  contents.on('did-navigate', () => (lines = 0));
  contents.on('console-message', ({ level, message, lineNumber, sourceId }) => {
    if (level !== 'error' || lines >= mostLines) return;
    lines += 1;
    const kind =
      /^(?:Uncaught )?(?:\(in promise\) )?([A-Z][A-Za-z]{0,40}Error)\b/.exec(message)?.[1] ?? 'other';
    const source = URL.canParse(sourceId) ? new URL(sourceId).pathname.slice(0, 128) : 'unknown';
    logger.error('page-console', { form, kind, source, line: lineNumber });
  });
}
