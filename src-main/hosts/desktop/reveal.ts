import type { BrowserWindow } from 'electron';
import type { Clock } from '../../core/base/ports.ts';

/** A page that has said nothing by then is shown as it is, in milliseconds. */
const revealWithinMs = 3_000;

export interface Reveal {
  /** Shows the window at once: its page failed, and the operator has to see that. */
  now(): void;
}

/**
 * Shows a window that was made hidden: once, at the first of its page's first layout, its page's end of
 * loading, and a timer. On Wayland a hidden window has no surface, so its page may never be laid out, and a
 * page that fails is never laid out anywhere: a window that waits for `ready-to-show` alone never appears.
 * Both events come for every document, so a lock's reload would otherwise show a window that was hidden and
 * maximise one that was made smaller.
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
    // A second start may have brought it forward before.
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
