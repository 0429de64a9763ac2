import type { BrowserWindow, Dialog, OpenDialogOptions } from 'electron';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UpdatesState } from '../../../../src-preload/contract/index.ts';
import type { ReleasePackage } from '../../../core/features/updates/release.ts';
import { readTrust } from '../../../core/features/updates/trust.ts';
import type { PrivateFolder, ReleaseSource, UpdateHost } from '../../../core/features/updates/updateHost.ts';
import type { OwnDialogs } from '../dialogs.ts';
import { installChecked } from './installer.ts';
import type { UpdaterApp } from './updater.ts';

export interface UpdateHostOptions {
  readonly electron: {
    readonly app: UpdaterApp & { readonly isPackaged: boolean };
    readonly dialog: Pick<Dialog, 'showOpenDialog'>;
    readonly BrowserWindow: { getAllWindows(): BrowserWindow[] };
  };
  /** A kiosk leaves the keyboard to an open one. */
  readonly dialogs: Pick<OwnDialogs, 'during'>;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Electron's `process.resourcesPath`. */
  readonly resources: string;
  /** `APPIMAGE` from the environment. */
  readonly appImage: string | undefined;
  /** The arguments of this start, without the program. */
  readonly startArguments: readonly string[];
  /** The content of build/update-keys.json. */
  readonly trust: unknown;
  readonly folder: PrivateFolder;
  /** The path of the private folder. */
  readonly folderPath: string;
  readonly server: (address: string) => ReleaseSource;
  readonly folderSource: (path: string) => ReleaseSource;
}

/** A desktop's functions for updates: their sources, their storage, and their installer. */
export function createUpdateHost(options: UpdateHostOptions): UpdateHost {
  const { electron, dialogs, platform, arch, resources, appImage, startArguments } = options;
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
      const { canceled, filePaths } = await dialogs.during(() =>
        window === undefined
          ? electron.dialog.showOpenDialog(asked)
          : electron.dialog.showOpenDialog(window, asked),
      );
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

/**
 * The file in the application's resources, written by the packaging: how the application is installed, and whether it
 * is signed.
 */
const installKindFile = 'install-kind.txt';

/** Whether an installer put the application where it is, and ties links to it. */
export const isInstalled = (resources: string): boolean =>
  /^(?:deb|dmg|msi|nsis)\b/.test(textOf(join(resources, installKindFile)) ?? '');

interface InstallKind {
  readonly offered: Extract<UpdatesState['offered'], 'yes' | 'unsigned' | 'managed' | 'development'>;
  readonly kind: ReleasePackage['kind'];
}

/** The kind of package that updates each kind of installation. */
const followers: Readonly<Record<string, ReleasePackage['kind']>> = {
  appimage: 'appimage',
  deb: 'deb',
  nsis: 'nsis',
  dmg: 'mac-zip',
};

/**
 * How this installation can be updated. `text` is null when the file is missing. An MSI, or a folder that was copied,
 * is updated by the person who installed it; an unpacked AppImage is such a folder.
 */
export function readInstallKind(options: {
  readonly text: string | null;
  readonly packaged: boolean;
  /** The path of the running AppImage, set by its runtime. */
  readonly appImage: string | undefined;
}): InstallKind {
  const [word = '', signed] = (options.text ?? '').split(/\r?\n/);
  const kind = Object.hasOwn(followers, word) ? followers[word] : undefined;
  const offer = (offered: InstallKind['offered']): InstallKind => ({ offered, kind: kind ?? 'appimage' });
  if (!options.packaged || options.text === null) return offer('development');
  if (kind === undefined || (kind === 'appimage' && options.appImage === undefined)) return offer('managed');
  return offer(signed === 'signed' ? 'yes' : 'unsigned');
}
