import type { BrowserWindow, Event, Input } from 'electron';
import type { BasePorts } from '../../core/base/ports.ts';
import { Timer } from '../../core/base/timer.ts';
import type { OwnDialogs } from './dialogs.ts';
import type { DesktopElectron } from './electron.ts';

/** How long the window may be without the keyboard before it takes it back, in milliseconds. */
const backWithinMs = 500;

export interface KioskOptions extends Pick<BasePorts, 'clock' | 'logger'> {
  readonly electron: Pick<DesktopElectron, 'app' | 'autoUpdater' | 'powerMonitor' | 'powerSaveBlocker'>;
  readonly window: BrowserWindow;
  readonly platform: NodeJS.Platform;
  readonly dialogs: OwnDialogs;
}

/**
 * Makes a window a kiosk: alone, full screen, always on, and without a way out except `app.quit()`, which only an
 * administrator's code, the end of the system session and an update reach. Other displays are not touched.
 */
export function keepKiosk(options: KioskOptions): { close(): void } {
  const { electron, window, platform, dialogs, clock, logger } = options;
  const { app, autoUpdater, powerMonitor, powerSaveBlocker } = electron;
  const { webContents } = window;
  const denied = (what: string): void => logger.info('kiosk-denied', { what });
  let isReleased = false;
  const blocker = powerSaveBlocker.start('prevent-display-sleep');

  const release = (): void => {
    isReleased = true;
    refocusing.stop();
  };
  const refocus = (): void => {
    if (isReleased || window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    if (!window.isFullScreen()) window.setFullScreen(true);
    if (!window.isKiosk()) window.setKiosk(true);
    window.show();
    window.focus();
  };
  const refocusing = new Timer(clock, () => {
    // A file dialog would be behind the window, and could not be answered.
    if (!window.isDestroyed() && !window.isFocused() && !dialogs.isOpen()) refocus();
  });
  const refocusSoon = (): void => refocusing.set(backWithinMs);
  const withoutZoom = (): void => {
    webContents.setVisualZoomLevelLimits(1, 1).catch(() => denied('zoom-limits'));
  };

  window.removeMenu();
  // The wheel zooms only if `zoom-changed` is answered, which a kiosk does not.
  webContents.on('did-finish-load', withoutZoom);
  webContents.on('before-input-event', (event, input) => {
    if (isKioskKey(input, platform)) return;
    event.preventDefault();
    // The key is not logged: it may be part of a password.
    denied('key');
  });
  window.on('close', (event: Event) => {
    if (isReleased) return;
    event.preventDefault();
    denied('close');
  });
  window.on('minimize', refocus);
  window.on('hide', refocus);
  window.on('leave-full-screen', refocus);
  window.on('blur', refocusSoon);
  // The keyboard is back, so the page's dialog is answered, even if the page did not report it.
  window.on('focus', () => dialogs.fromPage(false));
  dialogs.onClosed(refocusSoon);
  // Nothing in a kiosk's window reaches `quit`: it comes from leave(), an update, a signal, or the system's end.
  app.on('before-quit', release);
  // On macOS an update closes the windows before that.
  autoUpdater.on('before-quit-for-update', release);
  window.on('session-end', release);
  powerMonitor.on('shutdown', release);
  return {
    close: () => {
      release();
      powerSaveBlocker.stop(blocker);
      app.off('before-quit', release);
      autoUpdater.off('before-quit-for-update', release);
      powerMonitor.off('shutdown', release);
    },
  };
}

type Keys = Pick<Input, 'type' | 'key' | 'shift' | 'control' | 'alt' | 'meta'>;

/** Keys that move, edit and confirm. With a modifier only those in `editing` are allowed. */
const editing = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Backspace', 'Delete'];
const plain = new Set([
  ...editing,
  'Enter',
  'Tab',
  'Escape',
  'Insert',
  'PageUp',
  'PageDown',
  'ContextMenu',
  'Copy',
  'Cut',
  'Paste',
  'Undo',
  'Redo',
]);
/** Modifier keys, and dead keys of letters that take several strokes. */
const modifiers = new Set([
  'Shift',
  'Control',
  'Alt',
  'AltGraph',
  'Meta',
  'CapsLock',
  'NumLock',
  'Fn',
  'Dead',
  'Process',
  'Compose',
  'Unidentified',
]);
const clipboard = new Set(['a', 'c', 'v', 'x', 'y', 'z', 'insert']);
const clipboardShifted = new Set(['v', 'z']);

const isCharacter = (key: string): boolean => [...key].length === 1;

/**
 * Whether a kiosk's page may receive a key stroke. Only typing, editing and moving are allowed, since any forgotten
 * shortcut would be a way out: developer tools, reload, zoom, print, find, back, a new window, leaving full screen,
 * closing.
 */
export function isKioskKey(input: Keys, platform: NodeJS.Platform): boolean {
  // A stroke is decided when the key goes down; its release has no effect.
  if (input.type === 'keyUp') return true;
  const { key, shift, control, alt, meta } = input;
  if (modifiers.has(key)) return true;
  const mac = platform === 'darwin';
  if (!control && !alt && !meta) return isCharacter(key) || plain.has(key);
  // Letters of the third level: Option on a Mac, AltGr elsewhere, which Windows reports as both keys.
  const third = mac ? alt && !control && !meta : alt && control && !meta;
  if (third) return isCharacter(key) || (mac && editing.includes(key));
  const primary = mac ? meta && !control && !alt : control && !meta && !alt;
  if (!primary) return false;
  if (editing.includes(key)) return true;
  return (shift ? clipboardShifted : clipboard).has(key.toLowerCase());
}
