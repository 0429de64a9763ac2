import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { DesktopControl, Saving } from '../../core/base/control.ts';
import type { OwnDialogs } from './dialogs.ts';
import type { DesktopElectron } from './electron.ts';

/**
 * Saves files where the operator's own dialog says. The bytes go to a hidden name beside the chosen one: on
 * the same disk, so that the last step is a rename, and whoever reads that folder never sees half a file.
 */
export function createSaver(options: {
  readonly electron: {
    readonly BrowserWindow: Pick<DesktopElectron['BrowserWindow'], 'getAllWindows' | 'getFocusedWindow'>;
    readonly dialog: Pick<DesktopElectron['dialog'], 'showSaveDialog'>;
  };
  readonly dialogs: Pick<OwnDialogs, 'during'>;
  /** Makes what no other name in the folder ends in. */
  readonly makeSuffix: () => string;
}): DesktopControl['saveAs'] {
  const { BrowserWindow, dialog } = options.electron;
  return async (fileName) => {
    const kind = extname(fileName).slice(1);
    const asked = {
      defaultPath: fileName,
      filters: [{ name: kind.toUpperCase(), extensions: [kind] }],
      properties: ['createDirectory' as const, 'showOverwriteConfirmation' as const],
    };
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    const chosen = await options.dialogs.during(() =>
      window ? dialog.showSaveDialog(window, asked) : dialog.showSaveDialog(asked),
    );
    if (chosen.canceled || chosen.filePath === '') return null;
    return beginSaving(chosen.filePath, options.makeSuffix());
  };
}

/** Rejects where no file can be made beside `path`. */
async function beginSaving(path: string, suffix: string): Promise<Saving> {
  const beside = join(dirname(path), `.${basename(path).slice(0, 200)}.${suffix}.part`);
  const file = await open(beside, 'wx', 0o600);
  const discard = async (): Promise<void> => {
    await closed(file);
    await rm(beside, { force: true }).catch(() => undefined);
  };
  return {
    fileName: basename(path),
    write: async (bytes) => {
      await file.writeFile(bytes);
    },
    keep: async () => {
      await file.sync();
      await file.close();
      await rename(beside, path);
    },
    discard,
  };
}

/** Closing what is closed already, or what its disk left, is no trouble of anybody's. */
const closed = (file: FileHandle): Promise<void> => file.close().catch(() => undefined);
