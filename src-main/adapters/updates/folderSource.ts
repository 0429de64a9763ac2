import { constants } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlainName } from '../../core/features/updates/plainName.ts';
import { SourceError, type ReleaseSource } from '../../core/features/updates/updateHost.ts';
import { codeOf, isMissing, piecesOf } from '../durableFiles.ts';
import { readWhole } from './readWhole.ts';

/**
 * A release in a folder, as on a USB stick. Neither the folder nor a file of it may be a link: what is
 * read is what lies on the stick, and never what a stick's maker points at on this computer.
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
      // Whatever a stick says that is pulled out: EIO, ENODEV, ENXIO, EBADF.
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
    // Without O_NONBLOCK, opening a named pipe that came in between would wait for a writer for ever.
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
    file = await open(path, flags);
    const opened = await file.stat();
    // Where there is no O_NOFOLLOW, a link that came in between leads to another file.
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
