import type { BrowserWindow } from 'electron';
import process from 'node:process';
import { paneParameter } from '../../../src-preload/contract/index.ts';
import type { Clock, Logger } from '../../core/base/ports.ts';
import type { Policy } from '../../core/features/policy/policy.ts';
import type { App } from '../../core/scopes/app.ts';
import type { PageFiles } from '../pages.ts';
import type { Attachment, ShownDesktop } from './attachment.ts';
import { offerContextMenu } from './contextMenu.ts';
import type { OwnDialogs } from './dialogs.ts';
import type { DesktopElectron } from './electron.ts';
import { endWith, type SignalSource } from './ending.ts';
import { guardApp, guardSession } from './guard.ts';
import { keepKiosk } from './kiosk.ts';
import { menuTemplate } from './menu.ts';
import { gatherOpenings, openIn, type Opened } from './opening.ts';
import { consoleSession, pageSchemes, servePage } from './pageProtocol.ts';
import type { PaperPress } from './paperPress.ts';
import { createRegistrar } from './registrar.ts';
import { createZoomer, zoomMenuItems } from './settings/zoom.ts';
import { openWindow, type WindowBounds } from './window.ts';

/** The scheme of links that choose a known deployment. */
const linkScheme = 'field-console';

/**
 * The desktop host's first half: what must happen before Electron is ready. Call it before anything
 * is awaited.
 */
export interface DesktopStart {
  /** False when another start of the same data folder holds the window; it was brought forward. */
  readonly first: boolean;
  /** Shows the console. Resolves when the window exists. */
  run(options: DesktopHostOptions): Promise<ShownDesktop>;
}

export interface DesktopHostOptions {
  readonly console: App;
  /** Closes the console and what it stands on. */
  readonly close: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pages: PageFiles;
  /** A document that is being printed, by its address in the page's origin. */
  readonly paper: PaperPress['answer'];
  /** Path of the built preload. */
  readonly preload: string;
  /** Origin of hot reload's socket in development; null in every build that is shipped. */
  readonly hotReload: string | null;
  readonly platform: NodeJS.Platform;
  /** Node's `process`, which hears of signals. */
  readonly process: SignalSource;
  readonly dialogs: OwnDialogs;
  readonly policy: Policy;
  /** Whether windows are told where they stand. */
  readonly knowsPlaces: boolean;
  /** Where the window was left; null for the system's choice. */
  readonly bounds: WindowBounds | null;
  /** The window is there to be looked at by the self-test: no kiosk, and nothing that stays on this computer. */
  readonly selfTest: boolean;
  /** The parts that hang on to the window, in the order in which they start. */
  readonly attachments: readonly Attachment[];
}

export function prepareDesktop(options: {
  readonly electron: DesktopElectron;
  /** Where Chromium may keep its own files; also what makes two starts the same one. */
  readonly profileFolder: string;
  /** What this start opens, handed to the first start when this is a second. */
  readonly opened: Opened;
}): DesktopStart {
  const { electron, opened } = options;
  const { app } = electron;
  app.enableSandbox();
  app.setPath('userData', options.profileFolder);
  app.setPath('sessionData', options.profileFolder);
  electron.protocol.registerSchemesAsPrivileged(pageSchemes);
  // Before the lock is taken: from then on other starts hand over what they open.
  const openings = gatherOpenings({ app, first: opened });
  const first = app.requestSingleInstanceLock({ ...opened });

  const run = async (host: DesktopHostOptions): Promise<ShownDesktop> => {
    const { console, clock, logger, pages, hotReload, platform, policy } = host;
    const kiosk = policy.kiosk !== 'off';
    const development = hotReload !== null;
    await app.whenReady();
    const session = consoleSession(electron.session);
    // What a page had stored all the same goes at each start.
    void session.clearStorageData().catch(() => logger.warn('page-storage-not-cleared'));
    for (const guarded of [session, electron.session.defaultSession]) {
      guardSession({ session: guarded, hotReload, exports: policy.exports, logger });
    }
    guardApp({ app, logger });
    servePage({ session, pages, console, paper: host.paper, logger });
    const zoomer = createZoomer(console);
    // Nothing changes the size of a kiosk's page, nor of the one that the self-test looks at.
    const preferredZoom = (): number => (kiosk || host.selfTest ? 1 : zoomer.zoom());
    const template = menuTemplate({
      platform,
      development,
      kiosk,
      zoom: zoomMenuItems(zoomer),
    });
    electron.Menu.setApplicationMenu(template && electron.Menu.buildFromTemplate(template));

    const windows: BrowserWindow[] = [];
    const listeners = new Set<Parameters<ShownDesktop['onTraffic']>[0]>();
    const registrar = createRegistrar({
      ipcMain: electron.ipcMain,
      console,
      clock,
      logger,
      // The watch over the first window must not be kept quiet by what another one answers.
      onTraffic: (what, page) => {
        if (page !== window.webContents) return;
        for (const listener of [...listeners]) listener[what]();
      },
      onWindowWord: (word, page) => {
        if (word !== 'raise') host.dialogs.fromPage(word === 'choosing');
        else bringForward(windows.find(({ webContents }) => webContents === page) ?? window);
      },
    });
    const onAnyWindow = {
      electron,
      session,
      preload: host.preload,
      development,
      clock,
      logger,
      onDocumentGone: (gone: BrowserWindow): void => registrar.release(gone.webContents),
    };
    const { window, load } = openWindow({
      ...onAnyWindow,
      zoom: preferredZoom(),
      form: host.selfTest ? 'self-test' : kiosk ? 'kiosk' : 'window',
      bounds: host.bounds,
    });
    offerContextMenu({ electron, window, kiosk });
    const shown: ShownDesktop = {
      electron,
      window,
      console,
      clock,
      logger,
      platform,
      knowsPlaces: host.knowsPlaces,
      load,
      openSecond: (show, bounds) => {
        const path = `/?${paneParameter}=${show}` as const;
        const { window: second } = openWindow({
          ...onAnyWindow,
          form: 'second',
          bounds,
          zoom: preferredZoom(),
          path,
        });
        windows.push(second);
        second.on('closed', () => void windows.splice(windows.indexOf(second), 1));
        offerContextMenu({ electron, window: second, kiosk });
        return second;
      },
      onTraffic: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
    const parts = host.attachments.map((attach) => attach(shown));
    if (kiosk && !host.selfTest) {
      parts.push(keepKiosk({ electron, window, platform, dialogs: host.dialogs, clock, logger }));
    }

    // The installer of a system ties links and files to the console; this is for where none ran.
    if (app.isPackaged && !kiosk && !host.selfTest) {
      // After `--` nothing that a link may hold is taken for a switch.
      const own: [string, string, string[]] = [linkScheme, process.execPath, ['--']];
      // Not again at each start: on Linux it starts a program each time.
      if (!app.isDefaultProtocolClient(...own)) app.setAsDefaultProtocolClient(...own);
    }
    const open = openIn({ console, logger, kiosk, drop: policy.drop });
    openings.handTo((what) => {
      bringForward(window);
      open(what);
    });
    app.on('activate', () => bringForward(window));
    electron.powerMonitor.on('resume', () => console.wake());
    electron.powerMonitor.on('unlock-screen', () => console.wake());
    endWith({
      ...{ app, window, process: host.process, clock, logger },
      close: async () => {
        for (const part of parts.reverse()) part.close();
        zoomer.close();
        registrar.close();
        await host.close();
      },
    });
    return shown;
  };
  return { first, run };
}

function bringForward(window: BrowserWindow): void {
  if (window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
