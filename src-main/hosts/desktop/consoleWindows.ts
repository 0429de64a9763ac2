import type { BrowserWindow, Session, WebContents } from 'electron';
import { paneParameter } from '../../../src-preload/contract/index.ts';
import type { SecondWindow } from '../../core/base/control.ts';
import type { Clock, Logger } from '../../core/base/ports.ts';
import type { App } from '../../core/scopes/app.ts';
import type { ShownDesktop } from './attachment.ts';
import type { OwnDialogs } from './dialogs.ts';
import type { DesktopElectron } from './electron.ts';
import { offerContextMenu } from './menus.ts';
import { createRegistrar, type Registrar } from './registrar.ts';
import type { Zoomer } from './settings/zoom.ts';
import { openWindow, type WindowBounds } from './window.ts';
import type { Words } from './words.ts';

type TrafficListener = Parameters<ShownDesktop['onTraffic']>[0];

/** The part of the desktop host that its windows need. */
export interface WindowsHost {
  readonly console: App;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Path of the built preload. */
  readonly preload: string;
  /** Origin of hot reload's socket in development; null in every shipped build. */
  readonly hotReload: string | null;
  readonly platform: NodeJS.Platform;
  readonly dialogs: OwnDialogs;
  readonly words: Words;
  /** Whether the system tells windows their position. */
  readonly knowsPlaces: boolean;
  /** The last position of the window; null for the system's choice. */
  readonly bounds: WindowBounds | null;
  /** The window is the self-test's: no kiosk, and nothing is stored on this computer. */
  readonly selfTest: boolean;
}

interface ConsoleWindowsOptions {
  readonly electron: DesktopElectron;
  readonly host: WindowsHost;
  /** The session of the console's pages. */
  readonly session: Session;
  readonly kiosk: boolean;
  readonly zoomer: Pick<Zoomer, 'zoom'>;
}

/** The first window and the second ones, with the registrar that carries their verbs and pushes. */
export class ConsoleWindows {
  /** The first window, for the parts that belong to it. */
  readonly shown: ShownDesktop;
  readonly #options: ConsoleWindowsOptions;
  readonly #registrar: Registrar;
  readonly #second: BrowserWindow[] = [];
  readonly #listeners = new Set<TrafficListener>();

  constructor(options: ConsoleWindowsOptions) {
    const { electron, host, kiosk } = options;
    const { console, clock, logger, platform, knowsPlaces, selfTest, bounds, words } = host;
    this.#options = options;
    this.#registrar = createRegistrar({
      ipcMain: electron.ipcMain,
      console,
      clock,
      logger,
      // Another window's answers must not count for the first.
      onTraffic: (what, page) => {
        if (page !== this.shown.window.webContents) return;
        for (const listener of [...this.#listeners]) listener[what]();
      },
      onWindowWord: (word, page) => {
        if (word !== 'raise') host.dialogs.fromPage(word === 'choosing');
        else bringForward(this.#windowOf(page));
      },
    });
    const { window, load } = openWindow({
      ...this.#onAnyWindow(),
      form: selfTest ? 'self-test' : kiosk ? 'kiosk' : 'window',
      bounds,
    });
    offerContextMenu({ electron, window, kiosk, words });
    this.shown = {
      ...{ electron, window, console, clock, logger, platform, knowsPlaces, load, words },
      openSecond: (show, place) => this.#openSecond(show, place),
      onTraffic: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
    };
  }

  /** From now on carries no verbs or pushes. */
  close(): void {
    this.#registrar.close();
  }

  #openSecond(show: SecondWindow, bounds: WindowBounds | null): BrowserWindow {
    const { electron, kiosk, host } = this.#options;
    const path = `/?${paneParameter}=${show}` as const;
    const { window } = openWindow({ ...this.#onAnyWindow(), form: 'second', bounds, path });
    this.#second.push(window);
    window.on('closed', () => void this.#second.splice(this.#second.indexOf(window), 1));
    offerContextMenu({ electron, window, kiosk, words: host.words });
    return window;
  }

  #windowOf(page: WebContents): BrowserWindow {
    return this.#second.find(({ webContents }) => webContents === page) ?? this.shown.window;
  }

  #onAnyWindow() {
    const { electron, session, kiosk, zoomer, host } = this.#options;
    const { preload, hotReload, clock, logger, selfTest } = host;
    return {
      ...{ electron, session, preload, clock, logger },
      development: hotReload !== null,
      // The size of a kiosk's page, and of the self-test's, is fixed.
      zoom: kiosk || selfTest ? 1 : zoomer.zoom(),
      onDocumentGone: (gone: BrowserWindow): void => this.#registrar.release(gone.webContents),
    };
  }
}

export function bringForward(window: BrowserWindow): void {
  if (window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
