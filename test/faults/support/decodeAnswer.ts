import { Readable } from 'node:stream';
import type { AnswerBounds } from '../../../src-main/core/service/transport/answerBounds.ts';
import { decodeJson } from '../../../src-main/core/service/transport/decodeJson.ts';
import { BodyError, readBody } from '../../../src-main/core/service/transport/readBody.ts';

export type Decoded = { readonly body: unknown } | { readonly refused: 'not JSON' | 'beyond a bound' };

/** Reads the bytes of an answer as the transport does. */
export async function decodeAnswer(bytes: Uint8Array, bounds: AnswerBounds): Promise<Decoded> {
  try {
    const body = await readBody(Readable.from([bytes], { objectMode: true }), {
      encoding: undefined,
      bounds,
    });
    return { body: await decodeJson(body) };
  } catch (error) {
    if (error instanceof SyntaxError) return { refused: 'not JSON' };
    if (error instanceof BodyError && error.excess !== null) return { refused: 'beyond a bound' };
    throw error;
  }
}
