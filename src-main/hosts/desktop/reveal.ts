import type { BrowserWindow } from 'electron';
import type { Clock } from '../../core/base/ports.ts';

/** After this time, in milliseconds, a page that has not reported is shown as it is. */
const revealWithinMs = 3_000;

export interface Reveal {
  /** Shows the window at once: its page failed, and the operator has to see that. */
  now(): void;
}

/**
 * Shows a hidden window once: at its page's first layout, when its page has loaded, or after a timer, whichever comes
 * first. On Wayland a hidden window has no surface, so its page may never have a layout, and a page that fails has none
 * anywhere: a window that waits only for `ready-to-show` would never appear. Both events come for every document, so
 * without "once" the reload of a lock would show a window that was hidden, and maximise one that was made smaller.
 *
 * `inactive`: without taking the keyboard.
 */
export function revealOnce(options: {
  readonly window: BrowserWindow;
  readonly clock: Clock;
  readonly maximised: boolean;
  readonly inactive: boolean;
}): Reveal {
  const { window, clock, maximised, inactive } = options;
  const { webContents } = window;
  const stop = (): void => {
    cancel();
    window.off('ready-to-show', reveal);
    webContents.off('did-finish-load', reveal);
  };
  let revealed = false;
  const reveal = (): void => {
    if (revealed) return;
    revealed = true;
    if (window.isDestroyed()) return;
    stop();
    if (maximised) window.maximize();
    // A second start may have brought it forward already.
    if (window.isVisible()) return;
    if (inactive) window.showInactive();
    else window.show();
  };
  const cancel = clock.schedule(revealWithinMs, reveal);
  window.on('ready-to-show', reveal);
  webContents.on('did-finish-load', reveal);
  window.on('closed', cancel);
  return { now: reveal };
}
