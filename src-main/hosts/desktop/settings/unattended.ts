import type { App as ElectronApp, BrowserWindow, PowerSaveBlocker } from 'electron';
import type { App } from '../../../core/scopes/app.ts';
import type { DesktopElectron } from '../electron.ts';
import type { Words } from '../words.ts';
import { trayImage } from './tray.ts';

export interface UnattendedDesktop {
  readonly electron: {
    readonly app: Pick<ElectronApp, 'setBadgeCount'>;
    readonly nativeImage: Pick<DesktopElectron['nativeImage'], 'createFromBuffer'>;
    readonly powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'>;
  };
  readonly window: Pick<BrowserWindow, 'flashFrame' | 'isDestroyed' | 'isFocused' | 'setOverlayIcon'>;
  readonly console: Pick<App, 'watch'>;
  readonly platform: NodeJS.Platform;
  readonly words: Pick<Words, 'text'>;
}

/** Keeps the computer from sleeping while files are sent. */
export function keepAwake({ electron: { powerSaveBlocker }, console }: UnattendedDesktop): { close(): void } {
  let blocker: number | null = null;
  const rest = (): void => {
    if (blocker !== null) powerSaveBlocker.stop(blocker);
    blocker = null;
  };
  const stop = console.watch('outbox', ({ moving }) => {
    if (!moving.some(({ direction }) => direction === 'sending')) rest();
    else blocker ??= powerSaveBlocker.start('prevent-app-suspension');
  });
  return {
    close: () => {
      stop();
      rest();
    },
  };
}

/** Shows at the application's icon how many alarms are to be acknowledged, and flashes it for each that comes. */
export function showAlarms(shown: UnattendedDesktop): { close(): void } {
  const { electron, window, console, platform, words } = shown;
  let before = 0;
  const show = (n: number): void => {
    const more = n > before;
    if (n === before) return;
    before = n;
    // Only Windows has no number at the icon.
    if (platform !== 'win32') electron.app.setBadgeCount(n);
    if (window.isDestroyed()) return;
    if (platform === 'win32') {
      window.setOverlayIcon(
        n === 0 ? null : trayImage('alarms', shown),
        n === 0 ? '' : words.text('tray.alarms', { n }),
      );
    }
    if (n === 0) window.flashFrame(false);
    else if (more && !window.isFocused()) window.flashFrame(true);
  };
  const stop = console.watch('siren', ({ unacknowledged }) => show(unacknowledged));
  return {
    close: () => {
      stop();
      // A dock may keep the number of a program that has ended.
      show(0);
    },
  };
}
