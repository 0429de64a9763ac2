import { randomBytes } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { codeOf } from '../core/base/errors.ts';
import { syncFolder } from './durableFiles.ts';

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * The console's data folder without `--data-dir`. On Windows that of 0.2 as long as `moveRoamingData` could not move
 * it.
 */
export function defaultDataFolder({ platform, env, home }: Surroundings): string {
  if (platform === 'win32') {
    const { roaming, local } = windowsFolders({ env, home });
    return existsSync(roaming) && !existsSync(local) ? roaming : local;
  }
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Field Console');
  // A relative path must be ignored here (XDG Base Directory Specification).
  const named = env['XDG_DATA_HOME'];
  return join(named && isAbsolute(named) ? named : join(home, '.local', 'share'), 'field-console');
}

/**
 * Moves the data folder of 0.2 on Windows out of the roaming profile, which the system copies at each log-on and
 * log-off, or keeps on a server (docs/adr/0065). Call it before a file of it is open. Where the system refuses (another
 * volume, a console that has it, an antivirus) all stays in its place.
 */
export function moveRoamingData({ platform, env, home }: Surroundings): void {
  if (platform !== 'win32') return;
  const { roaming, local } = windowsFolders({ env, home });
  if (existsSync(local) || !existsSync(roaming)) return;
  try {
    renameSync(roaming, local);
  } catch {
    // The next start tries again.
  }
}

const windowsFolders = ({ env, home }: Omit<Surroundings, 'platform'>) => ({
  roaming: join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Field Console'),
  local: join(localFolder({ env, home }), 'Field Console'),
});

const localFolder = ({ env, home }: Omit<Surroundings, 'platform'>): string =>
  env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');

/**
 * The folder for facts about the vaults that must stay outside of the data folder: with the state that a program stores
 * on one computer, which is not backed up or moved with the data. `FIELD_CONSOLE_STATE_DIR` names another folder.
 */
export function anchorsFolderOf({ platform, env, home }: Surroundings): string {
  return join(env['FIELD_CONSOLE_STATE_DIR'] ?? usualState({ platform, env, home }), 'anchors');
}

function usualState({ platform, env, home }: Surroundings): string {
  if (platform === 'win32') {
    return join(localFolder({ env, home }), 'Field Console State');
  }
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Field Console State');
  const named = env['XDG_STATE_HOME'];
  return join(named && isAbsolute(named) ? named : join(home, '.local', 'state'), 'field-console');
}

export type DataFolder =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly sentence: string };

/**
 * Makes the data folder, with mode 0700. A folder on a full or read-only disk is used as it is: its data are needed
 * then, and each part of the console reports what it could not write.
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const folder = resolve(path);
  try {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    // Without its name in its parent, a power cut would take all of the first session.
    for (let made = folder; first !== undefined && made.length >= first.length; made = dirname(made))
      await syncFolder(dirname(made));
    await chmod(folder, 0o700);
    const probe = join(folder, `probe.${randomBytes(6).toString('hex')}.tmp`);
    await writeFile(probe, '', { mode: 0o600, flag: 'wx' });
    await rm(probe);
    return { ok: true, path: folder };
  } catch (error) {
    if (isFullOrReadOnly(error) && (await isFolder(folder))) return { ok: true, path: folder };
    return { ok: false, sentence: `The data folder ${folder} cannot be used: ${reason(error)}.` };
  }
}

/** Errors of a disk that cannot be written now, whatever the rights. */
const isFullOrReadOnly = (error: unknown): boolean => ['EROFS', 'ENOSPC', 'EDQUOT'].includes(codeOf(error));

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

function reason(error: unknown): string {
  const code = codeOf(error);
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'this user may not write there';
    case 'EROFS':
      return 'the disk is read-only';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'it, or a part of its path, is a file';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
