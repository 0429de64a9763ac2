import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../core/base/ports.ts';
import type { ByteStream } from '../byteRoutes.ts';

/** How long an admitted page may leave what was sent to it untaken, in milliseconds. */
export const takenWithinMs = 60_000;

/**
 * Sends bytes while they are made, no faster than they are taken. Never rejects: where it cannot go on, the
 * connection is cut, by which the receiver knows that what came is not whole. The same where no piece is
 * taken for `takenWithinMs`; the making of one may take any time.
 */
export async function pour({ pieces, signal }: ByteStream, into: Writable, clock: Clock): Promise<void> {
  let cancel = (): void => undefined;
  const limit = (): void => {
    cancel = clock.schedule(takenWithinMs, () => into.destroy());
  };
  const limited = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      limit();
      yield piece;
      cancel();
    }
    limit();
  };
  try {
    await pipeline(Readable.from(limited(), { objectMode: true, highWaterMark: 1 }), into, { signal });
  } catch {
    into.destroy();
  } finally {
    cancel();
  }
}
