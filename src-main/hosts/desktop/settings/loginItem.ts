import type { App } from 'electron';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DesktopControl } from '../../../core/base/control.ts';
import type { Logger } from '../../../core/base/ports.ts';
import { autostartEntry, autostartPath, startsProgram } from './autostart.ts';

export interface LoginItemOptions {
  readonly app: Pick<App, 'getLoginItemSettings' | 'isPackaged' | 'setLoginItemSettings'>;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The running program: what a login starts, unless it came out of an AppImage. */
  readonly execPath: string;
  readonly kiosk: boolean;
  readonly logger: Logger;
}

/** A way to have the system start the console; `set` says whether the system took it. */
interface LoginItem {
  isSet(): Promise<boolean>;
  set(on: boolean): Promise<boolean>;
}

function systemItem({ app, platform }: LoginItemOptions): LoginItem {
  const isSet = (): boolean => {
    const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings();
    // Windows keeps an entry that its Task Manager switched off.
    return openAtLogin && (platform !== 'win32' || executableWillLaunchAtLogin);
  };
  return {
    isSet: () => Promise.resolve(isSet()),
    set: (on) => {
      app.setLoginItemSettings({ openAtLogin: on });
      return Promise.resolve(isSet() === on);
    },
  };
}

function autostartItem(options: LoginItemOptions): LoginItem {
  const path = autostartPath(options);
  const image = options.env['APPIMAGE'];
  const program = image === undefined || image === '' ? options.execPath : image;
  const isSet = async (): Promise<boolean> => {
    try {
      return startsProgram(await readFile(path, 'utf8'), program);
    } catch {
      return false;
    }
  };
  return {
    isSet,
    set: async (on) => {
      const entry = autostartEntry(program);
      if (!on) await rm(path, { force: true });
      else if (entry === null) return false;
      else {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const beside = `${path}.tmp`;
        await writeFile(beside, entry, { mode: 0o600 });
        await rename(beside, path);
      }
      return (await isSet()) === on;
    },
  };
}

/**
 * What a desktop can do for its operator's settings. A kiosk starts as its administrator has it, and
 * a program that is not packaged is no program to start at login: both have nothing to set.
 */
export function createSettingsControl(
  options: LoginItemOptions,
): Omit<DesktopControl, 'saveAs' | 'printPdf'> {
  const { app, platform, kiosk, logger } = options;
  const none = kiosk || !app.isPackaged;
  const item =
    platform === 'darwin' || platform === 'win32'
      ? systemItem(options)
      : platform === 'linux'
        ? autostartItem(options)
        : null;
  const failed = (error: unknown): void =>
    logger.warn('login-item-failed', { message: error instanceof Error ? error.message : 'unknown' });
  return {
    tray: !kiosk,
    startsAtLogin: async () => {
      if (none || item === null) return null;
      try {
        return await item.isSet();
      } catch (error) {
        failed(error);
        return null;
      }
    },
    setStartAtLogin: async (on) => {
      if (none || item === null) return false;
      try {
        return await item.set(on);
      } catch (error) {
        failed(error);
        return false;
      }
    },
  };
}
