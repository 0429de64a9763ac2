import { closeSync, fsyncSync, openSync } from 'node:fs';
import { chmod, mkdir, open, rename, rm, statfs, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { codeOf, isMissing } from '../core/base/errors.ts';
import type { OpenedFile } from '../core/base/ports.ts';
import { openPlain } from './plainFile.ts';

const pieceBytes = 1024 * 1024;

/** A new file that is being written, only for this user (0600). */
export interface NewFile {
  write(bytes: string | Uint8Array): Promise<void>;
  /** Resolves when every byte is safe from a power cut. */
  finish(): Promise<void>;
  /** Removes it. Never rejects: what cannot be removed now is removed with its folder's next sweep. */
  discard(): Promise<void>;
}

/** Rejects with `EEXIST` when the name exists: a link in its place is not followed. */
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
 * Replaces a file as a whole: after a power cut there is the old one or, after this has resolved, the new one.
 *
 * The temporary file beside it always has the same name, so that kills do not leave many. It is always a new file: a
 * link in its place, from when the folder was open to others, is removed and not followed.
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const beside = `${path}.tmp`;
  await rm(beside, { force: true });
  const file = await beginFile(beside);
  try {
    await file.write(content);
    await file.finish();
    await moveFile(beside, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** How long a rename waits before each further try, milliseconds; two seconds together. */
const pauses = [20, 30, 50, 100, 200, 300, 400, 400, 500];
/** What Windows answers while another program, such as one that looks for viruses, has a new file open. */
const heldCodes: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Renames a file. On Windows it tries again for two seconds while another program has it open. */
export async function moveFile(
  from: string,
  to: string,
  { platform = process.platform, move = rename, pause = pauseFor }: MoveOptions = {},
): Promise<void> {
  for (const ms of platform === 'win32' ? pauses : []) {
    try {
      await move(from, to);
      return;
    } catch (error) {
      if (!heldCodes.has(codeOf(error))) throw error;
      await pause(ms);
    }
  }
  await move(from, to);
}

interface MoveOptions {
  readonly platform?: NodeJS.Platform;
  readonly move?: (from: string, to: string) => Promise<void>;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** As `writeAtomically`, in a folder only for this user, which is made if it is missing. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(dirname(path));
  await writeAtomically(path, content);
}

/**
 * Makes a folder only for this user (0700), and its missing parents, safe from a power cut: without its name in its
 * parent, all that is written into it would be lost. Step by step: with `recursive`, a read-only disk
 * would be reported as a missing folder.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
    await syncFolder(dirname(folder));
  } catch (error) {
    if (isMissing(error)) {
      await makeFolder(dirname(folder));
      // Another process may have made it meanwhile.
      await makeFolder(folder);
    } else if (codeOf(error) !== 'EEXIST') throw error;
  }
  await chmod(folder, 0o700);
}

/** Makes renames and removals in `folder` durable. Windows cannot open a folder, and does not need this. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The same, for a thread that waits for its disk anyway. */
export function syncFolderNow(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Opens a file that the operator named, for reading from its beginning. Rejects when it does not exist or is not a
 * regular file.
 */
export async function openFile(path: string): Promise<OpenedFile> {
  const { file, about } = await openPlain(path, { follow: true });
  return {
    bytes: about.size,
    pieces: () => piecesOf(file),
    close: () => file.close(),
  };
}

/** Fills `bytes` from an offset of the file. Returns the filled part, which is shorter where the file ends. */
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
 * The pieces of an open file from its beginning. Closes the file when the reading ends in any way. Each piece has a
 * separate buffer, which its reader may hold.
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

/** Free bytes in a folder for this user. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
