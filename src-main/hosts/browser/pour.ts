import type { Writable } from 'node:stream';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ByteStream } from '../byteRoutes.ts';

/**
 * Sends bytes while they are made, no faster than they are taken. Never rejects: where it cannot go on, the
 * connection is cut, by which whoever fetches knows that what came is not whole.
 */
export async function pour({ pieces, signal }: ByteStream, into: Writable): Promise<void> {
  try {
    await pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), into, { signal });
  } catch {
    into.destroy();
  }
}
