import { join } from 'node:path';
import { sealBytes, unsealBytes } from '../../../core/vault/seal.ts';
import { replaceFile } from '../../durableFiles.ts';
import { readPlain, UnfitFileError } from '../../plainFile.ts';

/** A larger file does not come from the console, and would only fill the memory. */
const largestText = 16 * 1024 * 1024;

/** A small sealed file. */
export interface SealedPlace {
  readonly folder: string;
  readonly name: string;
  /** The first seals; the others may have sealed it before. */
  readonly keys: readonly Uint8Array[];
  readonly bound: Uint8Array;
}

/** Replaces a small file. After a power cut there is either the old one or the new one. */
export async function writeSealed(
  { folder, name, keys, bound }: SealedPlace,
  bytes: Uint8Array,
): Promise<void> {
  const [newest] = keys;
  if (newest) await replaceFile(join(folder, name), sealBytes(newest, bytes, bound));
}

export const writeSealedText = (place: SealedPlace, text: string): Promise<void> =>
  writeSealed(place, Buffer.from(text));

interface Reading {
  /** Null with `damaged` when its seal is broken, and without when there is no such file. */
  readonly bytes: Buffer | null;
  readonly damaged: boolean;
  /** Whether an earlier key seals it. */
  readonly old: boolean;
}

export async function readSealedBytes({ folder, name, keys, bound }: SealedPlace): Promise<Reading> {
  try {
    const sealed = await readPlain(join(folder, name), largestText);
    if (sealed === null) return { bytes: null, damaged: false, old: false };
    for (const key of keys) {
      const bytes = unsealBytes(key, sealed, bound);
      if (bytes) return { bytes, damaged: false, old: key !== keys[0] };
    }
    return { bytes: null, damaged: true, old: false };
  } catch (error) {
    if (error instanceof UnfitFileError) return { bytes: null, damaged: true, old: false };
    throw error;
  }
}

/** The text. Null with `damaged` when its seal is broken, and without when there is no such file. */
export async function readSealedText(
  place: SealedPlace,
): Promise<{ readonly text: string | null; readonly damaged: boolean }> {
  const { bytes, damaged } = await readSealedBytes(place);
  return { text: bytes && bytes.toString('utf8'), damaged };
}

/** Seals a small file with the newest key, if an earlier one seals it. */
export async function resealText(place: SealedPlace): Promise<void> {
  const { bytes, old } = await readSealedBytes(place);
  if (bytes && old) await writeSealed(place, bytes);
}
