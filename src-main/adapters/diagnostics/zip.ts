import { Zip, ZipDeflate } from 'fflate';
import type { BundledFile } from '../../core/features/diagnostics/tools.ts';

/** How much is compressed before the loop gets its turn; a few milliseconds of work. */
const pieceBytes = 128 * 1024;
/** A zip's dates begin there. */
const earliest = Date.UTC(1980, 0, 2);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A zip of `files`, which bear the time `at` (Unix milliseconds). */
export async function zipFiles(files: readonly BundledFile[], at: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let broken: Error | null = null;
  const zip = new Zip((error, piece) => {
    if (error) broken = error;
    else pieces.push(piece);
  });
  for (const { name, bytes } of files) {
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = Math.max(at, earliest);
    zip.add(file);
    let from = 0;
    do {
      const end = Math.min(from + pieceBytes, bytes.byteLength);
      file.push(bytes.subarray(from, end), end === bytes.byteLength);
      from = end;
      await turn();
    } while (from < bytes.byteLength);
  }
  zip.end();
  if (broken !== null) throw broken as Error;
  return Buffer.concat(pieces);
}
