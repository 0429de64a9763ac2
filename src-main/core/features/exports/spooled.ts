import { nextPiece } from '../../base/nextPiece.ts';
import type { Clock } from '../../base/ports.ts';

/** A page that announced bytes and stops sending them is given up after so long, milliseconds. */
const silenceMs = 60_000;

/** How a body came to an end: whole, or why not. */
export type Spooled =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' | 'too-short' | 'silent' | 'ended' | 'broken' };

/**
 * Takes a body of at most `most` bytes into memory. With `exactly`, a shorter one is refused too.
 * Never rejects.
 */
export async function takeBody(options: {
  readonly body: AsyncIterable<Uint8Array>;
  readonly most: number;
  readonly exactly: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<Spooled> {
  const { body, most, exactly, clock, signal } = options;
  const iterator = body[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let taken = 0;
  try {
    for (;;) {
      const next = await nextPiece({ iterator, clock, silenceMs, signal });
      if (next === 'silent' || next === 'ended') return { kind: next };
      if (next.done === true) break;
      taken += next.value.byteLength;
      if (taken > most) return { kind: 'too-large' };
      pieces.push(next.value);
    }
    return exactly && taken < most ? { kind: 'too-short' } : { kind: 'whole', bytes: joined(pieces, taken) };
  } catch {
    return { kind: 'broken' };
  } finally {
    // Not waited for: a body that stalls may never answer.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

/** Little-endian unsigned 32-bit numbers, on whatever computer. */
export function readKeys(bytes: Uint8Array): Uint32Array {
  const keys = new Uint32Array(bytes.byteLength / 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < keys.length; at += 1) keys[at] = view.getUint32(at * 4, true);
  return keys;
}
