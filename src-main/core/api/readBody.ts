import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

/**
 * What the console asks for: incidents as JSON shrink to about a tenth, which is what counts on a
 * field link. `deflate` is left out, since servers disagree on what it means.
 */
export const acceptedEncodings = 'gzip, br';

export type BodyProblem = 'too-large' | 'unknown-encoding' | 'corrupt';

export class BodyError extends Error {
  readonly problem: BodyProblem;
  constructor(problem: BodyProblem) {
    super(problem);
    this.name = 'BodyError';
    this.problem = problem;
  }
}

/**
 * Reads a body to its end, decoding it on the way. The cap counts decoded bytes while they stream, so
 * that a small body that unpacks to gigabytes is cut when it passes the cap.
 *
 * @throws BodyError, or what the stream itself fails with.
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const decoded = decode(body, encoding);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of decoded as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new BodyError('too-large');
      chunks.push(chunk);
    }
  } catch (error) {
    // A cut connection ends the decoder with the connection's own error, which is passed on.
    throw isZlib(error) ? new BodyError('corrupt') : error;
  } finally {
    body.destroy();
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
}

function decode(body: Readable, encoding: string | undefined): Readable {
  const ignored = (): void => undefined;
  switch ((encoding ?? 'identity').trim().toLowerCase()) {
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip':
      return pipeline(body, createGunzip(), ignored);
    case 'br':
      return pipeline(body, createBrotliDecompress(), ignored);
    default:
      body.on('error', ignored);
      throw new BodyError('unknown-encoding');
  }
}

const isZlib = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(?:Z_|ERR__?BROTLI|ERR_BROTLI|ERR_PADDING)/.test(String(error.code));
