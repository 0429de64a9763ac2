import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { PrivateCopy, PrivateFolder } from '../../core/features/updates/updateHost.ts';
import { beginFile, freeBytes, piecesOf } from '../durableFiles.ts';
import { openPlain } from '../plainFile.ts';

/**
 * `<dataDir>/updates`: a folder (0700) and files (0600) only for this user. A link or anything else in its place is
 * removed. An existing file is never written to.
 */
export function createPrivateFolder(
  dataDir: string,
  /** Random, so that no file can be put there in advance. */
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
          // On Windows a running installer has its file open; the next start removes it.
          await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
        }
      } catch {
        // Another part of the start reports a data folder that cannot be used.
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
  // A umask may have removed rights, and an older version may have given too many.
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
      yield* piecesOf((await openPlain(path)).file);
    },
    remove: discard,
  };
}
