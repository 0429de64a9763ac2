import type { BrowserWindow } from 'electron';
import type { SecondWindow } from '../../core/base/control.ts';
import type { Clock, Logger } from '../../core/base/ports.ts';
import type { App } from '../../core/scopes/app.ts';
import type { DesktopElectron } from './electron.ts';
import type { WindowBounds } from './window.ts';
import type { Words } from './words.ts';

/** The window for the parts of the desktop host that belong to it. */
export interface ShownDesktop {
  readonly electron: DesktopElectron;
  readonly window: BrowserWindow;
  readonly console: App;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly platform: NodeJS.Platform;
  readonly words: Words;
  /** Whether the system tells windows their position. */
  readonly knowsPlaces: boolean;
  /** Loads the console's page, or another one of its origin, into the window. */
  load(path?: '/' | '/stopped.html'): void;
  /** Opens another window on this console, with the same rights as the first; null for the system's position. */
  openSecond(show: SecondWindow, bounds: WindowBounds | null): BrowserWindow;
  /** Calls `sent` for every push to the window's page, and `answered` for every acknowledgement. */
  onTraffic(listener: { readonly sent: () => void; readonly answered: () => void }): () => void;
}

/** A part of the desktop host that lives as long as the window. The composition lists them. */
export type Attachment = (shown: ShownDesktop) => { close(): void };
