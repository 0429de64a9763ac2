import { createHash } from 'node:crypto';
import type { CopyFault } from './messages.ts';
import type { ReleasePackage } from './release.ts';
import type { PrivateCopy, PrivateFolder, ReleaseSource } from './updateHost.ts';

/** Free space that the installer and the file system need beside the package, bytes. */
const spareBytes = 16 * 1024 ** 2;

type Wanted = Pick<ReleasePackage, 'file' | 'bytes' | 'sha512'>;

export type Staged =
  | { readonly kind: 'kept'; readonly copy: PrivateCopy }
  | { readonly kind: 'refused'; readonly fault: CopyFault };

/**
 * Copies a package into the private folder: never more bytes than its release says. It is hashed during the copy and
 * again from the disk, since the file on the disk is what gets installed. After a failure no copy stays. Rejects with
 * the error of the source or the disk.
 */
export async function stagePackage(options: {
  readonly source: ReleaseSource;
  readonly folder: PrivateFolder;
  readonly wanted: Wanted;
  readonly signal: AbortSignal;
  /** Called after each piece, with the bytes so far. */
  readonly onProgress: (bytes: number) => void;
}): Promise<Staged> {
  const { source, folder, wanted, signal, onProgress } = options;
  const free = await folder.free();
  if (free !== null && free < wanted.bytes + spareBytes) return { kind: 'refused', fault: 'full' };
  const copy = await folder.begin();
  let kept = false;
  try {
    const hash = createHash('sha512');
    let bytes = 0;
    for await (const piece of source.pieces(wanted.file, signal)) {
      bytes += piece.byteLength;
      if (bytes > wanted.bytes) return { kind: 'refused', fault: 'longer' };
      hash.update(piece);
      await copy.write(piece);
      onProgress(bytes);
    }
    await copy.finish();
    if (bytes < wanted.bytes) return { kind: 'refused', fault: 'shorter' };
    if (hash.digest('base64') !== wanted.sha512) return { kind: 'refused', fault: 'other' };
    if (!(await isWhole(copy, wanted))) return { kind: 'refused', fault: 'changed' };
    signal.throwIfAborted();
    kept = true;
    return { kind: 'kept', copy };
  } finally {
    if (!kept) await copy.remove();
  }
}

/** Whether the file on the disk is exactly the package. */
export async function isWhole(
  copy: Pick<PrivateCopy, 'pieces'>,
  { bytes, sha512 }: Pick<ReleasePackage, 'bytes' | 'sha512'>,
): Promise<boolean> {
  const hash = createHash('sha512');
  let read = 0;
  for await (const piece of copy.pieces()) {
    read += piece.byteLength;
    if (read > bytes) return false;
    hash.update(piece);
  }
  return read === bytes && hash.digest('base64') === sha512;
}
