import { constants } from 'node:fs';
import { access, lstat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import { message, type Message } from '../../../core/base/messages/message.ts';
import type { CheckedPackage, InstallOutcome } from '../../../core/features/updates/updateHost.ts';
import { isUnchanged } from './handOver.ts';
import { createUpdater, prepare, type Updater, type UpdaterApp, type UpdaterOptions } from './updater.ts';

export type InstallerOptions = Omit<UpdaterOptions, 'kind'> & {
  /** The path of the running AppImage, set by its runtime. */
  readonly appImage: string | undefined;
};

const refused = message('update.installerRefused');

/** Installs the checked package, after the console has closed in the usual way. Never rejects. */
export async function installChecked(
  options: InstallerOptions,
  checked: CheckedPackage,
): Promise<InstallOutcome> {
  const place = await placeFor(checked, options.appImage);
  if ('sentence' in place) return { kind: 'failed', sentence: place.sentence, detail: 'place' };
  try {
    const updater = await createUpdater({ ...options, kind: checked.kind });
    const path = await prepare(updater.updater, checked, place.name);
    if (checked.kind === 'deb') {
      // The place where root looks for the package's manifest and signature (build/deb/install-update).
      await writeFile(`${path}.json`, checked.signed.manifest, { mode: 0o600 });
      await writeFile(`${path}.json.sig`, checked.signed.signatures, { mode: 0o600 });
    }
    return updater.kind === 'squirrel'
      ? await installWithSquirrel(options.app, updater)
      : installAtQuit(options.app, updater, checked, path);
  } catch (error) {
    return { kind: 'failed', sentence: refused, detail: String(error) };
  }
}

/**
 * When Electron reports its end, everything is closed and the data folder is free for the next version: only then is
 * the application replaced. If that fails, the old version starts again.
 */
function installAtQuit(
  app: UpdaterApp,
  { updater }: Extract<Updater, { readonly kind: 'at-quit' }>,
  checked: CheckedPackage,
  path: string,
): InstallOutcome {
  app.once('quit', () => {
    app.releaseSingleInstanceLock();
    const installed = isUnchanged(path, checked) && updater.install(true, true);
    if (!installed) app.relaunch();
  });
  app.quit();
  return { kind: 'begun' };
}

function installWithSquirrel(
  app: UpdaterApp,
  { updater }: Extract<Updater, { readonly kind: 'squirrel' }>,
): Promise<InstallOutcome> {
  return new Promise((resolve) => {
    const begun = (): void => {
      resolve({ kind: 'begun' });
    };
    updater.once('error', ({ message }) => {
      app.off('before-quit', begun);
      resolve({ kind: 'failed', sentence: refused, detail: message });
    });
    app.once('before-quit', begun);
    updater.quitAndInstall();
  });
}

/** Characters without a special meaning on the command line that electron-updater writes for `dpkg`. */
const tamePath = /^[\p{L}\p{N}/._+@:,=% -]+$/u;

/**
 * The place for a package: the name under which it is handed on, or a sentence for the operator why that is not
 * possible.
 */
type Place = { readonly name: string } | { readonly sentence: Message };

/**
 * Finds out what would stop an installation before anything changes. An AppImage is removed before the new one takes
 * its place, so that step must not fail in between.
 */
async function placeFor(
  checked: Pick<CheckedPackage, 'kind' | 'version' | 'bytes' | 'path'>,
  appImage: string | undefined,
): Promise<Place> {
  const named = (ending: string): Place => ({ name: `field-console-${checked.version}.${ending}` });
  switch (checked.kind) {
    case 'nsis':
      return named('exe');
    case 'mac-zip':
      return named('zip');
    case 'deb':
      return tamePath.test(checked.path) ? named('deb') : { sentence: message('update.pathCharacter') };
    case 'appimage':
      return placeOfAppImage(checked, appImage);
  }
}

async function placeOfAppImage(
  { bytes, path }: Pick<CheckedPackage, 'bytes' | 'path'>,
  appImage: string | undefined,
): Promise<Place> {
  try {
    if (appImage === undefined || !isAbsolute(appImage)) throw new Error('No AppImage is running');
    const folder = dirname(appImage);
    const [running, copy] = [await lstat(appImage), await lstat(path)];
    if (!running.isFile()) throw new Error('The AppImage is no file');
    await access(folder, constants.W_OK);
    if (running.dev !== copy.dev) {
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize < bytes) {
        return { sentence: message('update.noRoomBeside') };
      }
    }
    // It has to stay under this name, where desktop entries, services and people look for it.
    return { name: basename(appImage) };
  } catch {
    return { sentence: message('update.cannotReplace') };
  }
}
