import type { BrowserWindow, Dialog, OpenDialogOptions } from 'electron';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTrust } from '../../../core/features/updates/trust.ts';
import type { PrivateFolder, ReleaseSource, UpdateHost } from '../../../core/features/updates/updateHost.ts';
import { installKindFile, readInstallKind } from './installKind.ts';
import { installChecked } from './installer.ts';
import type { UpdaterApp } from './updater.ts';

export interface UpdateHostOptions {
  readonly electron: {
    readonly app: UpdaterApp & { readonly isPackaged: boolean };
    readonly dialog: Pick<Dialog, 'showOpenDialog'>;
    readonly BrowserWindow: { getAllWindows(): BrowserWindow[] };
  };
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Electron's `process.resourcesPath`. */
  readonly resources: string;
  /** `APPIMAGE` of the environment. */
  readonly appImage: string | undefined;
  /** What the console was started with, without the program. */
  readonly startArguments: readonly string[];
  /** What build/update-keys.json holds. */
  readonly trust: unknown;
  readonly folder: PrivateFolder;
  /** Where the private folder lies. */
  readonly folderPath: string;
  readonly server: (address: string) => ReleaseSource;
  readonly folderSource: (path: string) => ReleaseSource;
}

/** What a desktop has for updates: where they come from, where they are kept, and who installs them. */
export function createUpdateHost(options: UpdateHostOptions): UpdateHost {
  const { electron, platform, arch, resources, appImage, startArguments } = options;
  const { offered, kind } = readInstallKind({
    text: textOf(join(resources, installKindFile)),
    packaged: electron.app.isPackaged,
    appImage,
  });
  return {
    offered,
    trust: readTrust(options.trust),
    target: { platform, arch, kind },
    server: options.server,
    chooseFolder: async () => {
      const [window] = electron.BrowserWindow.getAllWindows();
      const asked: OpenDialogOptions = {
        title: 'Folder with the update',
        buttonLabel: 'Use this folder',
        properties: ['openDirectory', 'dontAddToRecent'],
      };
      const { canceled, filePaths } = await (window === undefined
        ? electron.dialog.showOpenDialog(asked)
        : electron.dialog.showOpenDialog(window, asked));
      const [path] = filePaths;
      return canceled || path === undefined ? null : options.folderSource(path);
    },
    folder: options.folder,
    install: (checked) =>
      installChecked(
        {
          app: electron.app,
          appImage,
          startArguments,
          resources,
          folder: join(options.folderPath, 'installer'),
        },
        checked,
      ),
  };
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
