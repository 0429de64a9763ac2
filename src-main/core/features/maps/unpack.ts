import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { message } from '../../base/messages/message.ts';
import { MapRefusal } from './refusal.ts';

export type Packing = 'none' | 'gzip' | 'brotli';

const gunzipBytes = promisify(gunzip);
const unbrotliBytes = promisify(brotliDecompress);

/**
 * Unpacks to at most `most` bytes. Refuses the package when there are more, or when the bytes are not packed in this
 * way. Runs outside the event loop's thread.
 */
export async function unpack(bytes: Uint8Array, packing: Packing, most: number): Promise<Uint8Array> {
  try {
    switch (packing) {
      case 'none':
        if (bytes.byteLength > most) throw new RangeError('too large');
        return bytes;
      case 'gzip':
        return await gunzipBytes(bytes, { maxOutputLength: most });
      case 'brotli':
        return await unbrotliBytes(bytes, { maxOutputLength: most });
    }
  } catch (error) {
    const large = error instanceof RangeError;
    throw new MapRefusal(message(large ? 'map.partTooLarge' : 'map.partDamaged'), { cause: error });
  }
}

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
