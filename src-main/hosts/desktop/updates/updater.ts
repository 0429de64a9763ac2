import type { App } from 'electron';
import type { AppUpdater, BaseUpdater, MacUpdater } from 'electron-updater';
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CheckedPackage } from '../../../core/features/updates/updateHost.ts';
import { feedOf, handOverOf } from './handOver.ts';

/** Beside the application in its Debian package: checks and installs as root (build/deb/install-update). */
const debInstaller = 'install-update';

export type UpdaterApp = Pick<
  App,
  'getName' | 'getVersion' | 'off' | 'once' | 'quit' | 'relaunch' | 'releaseSingleInstanceLock' | 'whenReady'
>;

export type Updater =
  | { readonly kind: 'at-quit'; readonly updater: BaseUpdater }
  /** Squirrel.Mac wants the running application to fetch the update from it, and ends it then. */
  | { readonly kind: 'squirrel'; readonly updater: MacUpdater };

export interface UpdaterOptions {
  readonly app: UpdaterApp;
  readonly kind: CheckedPackage['kind'];
  /** A folder of this user alone, for electron-updater's own files. */
  readonly folder: string;
  /** Where `app-update.yml` lies. */
  readonly resources: string;
  /** What the console was started with, for a start that does not keep it by itself. */
  readonly startArguments: readonly string[];
}

/**
 * electron-updater's own installer for this kind of package, loaded when it is needed and not before. Rejects for an
 * installation of Windows that names no publisher.
 */
export async function createUpdater(options: UpdaterOptions): Promise<Updater> {
  const { AppImageUpdater, DebUpdater, MacUpdater, NsisUpdater } = await import('electron-updater');
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
    case 'deb': {
      class InstalledByRoot extends DebUpdater {
        protected override doInstall({ isForceRunAfter }: { readonly isForceRunAfter: boolean }): boolean {
          const path = this.installerPath;
          if (path === null) return false;
          try {
            this.runCommandWithSudoIfNeeded([join(dirname(options.resources), debInstaller), path]);
          } catch {
            return false;
          }
          if (isForceRunAfter) options.app.relaunch();
          return true;
        }
      }
      return { kind: 'at-quit', updater: new InstalledByRoot(undefined, app) };
    }
    case 'nsis':
      await requirePublisher(options.resources);
      return { kind: 'at-quit', updater: new NsisUpdater(undefined, app) };
    case 'mac-zip':
      return { kind: 'squirrel', updater: new MacUpdater(undefined, app) };
  }
}

/**
 * Without a publisher electron-updater compares the signature of an installer with nothing.
 *
 * @throws Error where `app-update.yml` is missing or names none.
 */
async function requirePublisher(resources: string): Promise<void> {
  const text = await readFile(join(resources, 'app-update.yml'), 'utf8');
  if (!/^publisherName: *\[ *"[^"]/m.test(text)) throw new Error('app-update.yml names no publisher');
}

/**
 * Gives the checked package to electron-updater, which does nothing of its own accord: it looks for no
 * update, downloads nothing and installs nothing at the end of the console.
 *
 * @returns where the package lies now. Rejects when electron-updater refuses it.
 */
export async function prepare(updater: AppUpdater, checked: CheckedPackage, name: string): Promise<string> {
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.autoRunAppAfterInstall = true;
  updater.allowDowngrade = false;
  updater.disableWebInstaller = true;
  updater.disableDifferentialDownload = true;
  // Its own executor wants Electron's network, which this one does without.
  Object.defineProperty(updater, 'httpExecutor', { value: handOverOf(checked) });
  updater.setFeedURL(feedOf(checked, name));
  const found = await updater.checkForUpdates();
  if (found?.isUpdateAvailable !== true) throw new Error('electron-updater finds no update in it');
  const [path] = await updater.downloadUpdate();
  if (path === undefined) throw new Error('electron-updater took no file');
  return path;
}

/** The application as electron-updater sees it. */
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
