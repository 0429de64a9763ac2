import { writeFile } from 'node:fs/promises';
import { message } from '../../../core/base/messages/message.ts';
import type { CheckedPackage, InstallOutcome } from '../../../core/features/updates/updateHost.ts';
import { isUnchanged } from './handOver.ts';
import { placeFor } from './place.ts';
import { createUpdater, prepare, type Updater, type UpdaterApp, type UpdaterOptions } from './updater.ts';

export type InstallerOptions = Omit<UpdaterOptions, 'kind'> & {
  /** The path of the running AppImage, by its runtime. */
  readonly appImage: string | undefined;
};

const refused = message('update.installerRefused');

/** Installs what was checked, after the console has closed itself in its usual way. Never rejects. */
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
      // Where root looks for what vouches for the package (build/deb/install-update).
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
 * Everything is closed, and the data folder is free for the next version, when Electron tells of its end:
 * only then is anything replaced. What was not replaced is started again.
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
