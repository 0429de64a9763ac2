import type { FileHandle } from 'node:fs/promises';
import { isMissing } from '../core/base/errors.ts';
import { openToRead } from './durableFiles.ts';

/** The largest deployment file or private CA, bytes. */
export const largestTextFile = 65_536;

/** Why a file is not a usable text. `message` is for the log; for the operator, `reason` becomes a sentence. */
export class TextFileError extends Error {
  override readonly name = 'TextFileError';
  readonly reason: 'missing' | 'unopened' | 'notAFile' | 'tooLarge' | 'notText';

  constructor(reason: TextFileError['reason'], options?: ErrorOptions) {
    super(`text file: ${reason}`, options);
    this.reason = reason;
  }
}

/**
 * Reads a UTF-8 text of at most 64 KiB, without its byte order mark.
 *
 * Rejects with a TextFileError when there is no such file, or when it is not a regular file, too large, or not UTF-8.
 * Reads at most one byte beyond the limit, whatever size the file claims.
 */
export async function readTextFile(path: string): Promise<string> {
  let file;
  try {
    file = await openToRead(path);
  } catch (error) {
    throw new TextFileError(isMissing(error) ? 'missing' : 'unopened', { cause: error });
  }
  try {
    if (!(await file.stat()).isFile()) throw new TextFileError('notAFile');
    const text = await readCapped(file);
    if (text === 'too-large') throw new TextFileError('tooLarge');
    if (text === 'not-text') throw new TextFileError('notText');
    return text.text;
  } finally {
    await file.close();
  }
}

/** The text of an open file, without its byte order mark, or why it is not a text of at most 64 KiB. */
export async function readCapped(
  file: FileHandle,
): Promise<{ readonly text: string } | 'too-large' | 'not-text'> {
  const buffer = Buffer.alloc(largestTextFile + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.byteLength - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === buffer.byteLength) break;
  }
  if (length > largestTextFile) return 'too-large';
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length)) };
  } catch {
    return 'not-text';
  }
}
