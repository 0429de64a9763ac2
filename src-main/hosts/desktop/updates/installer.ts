import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { access, lstat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { message, type Message } from '../../../core/base/messages/message.ts';
import type { CheckedPackage, InstallOutcome } from '../../../core/features/updates/updateHost.ts';
import { isUnchanged } from './handOver.ts';
import { createUpdater, prepare, type Updater, type UpdaterApp, type UpdaterOptions } from './updater.ts';

/** Beside the application in its Debian package: checks and installs as root (build/deb/install-update). */
const debInstaller = 'install-update';

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
  const { kind } = checked;
  try {
    if (kind === 'deb') return await installAsRoot(options, checked);
    const place = await placeFor({ ...checked, kind }, options.appImage);
    if ('sentence' in place) return { kind: 'failed', sentence: place.sentence, detail: 'place' };
    const updater = await createUpdater({ ...options, kind });
    const path = await prepare(updater.updater, checked, place.name);
    return updater.kind === 'squirrel'
      ? await installWithSquirrel(options.app, updater)
      : installAtQuit(options.app, updater, checked, path);
  } catch (error) {
    return { kind: 'failed', sentence: refused, detail: String(error) };
  }
}

/**
 * Hands a Debian package to root's installer, by polkit, whose question names it
 * (build/deb/org.fieldconsole.install-update.policy). Whatever the answer, the console that is installed then starts.
 */
async function installAsRoot(
  { app, resources }: Pick<InstallerOptions, 'app' | 'resources'>,
  checked: CheckedPackage,
): Promise<InstallOutcome> {
  const { path, signed } = checked;
  if (spawnSync('pkexec', ['--version']).error)
    return { kind: 'failed', sentence: message('update.noPkexec'), detail: 'pkexec' };
  // The place where root looks for the package's manifest and signature.
  await writeFile(`${path}.json`, signed.manifest, { mode: 0o600 });
  await writeFile(`${path}.json.sig`, signed.signatures, { mode: 0o600 });
  app.once('quit', () => {
    app.releaseSingleInstanceLock();
    const installer = join(dirname(resources), debInstaller);
    if (isUnchanged(path, checked)) spawnSync('pkexec', ['--disable-internal-agent', installer, path]);
    app.relaunch();
  });
  app.quit();
  return { kind: 'begun' };
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
  checked: Pick<CheckedPackage, 'version' | 'bytes' | 'path'> & Pick<UpdaterOptions, 'kind'>,
  appImage: string | undefined,
): Promise<Place> {
  const named = (ending: string): Place => ({ name: `field-console-${checked.version}.${ending}` });
  switch (checked.kind) {
    case 'nsis':
      return named('exe');
    case 'mac-zip':
      return named('zip');
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
