import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { lstat, open, stat, type FileHandle } from 'node:fs/promises';
import { isMissing } from '../core/base/errors.ts';

/** Why a path is not used as a file: a link, no regular file, or more bytes than the limit. */
export class UnfitFileError extends Error {
  override readonly name = 'UnfitFileError';
  readonly code: 'ELOOP' | 'ENOTFILE' | 'EFBIG';

  constructor(code: UnfitFileError['code']) {
    super(`unfit file: ${code}`);
    this.code = code;
  }
}

interface Way {
  /** For a file that a person named. In the console's folders a link leads to what another program chose. */
  readonly follow?: boolean;
  /** Refuses a file with a second name (a hard link), which may be another program's. */
  readonly single?: boolean;
  /** Opens to read and write. */
  readonly change?: boolean;
}

/** Windows has neither flag. */
const { O_NOFOLLOW: noFollow = 0, O_NONBLOCK: noWait = 0 } = constants as Partial<typeof constants>;

/** Without O_NONBLOCK, opening a named pipe that replaced the file would wait without end. */
const flagsOf = ({ follow = false, change = false }: Way): number =>
  (change ? constants.O_RDWR : constants.O_RDONLY) | noWait | (follow ? 0 : noFollow);

function requirePlain(about: Stats, { single = false }: Way): void {
  if (about.isSymbolicLink()) throw new UnfitFileError('ELOOP');
  if (!about.isFile()) throw new UnfitFileError('ENOTFILE');
  if (single && about.nlink > 1) throw new UnfitFileError('ELOOP');
}

/** Without O_NOFOLLOW, a link that replaced the file after the first look leads to another one. */
function requireSame(before: Stats, opened: Stats): void {
  if (noFollow === 0 && (before.ino !== opened.ino || before.dev !== opened.dev)) {
    throw new UnfitFileError('ELOOP');
  }
}

/**
 * Opens an existing regular file. Looks before opening, since opening a device may do something.
 *
 * Rejects with an UnfitFileError, or an error of the system.
 */
export async function openPlain(
  path: string,
  way: Way = {},
): Promise<{ readonly file: FileHandle; readonly about: Stats }> {
  const before = await (way.follow === true ? stat(path) : lstat(path));
  requirePlain(before, way);
  const file = await open(path, flagsOf(way));
  try {
    const about = await file.stat();
    requirePlain(about, way);
    requireSame(before, about);
    return { file, about };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * The bytes of a regular file of at most `most` bytes; null when there is none. Reads at most one byte beyond the limit,
 * whatever size the file claims.
 *
 * Rejects with an UnfitFileError, or an error of the system.
 */
export async function readPlain(path: string, most: number, way: Way = {}): Promise<Buffer | null> {
  try {
    const { file } = await openPlain(path, way);
    try {
      return await readCapped(file, most);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The same for an open file. */
export async function readCapped(file: FileHandle, most: number): Promise<Buffer> {
  const { size } = await file.stat();
  if (size > most) throw new UnfitFileError('EFBIG');
  // A file may grow meanwhile, and those of some file systems claim no size.
  let bytes = Buffer.alloc(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.byteLength - length, length);
    length += bytesRead;
    if (bytesRead === 0) return bytes.subarray(0, length);
    if (length > most) throw new UnfitFileError('EFBIG');
    if (length === bytes.byteLength) {
      const more = Buffer.alloc(Math.min(2 * length, most + 1));
      more.set(bytes);
      bytes = more;
    }
  }
}

/**
 * `length` bytes from an offset, fewer where the file ends there; null when there is no file. For a thread that waits
 * for its disk anyway, and for small files before the console starts.
 *
 * @throws UnfitFileError, or an error of the system
 */
export function readPlainNow(path: string, length: number, at = 0, way: Way = {}): Buffer | null {
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before === undefined) return null;
  requirePlain(before, way);
  const file = openSync(path, flagsOf(way));
  try {
    const about = fstatSync(file);
    requirePlain(about, way);
    requireSame(before, about);
    const bytes = Buffer.alloc(length);
    let filled = 0;
    for (;;) {
      const count = readSync(file, bytes, filled, length - filled, at + filled);
      filled += count;
      if (count === 0 || filled === length) return bytes.subarray(0, filled);
    }
  } finally {
    closeSync(file);
  }
}
