import type { Failure } from '../../src-preload/contract/index.ts';

/** A host's own refusal of a call, before the console saw it. `at` in Unix milliseconds. */
export function hostFailure(
  code: 'malformed-request' | 'throttled' | 'foreign-sender' | 'internal',
  at: number,
): Failure {
  return {
    code,
    sentence: sentences[code],
    remedy: null,
    status: null,
    requestId: null,
    words: null,
    at,
    retryAt: null,
  };
}

const sentences = {
  'malformed-request': 'The page asked for something that the console does not know.',
  throttled: 'The page asks for too much at once; this request was not carried out.',
  'foreign-sender': 'The request did not come from the console’s own page.',
  internal: 'The console made a mistake; this request was not carried out.',
} as const;
