import type { App } from 'electron';
import type { AppUpdater, BaseUpdater, MacUpdater } from 'electron-updater';
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckedPackage } from '../../../core/features/updates/updateHost.ts';
import { feedOf, handOverOf } from './handOver.ts';

export type UpdaterApp = Pick<
  App,
  'getName' | 'getVersion' | 'off' | 'once' | 'quit' | 'relaunch' | 'releaseSingleInstanceLock' | 'whenReady'
>;

export type Updater =
  | { readonly kind: 'at-quit'; readonly updater: BaseUpdater }
  /** Squirrel.Mac makes the running application download the update from it, and then ends it. */
  | { readonly kind: 'squirrel'; readonly updater: MacUpdater };

export interface UpdaterOptions {
  readonly app: UpdaterApp;
  readonly kind: Exclude<CheckedPackage['kind'], 'deb'>;
  /** A folder for electron-updater's files that only this user may open. */
  readonly folder: string;
  /** The folder of `app-update.yml`. */
  readonly resources: string;
  /** The arguments of this start, for an installer that does not keep them. */
  readonly startArguments: readonly string[];
}

/**
 * electron-updater's installer for this kind of package, loaded only when needed. Rejects for a Windows installation
 * that names no publisher.
 */
export async function createUpdater(options: UpdaterOptions): Promise<Updater> {
  const { AppImageUpdater, MacUpdater, NsisUpdater } = await import('electron-updater');
  const app = adapterOf(options);
  switch (options.kind) {
    case 'appimage': {
      class ArgumentKeeping extends AppImageUpdater {
        protected override spawnLog(
          command: string,
          _args?: string[],
          environment?: NodeJS.ProcessEnv,
        ): Promise<boolean> {
          return super.spawnLog(command, [...options.startArguments], environment);
        }
      }
      return { kind: 'at-quit', updater: new ArgumentKeeping(undefined, app) };
    }
    case 'nsis':
      await requirePublisher(options.resources);
      return { kind: 'at-quit', updater: new NsisUpdater(undefined, app) };
    case 'mac-zip':
      return { kind: 'squirrel', updater: new MacUpdater(undefined, app) };
  }
}

/**
 * Without a publisher, electron-updater does not check an installer's signature.
 *
 * @throws Error when `app-update.yml` is missing or names none.
 */
async function requirePublisher(resources: string): Promise<void> {
  const text = await readFile(join(resources, 'app-update.yml'), 'utf8');
  if (!/^publisherName: *\[ *"[^"]/m.test(text)) throw new Error('app-update.yml names no publisher');
}

/**
 * Gives the checked package to electron-updater, which does nothing automatically: it looks for no update, downloads
 * nothing and installs nothing at the console's end.
 *
 * @returns the package's present path. Rejects when electron-updater refuses it.
 */
export async function prepare(updater: AppUpdater, checked: CheckedPackage, name: string): Promise<string> {
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.autoRunAppAfterInstall = true;
  updater.allowDowngrade = false;
  updater.disableWebInstaller = true;
  updater.disableDifferentialDownload = true;
  // Its own executor needs Electron's network, which this one does not use.
  Object.defineProperty(updater, 'httpExecutor', { value: handOverOf(checked) });
  updater.setFeedURL(feedOf(checked, name));
  const found = await updater.checkForUpdates();
  if (found?.isUpdateAvailable !== true) throw new Error('electron-updater finds no update in it');
  const [path] = await updater.downloadUpdate();
  if (path === undefined) throw new Error('electron-updater took no file');
  return path;
}

/** The application in the form that electron-updater needs. */
export function adapterOf({
  app,
  folder,
  resources,
}: Pick<UpdaterOptions, 'app' | 'folder' | 'resources'>): AppAdapter {
  return {
    version: app.getVersion(),
    name: app.getName(),
    isPackaged: true,
    appUpdateConfigPath: join(resources, 'app-update.yml'),
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: async () => {
      await app.whenReady();
      await mkdir(folder, { recursive: true, mode: 0o700 });
    },
    relaunch: app.relaunch.bind(app),
    quit: app.quit.bind(app),
    onQuit: () => {
      throw new Error('Nothing is installed at the end of the console unless somebody asked for it');
    },
  };
}
