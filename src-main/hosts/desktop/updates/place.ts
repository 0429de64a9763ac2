import { constants } from 'node:fs';
import { access, lstat, statfs } from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import { message, type Message } from '../../../core/base/messages/message.ts';
import type { CheckedPackage } from '../../../core/features/updates/updateHost.ts';

/** Characters that stay what they are on the command line that electron-updater writes for `dpkg`. */
const tamePath = /^[\p{L}\p{N}/._+@:,=% -]+$/u;

/** Where a package goes: the name it is handed on with, or a sentence for the operator why it cannot go there. */
export type Place = { readonly name: string } | { readonly sentence: Message };

/**
 * Finds out what would stop an installation before anything is changed. An AppImage is taken away before
 * the new one is put in its place, so that must not fail between the two.
 */
export async function placeFor(
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
    // Under its own name it stays where desktop entries, services and people look for it.
    return { name: basename(appImage) };
  } catch {
    return { sentence: message('update.cannotReplace') };
  }
}
