import { takeBody } from '../../base/nextPiece.ts';
import type { Clock } from '../../base/ports.ts';

/** The result of a body: the bytes, or why it is incomplete. */
export type Spooled =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' | 'too-short' | 'silent' | 'ended' | 'broken' };

/** Reads a body of at most `most` bytes into memory. With `exactly`, refuses a shorter one too. Never rejects. */
export async function readBody(options: {
  readonly body: AsyncIterable<Uint8Array>;
  readonly most: number;
  readonly exactly: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<Spooled> {
  const { most, exactly } = options;
  const pieces: Uint8Array[] = [];
  const { kind, received } = await takeBody({
    ...options,
    bytes: most,
    take: (piece) => void pieces.push(piece),
  });
  if (kind === 'larger') return { kind: 'too-large' };
  if (kind === 'short' && exactly) return { kind: 'too-short' };
  return kind === 'whole' || kind === 'short' ? { kind: 'whole', bytes: joined(pieces, received) } : { kind };
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

/** Little-endian unsigned 32-bit numbers, whatever the computer's byte order. */
export function readKeys(bytes: Uint8Array): Uint32Array {
  const keys = new Uint32Array(bytes.byteLength / 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < keys.length; at += 1) keys[at] = view.getUint32(at * 4, true);
  return keys;
}
