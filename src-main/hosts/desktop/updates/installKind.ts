import type { UpdatesState } from '../../../../src-preload/contract/index.ts';
import type { ReleasePackage } from '../../../core/features/updates/release.ts';

/** The file in the application's resources that the packaging writes: how it is installed, and whether it is signed. */
export const installKindFile = 'install-kind.txt';

export interface InstallKind {
  readonly offered: Extract<UpdatesState['offered'], 'yes' | 'unsigned' | 'managed' | 'development'>;
  readonly kind: ReleasePackage['kind'];
}

/** By which kind of package each kind of installation is followed. */
const followers: Readonly<Record<string, ReleasePackage['kind']>> = {
  appimage: 'appimage',
  deb: 'deb',
  nsis: 'nsis',
  dmg: 'mac-zip',
};

/**
 * What this installation can be updated with. `text` is null where the file is missing. An MSI, or a
 * folder that somebody copied, belongs to who put it there; an AppImage that was unpacked is such a folder.
 */
export function readInstallKind(options: {
  readonly text: string | null;
  readonly packaged: boolean;
  /** The path of the running AppImage, by its runtime. */
  readonly appImage: string | undefined;
}): InstallKind {
  const [word = '', signed] = (options.text ?? '').split(/\r?\n/);
  const kind = Object.hasOwn(followers, word) ? followers[word] : undefined;
  const offer = (offered: InstallKind['offered']): InstallKind => ({ offered, kind: kind ?? 'appimage' });
  if (!options.packaged || options.text === null) return offer('development');
  if (kind === undefined || (kind === 'appimage' && options.appImage === undefined)) return offer('managed');
  return offer(signed === 'signed' ? 'yes' : 'unsigned');
}
