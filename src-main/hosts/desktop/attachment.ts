import type { BrowserWindow } from 'electron';
import type { SecondWindow } from '../../core/base/control.ts';
import type { Clock, Logger } from '../../core/base/ports.ts';
import type { App } from '../../core/scopes/app.ts';
import type { DesktopElectron } from './electron.ts';
import type { WindowBounds } from './window.ts';

/** The window as the parts of the desktop host see it that hang on to it. */
export interface ShownDesktop {
  readonly electron: DesktopElectron;
  readonly window: BrowserWindow;
  readonly console: App;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly platform: NodeJS.Platform;
  /** Whether windows are told where they stand. */
  readonly knowsPlaces: boolean;
  /** Loads the console's page, or another one of its origin, into the window. */
  load(path?: '/' | '/stopped.html'): void;
  /** Opens another window on this console, with the same rights as the first; null for the system's place. */
  openSecond(show: SecondWindow, bounds: WindowBounds | null): BrowserWindow;
  /** Hears of every push that went to the window's page, and of every answer of the page to one. */
  onTraffic(listener: { readonly sent: () => void; readonly answered: () => void }): () => void;
}

/** A part of the desktop host that lives as long as the window; the composition lists them. */
export type Attachment = (shown: ShownDesktop) => { close(): void };
