import type { FileHandle } from 'node:fs/promises';
import { isMissing } from '../../../core/base/errors.ts';
import { StorageError } from '../../../core/vault/storage.ts';
import { readAt } from '../../durableFiles.ts';
import { openPlain, UnfitFileError } from '../../plainFile.ts';
import { storageErrorOf } from '../reason.ts';
import {
  blankSalt,
  chunksOf,
  fullChunksOf,
  headerBytes,
  openChunk,
  plainChunkBytes,
  saltAt,
  saltOf,
  sealedChunkBytes,
} from './sealedFile.ts';

const damaged = (): StorageError => new StorageError('broken', 'the seal of a spooled file does not hold');

export interface SealedSource {
  readonly path: string;
  /** The keys that may open a file with this salt, the one of the newest key first. They are overwritten after their use. */
  readonly keysOf: (salt: Uint8Array) => Promise<readonly Uint8Array[]>;
  /** Throws when the spool was closed meanwhile. */
  readonly check: () => void;
}

const placeOf = (index: number): number => headerBytes + index * sealedChunkBytes;

/** A chunk, and the key that opens it; null when none does. */
function openWithAny(
  keys: readonly Uint8Array[],
  sealed: Uint8Array,
  index: number,
  last: boolean,
): { readonly key: Uint8Array; readonly bytes: Uint8Array } | null {
  for (const key of keys) {
    const bytes = openChunk(key, sealed, index, last);
    if (bytes) return { key, bytes };
  }
  return null;
}

/**
 * The bytes of a spooled file in pieces of 1 MiB, each verified as a whole before it is delivered. The last piece is
 * opened first: a file that was cut, extended or replaced delivers no byte. The next piece is read while the one before
 * is used. With `part`, only the bytes from its `start` to before its `end`, from the pieces with these bytes.
 */
export async function* readSealed(
  { path, keysOf, check }: SealedSource,
  part = { start: 0, end: Number.MAX_SAFE_INTEGER },
): AsyncGenerator<Uint8Array> {
  let keys: readonly Uint8Array[] = [];
  let file: FileHandle | null = null;
  /** Awaited before the file is closed. */
  let ahead: Promise<Uint8Array> | null = null;
  try {
    check();
    const { file: handle, about } = await openPlain(path);
    file = handle;
    const { size } = about;
    const chunks = chunksOf(size);
    const salt = saltOf(await readAt(handle, 0, new Uint8Array(headerBytes)));
    if (chunks === null || !salt) throw damaged();
    keys = await keysOf(salt);
    check();
    // Two in turn: one is being filled while the other is opened.
    const buffer = (): Uint8Array => new Uint8Array(Math.min(sealedChunkBytes, size));
    const [even, odd] = [buffer(), buffer()];
    const read = (index: number): Promise<Uint8Array> => {
      const length = Math.min(sealedChunkBytes, size - placeOf(index));
      const reading = readAt(handle, placeOf(index), (index % 2 === 0 ? even : odd).subarray(0, length));
      // Awaited later.
      reading.catch(() => undefined);
      return reading;
    };
    const end = openWithAny(keys, await read(chunks - 1), chunks - 1, true);
    if (!end) throw damaged();
    const opened = (index: number, sealed: Uint8Array): Uint8Array => {
      const bytes = openChunk(end.key, sealed, index, false);
      if (!bytes) throw damaged();
      return bytes;
    };
    /** The requested bytes of a piece. */
    const wanted = (index: number, bytes: Uint8Array): Uint8Array => {
      const from = index * plainChunkBytes;
      return bytes.subarray(Math.max(0, part.start - from), Math.max(0, part.end - from));
    };
    const isWanted = (index: number): boolean => index < chunks - 1 && index * plainChunkBytes < part.end;
    const first = Math.floor(part.start / plainChunkBytes);
    ahead = isWanted(first) ? read(first) : null;
    for (let index = first; ahead; index += 1) {
      const sealed: Uint8Array = await ahead;
      check();
      ahead = isWanted(index + 1) ? read(index + 1) : null;
      yield wanted(index, opened(index, sealed));
    }
    check();
    const rest = wanted(chunks - 1, end.bytes);
    if (rest.byteLength > 0) yield rest;
  } catch (error) {
    throw storageErrorOf(error);
  } finally {
    for (const key of keys) key.fill(0);
    await ahead?.catch(() => undefined);
    await file?.close().catch(() => undefined);
  }
}

/**
 * The full pieces of an unfinished file, up to the first with a broken seal: a piece that a power cut damaged is not
 * delivered, nor anything after it.
 */
export async function* readPartialFile({ path, keysOf, check }: SealedSource): AsyncGenerator<Uint8Array> {
  let keys: readonly Uint8Array[] = [];
  let file: FileHandle | null = null;
  try {
    check();
    const { file: handle, about } = await openPlain(path);
    file = handle;
    const { size } = about;
    const salt = saltOf(await readAt(file, 0, new Uint8Array(headerBytes)));
    if (!salt) return;
    keys = await keysOf(salt);
    const sealed = new Uint8Array(sealedChunkBytes);
    for (let index = 0; index < fullChunksOf(size); index += 1) {
      await readAt(file, placeOf(index), sealed);
      check();
      const opened = openWithAny(keys, sealed, index, false);
      if (!opened) return;
      yield opened.bytes;
    }
  } catch (error) {
    throw storageErrorOf(error);
  } finally {
    for (const key of keys) key.fill(0);
    await file?.close().catch(() => undefined);
  }
}

/**
 * Locks an earlier key of the vault out of a file: `save` has to store the file's key, durably, and then the salt is
 * overwritten. Does nothing to a file that the newest key opens, or none. Returns false for a file that must not be
 * written.
 */
export async function resealKey(
  { path, keysOf, check }: SealedSource,
  { unfinished, save }: { readonly unfinished: boolean; readonly save: (key: Uint8Array) => Promise<void> },
): Promise<boolean> {
  let keys: readonly Uint8Array[] = [];
  let file: FileHandle | null = null;
  try {
    check();
    const { file: handle, about } = await openPlain(path, { change: true, single: true });
    file = handle;
    const salt = saltOf(await readAt(handle, 0, new Uint8Array(headerBytes)));
    const chunks = unfinished ? Math.min(1, fullChunksOf(about.size)) : chunksOf(about.size);
    if (!salt || !chunks || salt.every((byte) => byte === 0)) return true;
    keys = await keysOf(salt);
    const length = Math.min(sealedChunkBytes, about.size - placeOf(chunks - 1));
    const sealed = await readAt(handle, placeOf(chunks - 1), new Uint8Array(length));
    const found = openWithAny(keys, sealed, chunks - 1, !unfinished);
    if (found && found.key !== keys[0]) {
      await save(found.key);
      await handle.write(blankSalt, 0, blankSalt.byteLength, saltAt);
      await handle.datasync();
    }
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    if (error instanceof UnfitFileError) return false;
    throw storageErrorOf(error);
  } finally {
    for (const key of keys) key.fill(0);
    await file?.close().catch(() => undefined);
  }
}
