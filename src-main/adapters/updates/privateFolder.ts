import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { PrivateCopy, PrivateFolder } from '../../core/features/updates/updateHost.ts';
import { beginFile, freeBytes, piecesOf } from '../durableFiles.ts';

/** Where Windows has no such flags, the names are of this console's own making, in this user's folder. */
const noFollow = constants.O_NOFOLLOW ?? 0;

/**
 * `<dataDir>/updates`: a folder of this user alone (0700) with files of this user alone (0600). A link or
 * anything else in its place is taken away; a file that is there already is never written into.
 */
export function createPrivateFolder(
  dataDir: string,
  /** Random, so that nothing can be put in its place beforehand. */
  makeName: () => string = () => randomBytes(16).toString('hex'),
): PrivateFolder {
  const folder = privateFolderOf(dataDir);
  return {
    free: () => freeBytes(dataDir),
    begin: async () => {
      await makeOwn(folder);
      return beginCopy(join(folder, `${makeName()}.package`));
    },
    sweep: async () => {
      try {
        await makeOwn(folder);
        for (const name of await readdir(folder)) {
          // An installer that still runs keeps its file on Windows; the next start finds it.
          await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
        }
      } catch {
        // A data folder that cannot be used is said at every start by who opens it.
      }
    },
  };
}

export const privateFolderOf = (dataDir: string): string => join(dataDir, 'updates');

async function makeOwn(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  const foreign = found !== null && (!found.isDirectory() || !isOwn(found.uid));
  if (foreign) await rm(folder, { recursive: true });
  if (found === null || foreign) await mkdir(folder, { mode: 0o700 });
  // A umask may have taken from it, and an older console may have given too much.
  await chmod(folder, 0o700);
}

const isOwn = (uid: number): boolean => process.getuid === undefined || process.getuid() === uid;

async function beginCopy(path: string): Promise<PrivateCopy> {
  const { write, finish, discard } = await beginFile(path);
  return {
    path,
    write,
    finish,
    pieces: async function* () {
      yield* piecesOf(await open(path, constants.O_RDONLY | noFollow));
    },
    remove: discard,
  };
}
