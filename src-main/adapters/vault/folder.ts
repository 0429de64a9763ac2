import { randomBytes } from 'node:crypto';
import { readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import { isMissing } from '../../core/base/errors.ts';
import { replaceFile, syncFolder } from '../durableFiles.ts';
import { openPlain, readPlain, UnfitFileError } from '../plainFile.ts';

/** The folder with one file per vault, which shows that an older copy of the vault was restored. */
export const anchorsFolder = 'anchors';
/** An account's vaults in several data folders have the same id, but different identities. */
export const anchorName = (vaultId: string, identity: string): string => `${vaultId}.${identity}`;
export const cacheFile = 'cache.sqlite';

const keyFiles: ReadonlySet<string> = new Set(['key.a', 'key.b']);
/** A larger file does not come from the console, and would only fill the memory. */
const largestSmallFile = 65_536;

/** The bytes of a small file, none where it is unfit; null when there is no file. */
export async function readSmallFile(path: string): Promise<Uint8Array | null> {
  try {
    return await readPlain(path, largestSmallFile);
  } catch (error) {
    if (error instanceof UnfitFileError) return new Uint8Array();
    throw error;
  }
}

/**
 * Replaces a file of a vault. The old sealed key is overwritten in its place, so that it does not outlive its password
 * in the free space of the disk. This works only where the file system writes in place, and not on Windows, which
 * cannot replace an open file.
 */
export async function replaceVaultFile(path: string, bytes: Uint8Array): Promise<void> {
  const isKey = keyFiles.has(basename(path)) && process.platform !== 'win32';
  const old = isKey ? await openToOverwrite(path) : null;
  try {
    await replaceFile(path, bytes);
    if (old) await overwrite(old);
  } finally {
    await old?.close();
  }
}

/**
 * Overwrites and removes the key copies, then everything else: the rest of an interrupted erasure can never be opened.
 */
export async function destroyFolder(folder: string): Promise<void> {
  const names = await readdir(folder);
  const keys = names.filter((name) => keyFiles.has(name.replace(/\.tmp$/, '')));
  for (const name of keys) {
    const file = await openToOverwrite(join(folder, name));
    try {
      if (file) await overwrite(file);
    } finally {
      await file?.close();
    }
    await rm(join(folder, name), { recursive: true, force: true });
  }
  await syncFolder(folder);
  await rm(folder, { recursive: true, force: true });
}

/** Removes the anchors of a vault. */
export async function removeAnchors(folder: string, vaultId: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names)
    if (name.split('.')[0] === vaultId) await rm(join(folder, name), { recursive: true, force: true });
}

export async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name))
        .then((entry) => entry.size)
        .catch(() => 0),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Null where there is no file, or one that has another name: it is not the console's. */
async function openToOverwrite(path: string): Promise<FileHandle | null> {
  try {
    return (await openPlain(path, { change: true, single: true })).file;
  } catch (error) {
    if (isMissing(error) || error instanceof UnfitFileError) return null;
    throw error;
  }
}

async function overwrite(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  const length = Math.min(size, largestSmallFile);
  await file.write(randomBytes(length), 0, length, 0);
  await file.sync();
}
