import { closeSync, fsyncSync, openSync } from 'node:fs';
import { chmod, mkdir, open, rename, rm, statfs, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';

const pieceBytes = 1024 * 1024;

/** A file on its way: new, and of this user alone (0600). */
export interface NewFile {
  write(bytes: string | Uint8Array): Promise<void>;
  /** Every byte would survive a power cut. */
  finish(): Promise<void>;
  /** Removes it. Never rejects: what cannot be removed now is left to who sweeps the folder. */
  discard(): Promise<void>;
}

/** Rejects with `EEXIST` where anything has that name: a link that somebody put there is not followed. */
export async function beginFile(path: string): Promise<NewFile> {
  const file = await open(path, 'wx', 0o600);
  return {
    write: (bytes) => file.writeFile(bytes),
    finish: async () => {
      await file.sync();
      await file.close();
    },
    discard: async () => {
      await file.close().catch(() => undefined);
      await rm(path, { force: true }).catch(() => undefined);
    },
  };
}

/**
 * Replaces a file as a whole: after a power cut there is the old one or, once this has resolved, the new one.
 *
 * What is written first lies beside it under one name, so that what a kill leaves does not pile up. It is always
 * a new file: a link that somebody put there, while the folder was open to others, is removed and not followed.
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const beside = `${path}.tmp`;
  await rm(beside, { force: true });
  const file = await beginFile(beside);
  try {
    await file.write(content);
    await file.finish();
    await rename(beside, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** The same in a folder of this user alone, which is made where it is missing. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(dirname(path));
  await writeAtomically(path, content);
}

/**
 * Makes a folder of this user alone (0700), and those around it that are missing. Step by step: made in one go, a
 * folder on a read-only disk fails as one that is missing.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (isMissing(error)) {
      await makeFolder(dirname(folder));
      // Somebody else may have made it meanwhile.
      await makeFolder(folder);
    } else if (codeOf(error) !== 'EEXIST') throw error;
  }
  await chmod(folder, 0o700);
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

/** The same in a thread that waits for its disk anyway. */
export function syncFolderNow(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Fills `bytes` from a place in the file; what is filled, fewer where the file ends early. */
export async function readAt(file: FileHandle, at: number, bytes: Uint8Array): Promise<Uint8Array> {
  let filled = 0;
  while (filled < bytes.byteLength) {
    const { bytesRead } = await file.read(bytes, filled, bytes.byteLength - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/**
 * An open file from its beginning, closed when the reading ends, however it does. Each piece has a buffer to itself:
 * who takes it may hold it for longer than until the next one.
 */
export async function* piecesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(pieceBytes), 0, pieceBytes, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Bytes that this user may still write in a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The system's code of a failed call, as `ENOENT`; empty for another error. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Whether a call failed as there is no such file. */
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';
