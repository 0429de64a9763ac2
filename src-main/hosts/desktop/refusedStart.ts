import { unsandboxed } from './arguments.ts';
import type { DesktopElectron } from './electron.ts';

/** How the console was started, which decides where a sentence can be read. */
export interface Starter {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether standard error is a terminal. */
  readonly terminal: boolean;
  /** Whether a service manager started the console: there may be no operator to close a box. */
  readonly supervised: boolean;
}

/** Whether an AppImage does not start because this system gives it no sandbox. */
export const withoutSandbox = (refused: readonly string[], { environment }: Starter): boolean =>
  Boolean(environment['APPIMAGE']) && refused.length > 0 && refused.every((name) => name === unsandboxed);

/**
 * Ends a refused start, and shows the reason where it can be read: after a double click in a box, since there is no
 * terminal. Linux shows a box only when Electron is ready. Until then Chromium gets an empty folder for its files,
 * since that in the data folder may be in use.
 */
export async function endRefused(options: {
  readonly electron: Pick<DesktopElectron, 'app' | 'dialog'>;
  readonly starter: Starter;
  /** Asked for when the box is shown: the computer's language may be known only then. */
  readonly sentence: () => string;
  readonly status: number;
  /** Makes an empty folder that is removed when the process ends. */
  readonly makeFolder: () => string;
}): Promise<void> {
  const { electron, starter, sentence, status, makeFolder } = options;
  const { app, dialog } = electron;
  const { platform, environment, terminal, supervised } = starter;
  const linux = platform === 'linux';
  const screen = !linux || Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
  if (!terminal && !supervised && screen) {
    if (linux) {
      const folder = makeFolder();
      app.setPath('userData', folder);
      app.setPath('sessionData', folder);
      await app.whenReady();
    }
    dialog.showErrorBox('Field Console', sentence());
  }
  app.exit(status);
}
