import type { BrowserWindow, Event } from 'electron';
import type { Clock, Logger } from '../../core/base/ports.ts';
import type { OwnDialogs } from './dialogs.ts';
import type { DesktopElectron } from './electron.ts';
import { isKioskKey } from './keys.ts';

/** How long the window may be without the keyboard before it asks for it again, in milliseconds. */
const backWithinMs = 500;

export interface KioskOptions {
  readonly electron: Pick<DesktopElectron, 'app' | 'powerMonitor' | 'powerSaveBlocker'>;
  readonly window: BrowserWindow;
  readonly platform: NodeJS.Platform;
  readonly dialogs: OwnDialogs;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Keeps a window what a kiosk is: alone, full, awake, and without a way out but `app.quit()`, which
 * only an administrator's code, the system's own end and an update come to. Other displays are left
 * alone.
 */
export function keepKiosk(options: KioskOptions): { close(): void } {
  const { electron, window, platform, dialogs, clock, logger } = options;
  const { app, powerMonitor, powerSaveBlocker } = electron;
  const { webContents } = window;
  const denied = (what: string): void => logger.info('kiosk-denied', { what });
  let lettingGo = false;
  let pending: (() => void) | null = null;
  const blocker = powerSaveBlocker.start('prevent-display-sleep');

  const letGo = (): void => {
    lettingGo = true;
    pending?.();
    pending = null;
  };
  const stand = (): void => {
    if (lettingGo || window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    if (!window.isFullScreen()) window.setFullScreen(true);
    if (!window.isKiosk()) window.setKiosk(true);
    window.show();
    window.focus();
  };
  const standSoon = (): void => {
    pending?.();
    pending = clock.schedule(backWithinMs, () => {
      pending = null;
      // A dialog for a file would be behind the window, and could not be answered.
      if (!window.isDestroyed() && !window.isFocused() && !dialogs.isOpen()) stand();
    });
  };
  const withoutZoom = (): void => {
    webContents.setVisualZoomLevelLimits(1, 1).catch(() => denied('zoom-limits'));
  };

  window.removeMenu();
  // Nothing zooms by the wheel unless `zoom-changed` is answered, which nobody does in a kiosk.
  webContents.on('did-finish-load', withoutZoom);
  webContents.on('before-input-event', (event, input) => {
    if (isKioskKey(input, platform)) return;
    event.preventDefault();
    // The key itself may be part of a password.
    denied('key');
  });
  window.on('close', (event: Event) => {
    if (lettingGo) return;
    event.preventDefault();
    denied('close');
  });
  window.on('minimize', stand);
  window.on('hide', stand);
  window.on('leave-full-screen', stand);
  window.on('blur', standSoon);
  // The keyboard is back: whatever the page had open is answered, also where it did not say so.
  window.on('focus', () => dialogs.fromPage(false));
  dialogs.onClosed(standSoon);
  // Nothing in a kiosk's window comes to `quit`: it is leave(), an update, a signal, or the system's end.
  app.on('before-quit', letGo);
  window.on('query-session-end', letGo);
  window.on('session-end', letGo);
  powerMonitor.on('shutdown', letGo);
  return {
    close: () => {
      letGo();
      powerSaveBlocker.stop(blocker);
      app.off('before-quit', letGo);
      powerMonitor.off('shutdown', letGo);
    },
  };
}
