import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import process from 'node:process';

/**
 * Replaces a file as a whole: after a power cut there is the old one or the new one. The caller makes the
 * renaming itself last where that is needed.
 *
 * What is written first lies beside it under one name, so that what a kill leaves does not pile up. It is always
 * a new file: a link that somebody put there, while the folder was open to others, is removed and not followed.
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const beside = `${path}.tmp`;
  await rm(beside, { force: true });
  try {
    const file = await open(beside, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Makes a rename or a removal in `folder` last. Windows refuses to open a folder, and needs nothing of it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The same where nothing else may happen meanwhile. */
export function syncFolderNow(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Whether a call failed as there is no such file. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
