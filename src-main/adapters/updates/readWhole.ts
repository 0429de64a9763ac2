import { SourceError } from '../../core/features/updates/updateHost.ts';

/** All pieces as one. Never holds more than `most` bytes. */
export async function readWhole(
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > most) throw new SourceError('too-large', name);
    parts.push(piece);
  }
  return Buffer.concat(parts);
}
