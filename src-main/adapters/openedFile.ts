import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { OpenedFile } from '../core/base/ports.ts';
import { piecesOf } from './durableFiles.ts';

/** Opens a file for reading from its beginning. Rejects when there is none, or it is no plain file. */
export async function openFile(path: string): Promise<OpenedFile> {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const about = await file.stat();
  if (!about.isFile()) {
    await file.close();
    throw new Error('This is not a file.');
  }
  return {
    bytes: about.size,
    pieces: () => piecesOf(file),
    close: () => file.close(),
  };
}
