import { codeOf } from '../../core/base/errors.ts';
import { StorageError, type StorageReason } from '../../core/vault/storage.ts';

/** SQLite's primary result codes (the low byte of an extended one). */
const byResult: ReadonlyMap<number, StorageReason> = new Map([
  [3, 'denied'],
  [5, 'busy'],
  [6, 'busy'],
  [8, 'read-only'],
  [13, 'full'],
  [14, 'blocked'],
  [23, 'denied'],
]);

const byCode: ReadonlyMap<string, StorageReason> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EFBIG', 'full'],
  ['EROFS', 'read-only'],
  ['EACCES', 'denied'],
  ['EPERM', 'denied'],
  ['EBUSY', 'busy'],
  ['EISDIR', 'blocked'],
  ['ENOTDIR', 'blocked'],
  ['EEXIST', 'blocked'],
  ['ELOOP', 'blocked'],
  ['ENOTFILE', 'blocked'],
]);

/** SQLite's primary result code, or null for another error. */
export const sqliteResult = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null;

/** The error of a system call or of SQLite, in the core's form. */
export function storageErrorOf(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const result = sqliteResult(error);
  const reason = result === null ? byCode.get(codeOf(error)) : byResult.get(result);
  const said = error instanceof Error ? error.message : String(error);
  // The system's message ends with the path, which names the user. The log says which vault.
  const detail = result === null && codeOf(error) !== '' ? codeOf(error) : said;
  return new StorageError(reason ?? 'broken', detail);
}

/** Runs `work`. Its error becomes a `StorageError`. */
export async function storing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageErrorOf(error);
  }
}
