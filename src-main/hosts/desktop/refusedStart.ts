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

/** Why an AppImage does not start, and what to do; null for every other start. */
export function withoutSandbox(refused: readonly string[], { environment }: Starter): string | null {
  const byAppImage = Boolean(environment['APPIMAGE']) && refused.every((name) => name === unsandboxed);
  if (!byAppImage || refused.length === 0) return null;
  return 'This system gives the AppImage no sandbox, and Field Console does not run without one. Install the Debian package: it brings a profile for AppArmor.';
}

/**
 * Ends a refused start, and shows the reason where it can be read: after a double click in a box, since there is no
 * terminal. Linux shows a box only when Electron is ready. Until then Chromium gets an empty folder for its files,
 * since that in the data folder may be in use.
 */
export async function endRefused(options: {
  readonly electron: Pick<DesktopElectron, 'app' | 'dialog'>;
  readonly starter: Starter;
  readonly sentence: string;
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
    dialog.showErrorBox('Field Console', sentence);
  }
  app.exit(status);
}
