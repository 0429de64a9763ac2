import { basename, dirname, extname, join } from 'node:path';
import { beginFile, moveFile } from '../../adapters/durableFiles.ts';
import type { DesktopControl, Saving } from '../../core/base/control.ts';
import type { OwnDialogs } from './dialogs.ts';
import type { DesktopElectron } from './electron.ts';

/**
 * Saves files at the place from the operator's save dialog. The bytes go to a hidden file beside that place: on the
 * same disk, so that the last step is a rename, and no reader of that folder sees half a file.
 */
export function createSaver(options: {
  readonly electron: {
    readonly BrowserWindow: Pick<DesktopElectron['BrowserWindow'], 'getAllWindows' | 'getFocusedWindow'>;
    readonly dialog: Pick<DesktopElectron['dialog'], 'showSaveDialog'>;
  };
  readonly dialogs: Pick<OwnDialogs, 'during'>;
  /** Makes an ending that no other name in the folder has. */
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

/** Rejects when no file can be created beside `path`. */
async function beginSaving(path: string, suffix: string): Promise<Saving> {
  const beside = join(dirname(path), `.${basename(path).slice(0, 200)}.${suffix}.part`);
  const { write, finish, discard } = await beginFile(beside);
  return {
    fileName: basename(path),
    write,
    keep: async () => {
      await finish();
      await moveFile(beside, path);
    },
    discard,
  };
}
