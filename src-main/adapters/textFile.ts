import { readPlain, UnfitFileError } from './plainFile.ts';

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
 */
export async function readTextFile(path: string): Promise<string> {
  let bytes;
  try {
    bytes = await readPlain(path, largestTextFile, { follow: true });
  } catch (error) {
    if (!(error instanceof UnfitFileError)) throw new TextFileError('unopened', { cause: error });
    throw new TextFileError(error.code === 'EFBIG' ? 'tooLarge' : 'notAFile');
  }
  if (bytes === null) throw new TextFileError('missing');
  const text = textOf(bytes);
  if (text === null) throw new TextFileError('notText');
  return text;
}

/** The text without its byte order mark; null when the bytes are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
