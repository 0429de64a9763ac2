import { join } from 'node:path';
import { sealBytes, unsealBytes } from '../../../core/vault/seal.ts';
import { replaceFile } from '../../durableFiles.ts';
import { readPlain, UnfitFileError } from '../../plainFile.ts';

/** A larger file does not come from the console, and would only fill the memory. */
const largestText = 16 * 1024 * 1024;

/** Replaces the sealed text of a small file. After a power cut there is either the old one or the new one. */
export const writeSealedText = (place: {
  readonly folder: string;
  readonly name: string;
  readonly key: Uint8Array;
  readonly bound: Uint8Array;
  readonly text: string;
}): Promise<void> =>
  replaceFile(join(place.folder, place.name), sealBytes(place.key, Buffer.from(place.text), place.bound));

/** The text. Null with `damaged` when its seal is broken, and without when there is no such file. */
export async function readSealedText(place: {
  readonly folder: string;
  readonly name: string;
  readonly key: Uint8Array;
  readonly bound: Uint8Array;
}): Promise<{ readonly text: string | null; readonly damaged: boolean }> {
  try {
    const sealed = await readPlain(join(place.folder, place.name), largestText);
    if (sealed === null) return { text: null, damaged: false };
    const bytes = unsealBytes(place.key, sealed, place.bound);
    return { text: bytes && bytes.toString('utf8'), damaged: bytes === null };
  } catch (error) {
    if (error instanceof UnfitFileError) return { text: null, damaged: true };
    throw error;
  }
}
