import { lstat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, isMissing } from '../../core/base/errors.ts';
import { isPlainName } from '../../core/features/updates/plainName.ts';
import { SourceError, type ReleaseSource } from '../../core/features/updates/updateHost.ts';
import { piecesOf } from '../durableFiles.ts';
import { openPlain, UnfitFileError } from '../plainFile.ts';
import { readWhole } from './readWhole.ts';

/**
 * A release in a folder, such as on a USB stick. Neither the folder nor its files may be links: the console reads files
 * on the stick, and never files of this computer to which the stick points.
 */
export function createFolderSource(folder: string): ReleaseSource {
  async function* pieces(name: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const file = await openNamed(folder, name);
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

async function openNamed(folder: string, name: string): Promise<FileHandle> {
  if (!isPlainName(name)) throw new SourceError('not-plain', 'the name is no plain one');
  try {
    if ((await lstat(folder)).isSymbolicLink()) throw new SourceError('not-plain', name);
    return (await openPlain(join(folder, name))).file;
  } catch (error) {
    if (error instanceof SourceError) throw error;
    if (error instanceof UnfitFileError) throw new SourceError('not-plain', name);
    if (isMissing(error) || codeOf(error) === 'ENOTDIR') throw new SourceError('missing', name);
    throw new SourceError('broken', `${name}: ${codeOf(error)}`);
  }
}
