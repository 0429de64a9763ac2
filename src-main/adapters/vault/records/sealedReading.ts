import { open, type FileHandle } from 'node:fs/promises';
import { StorageError } from '../../../core/vault/storage.ts';
import { readAt } from '../../durableFiles.ts';
import { storageErrorOf } from '../reason.ts';
import {
  chunksOf,
  fileKey,
  headerBytes,
  openChunk,
  plainChunkBytes,
  saltOf,
  sealedChunkBytes,
} from './sealedFile.ts';

const damaged = (): StorageError => new StorageError('broken', 'the seal of a spooled file does not hold');

/**
 * The bytes of a spooled file in pieces of 1 MiB, each opened as a whole before it is given. The last
 * piece is opened first: a file that was cut, continued or exchanged gives no byte at all. Its reading
 * goes on while the piece before is used. With `part`, only the bytes from its `start` to before its `end`, of the
 * pieces that hold them.
 */
export async function* readSealed(options: {
  readonly path: string;
  readonly identity: string;
  readonly id: string;
  readonly files: Uint8Array;
  /** Throws when the spool was closed in the meantime. */
  readonly check: () => void;
  readonly part?: { readonly start: number; readonly end: number };
}): AsyncGenerator<Uint8Array> {
  const { path, identity, id, files, check, part = { start: 0, end: Number.MAX_SAFE_INTEGER } } = options;
  let key: Uint8Array | null = null;
  let file: FileHandle | null = null;
  /** Waited for before the file is closed under it. */
  let ahead: Promise<Uint8Array> | null = null;
  try {
    check();
    file = await open(path, 'r');
    const handle = file;
    const { size } = await handle.stat();
    const chunks = chunksOf(size);
    const salt = saltOf(await readAt(handle, 0, new Uint8Array(headerBytes)));
    if (chunks === null || !salt) throw damaged();
    check();
    const ownKey = (key = fileKey(files, { identity, id, salt }));
    const at = (index: number): number => headerBytes + index * sealedChunkBytes;
    // Two in turn: one is read into while the other is opened.
    const buffer = (): Uint8Array => new Uint8Array(Math.min(sealedChunkBytes, size));
    const [even, odd] = [buffer(), buffer()];
    const read = (index: number): Promise<Uint8Array> => {
      const length = Math.min(sealedChunkBytes, size - at(index));
      const reading = readAt(handle, at(index), (index % 2 === 0 ? even : odd).subarray(0, length));
      // Heard when it is waited for.
      reading.catch(() => undefined);
      return reading;
    };
    const opened = (index: number, sealed: Uint8Array): Uint8Array => {
      const bytes = openChunk(ownKey, sealed, index, index === chunks - 1);
      if (!bytes) throw damaged();
      return bytes;
    };
    const end = opened(chunks - 1, await read(chunks - 1));
    /** What of a piece is asked for. */
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
