import { lstat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, isMissing } from '../../core/base/errors.ts';
import { isPlainName } from '../../core/features/updates/plainName.ts';
import { SourceError, type ReleaseSource } from '../../core/features/updates/updateHost.ts';
import { openToRead, piecesOf } from '../durableFiles.ts';
import { readWhole } from './readWhole.ts';

/**
 * A release in a folder, such as on a USB stick. Neither the folder nor its files may be links: the console reads files
 * on the stick, and never files of this computer to which the stick points.
 */
export function createFolderSource(folder: string): ReleaseSource {
  async function* pieces(name: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const file = await openPlain(folder, name);
    try {
      for await (const piece of piecesOf(file)) {
        if (signal.aborted) throw new SourceError('cancelled', name);
        yield piece;
      }
    } catch (error) {
      // The errors of a removed stick: EIO, ENODEV, ENXIO, EBADF.
      throw error instanceof SourceError ? error : new SourceError('broken', `${name}: ${codeOf(error)}`);
    }
  }
  return {
    read: (name, most, signal) => readWhole(name, pieces(name, signal), most),
    pieces,
  };
}

async function openPlain(folder: string, name: string): Promise<FileHandle> {
  if (!isPlainName(name)) throw new SourceError('not-plain', 'the name is no plain one');
  const path = join(folder, name);
  let file: FileHandle | null = null;
  try {
    const [around, before] = [await lstat(folder), await lstat(path)];
    if (!around.isDirectory() || !before.isFile()) throw new SourceError('not-plain', name);
    // A named pipe may have replaced the file.
    file = await openToRead(path, { follow: false });
    const opened = await file.stat();
    // Without O_NOFOLLOW, a link that replaced the file leads to another one.
    if (!opened.isFile() || opened.ino !== before.ino || opened.dev !== before.dev) {
      throw new SourceError('not-plain', name);
    }
    return file;
  } catch (error) {
    await file?.close();
    if (error instanceof SourceError) throw error;
    if (isMissing(error) || codeOf(error) === 'ENOTDIR') throw new SourceError('missing', name);
    throw new SourceError(codeOf(error) === 'ELOOP' ? 'not-plain' : 'broken', `${name}: ${codeOf(error)}`);
  }
}
