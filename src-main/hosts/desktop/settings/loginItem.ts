import type { App } from 'electron';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { writeAtomically } from '../../../adapters/durableFiles.ts';
import { readPlain } from '../../../adapters/plainFile.ts';
import type { DesktopControl } from '../../../core/base/control.ts';
import { textOf } from '../../../core/base/errors.ts';
import type { Logger } from '../../../core/base/ports.ts';

/** Bytes of an entry of autostart. */
const largestEntry = 65_536;

export interface LoginItemOptions {
  readonly app: Pick<App, 'getLoginItemSettings' | 'isPackaged' | 'setLoginItemSettings'>;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The running program. A login starts it, unless it came from an AppImage. */
  readonly execPath: string;
  readonly kiosk: boolean;
  readonly logger: Logger;
}

/** A way to have the system start the console. `set` returns whether the system accepted it. */
interface LoginItem {
  isSet(): Promise<boolean>;
  set(on: boolean): Promise<boolean>;
}

function systemItem({ app, platform }: LoginItemOptions): LoginItem {
  const isSet = (): boolean => {
    const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings();
    // Windows keeps an entry that its Task Manager has disabled.
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
      return startsProgram(String(await readPlain(path, largestEntry, { follow: true })), program);
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
        await writeAtomically(path, entry);
      }
      return (await isSet()) === on;
    },
  };
}

/**
 * The operator's settings that a desktop supports. A kiosk's start is its administrator's choice, and an unpackaged
 * program cannot be started at login: neither has settings.
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
  const failed = (error: unknown): void => logger.warn('login-item-failed', { message: textOf(error) });
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

/**
 * The folder in which a Linux desktop looks for programs to start at login. A relative path in the environment must be
 * ignored.
 */
export function autostartPath(options: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}): string {
  const named = options.env['XDG_CONFIG_HOME'];
  const config = named && isAbsolute(named) ? named : join(options.home, '.config');
  return join(config, 'autostart', 'field-console.desktop');
}

/**
 * A program as the value of `Exec` (Desktop Entry Specification, "The Exec key"): quoted, with reserved characters
 * escaped, percent signs doubled, and the whole escaped as a string value. Null for a path with a control character,
 * which an entry cannot contain.
 */
export function execValue(program: string): string | null {
  if ([...program].some((character) => character < ' ' || character === '\u007f')) return null;
  const quoted = `"${program.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  return quoted.replaceAll('\\', '\\\\');
}

/** The entry that starts `program`; null when it cannot be written. */
export function autostartEntry(program: string): string | null {
  const exec = execValue(program);
  if (exec === null) return null;
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Field Console',
    `Exec=${exec}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Whether an entry starts `program`, and desktops have not switched it off in the entry. */
export function startsProgram(entry: string, program: string): boolean {
  const values = new Map<string, string>();
  let group = '';
  for (const line of entry.split('\n')) {
    const text = line.trim();
    if (text.startsWith('[')) group = text;
    const at = text.indexOf('=');
    if (group !== '[Desktop Entry]' || at < 1) continue;
    values.set(text.slice(0, at).trim(), text.slice(at + 1).trim());
  }
  const off = values.get('Hidden') === 'true' || values.get('X-GNOME-Autostart-enabled') === 'false';
  return !off && values.get('Exec') === execValue(program);
}
