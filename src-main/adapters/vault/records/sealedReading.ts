import type { FileHandle } from 'node:fs/promises';
import { StorageError } from '../../../core/vault/storage.ts';
import { readAt } from '../../durableFiles.ts';
import { openPlain } from '../../plainFile.ts';
import { storageErrorOf } from '../reason.ts';
import {
  chunksOf,
  fileKey,
  fullChunksOf,
  headerBytes,
  openChunk,
  plainChunkBytes,
  saltOf,
  sealedChunkBytes,
} from './sealedFile.ts';

const damaged = (): StorageError => new StorageError('broken', 'the seal of a spooled file does not hold');

/**
 * The bytes of a spooled file in pieces of 1 MiB, each verified as a whole before it is delivered. The last piece is
 * opened first: a file that was cut, extended or replaced delivers no byte. The next piece is read while the one before
 * is used. With `part`, only the bytes from its `start` to before its `end`, from the pieces with these bytes.
 */
export async function* readSealed(options: {
  readonly path: string;
  readonly identity: string;
  readonly id: string;
  readonly files: Uint8Array;
  /** Throws when the spool was closed meanwhile. */
  readonly check: () => void;
  readonly part?: { readonly start: number; readonly end: number };
}): AsyncGenerator<Uint8Array> {
  const { path, identity, id, files, check, part = { start: 0, end: Number.MAX_SAFE_INTEGER } } = options;
  let key: Uint8Array | null = null;
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
    check();
    const ownKey = (key = fileKey(files, { identity, id, salt }));
    const at = (index: number): number => headerBytes + index * sealedChunkBytes;
    // Two in turn: one is being filled while the other is opened.
    const buffer = (): Uint8Array => new Uint8Array(Math.min(sealedChunkBytes, size));
    const [even, odd] = [buffer(), buffer()];
    const read = (index: number): Promise<Uint8Array> => {
      const length = Math.min(sealedChunkBytes, size - at(index));
      const reading = readAt(handle, at(index), (index % 2 === 0 ? even : odd).subarray(0, length));
      // Awaited later.
      reading.catch(() => undefined);
      return reading;
    };
    const opened = (index: number, sealed: Uint8Array): Uint8Array => {
      const bytes = openChunk(ownKey, sealed, index, index === chunks - 1);
      if (!bytes) throw damaged();
      return bytes;
    };
    const end = opened(chunks - 1, await read(chunks - 1));
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
    const rest = wanted(chunks - 1, end);
    if (rest.byteLength > 0) yield rest;
  } catch (error) {
    throw storageErrorOf(error);
  } finally {
    key?.fill(0);
    await ahead?.catch(() => undefined);
    await file?.close().catch(() => undefined);
  }
}

/**
 * The full pieces of an unfinished file, up to the first with a broken seal: a piece that a power cut damaged is not
 * delivered, nor anything after it.
 */
export async function* readPartialFile(options: {
  readonly path: string;
  readonly identity: string;
  readonly id: string;
  readonly files: Uint8Array;
  readonly check: () => void;
}): AsyncGenerator<Uint8Array> {
  const { path, identity, id, files, check } = options;
  let key: Uint8Array | null = null;
  let file: FileHandle | null = null;
  try {
    check();
    const { file: handle, about } = await openPlain(path);
    file = handle;
    const { size } = about;
    const salt = saltOf(await readAt(file, 0, new Uint8Array(headerBytes)));
    if (!salt) return;
    key = fileKey(files, { identity, id, salt });
    const sealed = new Uint8Array(sealedChunkBytes);
    for (let index = 0; index < fullChunksOf(size); index += 1) {
      await readAt(file, headerBytes + index * sealedChunkBytes, sealed);
      check();
      const bytes = openChunk(key, sealed, index, false);
      if (!bytes) return;
      yield bytes;
    }
  } catch (error) {
    throw storageErrorOf(error);
  } finally {
    key?.fill(0);
    await file?.close().catch(() => undefined);
  }
}
