import type { BrowserWindow, BrowserWindowConstructorOptions, Session } from 'electron';
import { desktopOrigin } from '../../../src-preload/contract/index.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import type { DesktopElectron } from './electron.ts';

/** A page that dies more often than this within the window below is not started again. */
const mostReloads = 3;
const reloadWindowMs = 60_000;

/** The one window's options: everything the page does not need is off. */
export function windowOptions(options: {
  readonly preload: string;
  readonly session: Session;
  readonly development: boolean;
}): BrowserWindowConstructorOptions {
  return {
    title: 'Field Console',
    width: 1440,
    height: 900,
    minWidth: 960,
    minHeight: 600,
    show: false,
    backgroundColor: '#111113',
    webPreferences: {
      preload: options.preload,
      session: options.session,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      enableWebSQL: false,
      safeDialogs: true,
      // A wall display's window may be covered or behind another for days and must not freeze.
      backgroundThrottling: false,
      // An alarm must be heard on a display that nobody has touched since it was started.
      autoplayPolicy: 'no-user-gesture-required',
      devTools: options.development,
    },
  };
}

/**
 * Opens the window. A page whose process dies is loaded again, a few times; one that keeps dying is
 * given up with a sentence, since the console behind it still holds the operator's session.
 */
export function openWindow(options: {
  readonly electron: Pick<DesktopElectron, 'BrowserWindow' | 'dialog'>;
  readonly session: Session;
  readonly preload: string;
  readonly developmentUrl: string | null;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The document is going: its subscription must not outlive it. */
  readonly onDocumentGone: (window: BrowserWindow) => void;
}): BrowserWindow {
  const { electron, session, preload, developmentUrl, clock, logger } = options;
  const window = new electron.BrowserWindow(
    windowOptions({ preload, session, development: developmentUrl !== null }),
  );
  const load = (): void => {
    window.loadURL(developmentUrl ?? `${desktopOrigin}/`).catch((error: unknown) => {
      logger.error('page-not-loaded', { error: error instanceof Error ? error.message : 'unknown' });
    });
  };
  let reloads: number[] = [];
  window.once('ready-to-show', () => window.show());
  window.webContents.on('did-start-navigation', (event) => {
    if (event.isMainFrame && !event.isSameDocument) options.onDocumentGone(window);
  });
  window.webContents.on('render-process-gone', (_event, details) => {
    options.onDocumentGone(window);
    logger.error('page-process-gone', { reason: details.reason, exitCode: details.exitCode });
    if (details.reason === 'clean-exit') return;
    const now = clock.elapsed();
    reloads = reloads.filter((at) => now - at < reloadWindowMs);
    if (reloads.length >= mostReloads) {
      electron.dialog.showErrorBox(
        'Field Console',
        'The page of the console failed several times within a minute and was not started again. ' +
          'Close the console and start it again; the log in its data folder says more.',
      );
      return;
    }
    reloads.push(now);
    load();
  });
  load();
  return window;
}
