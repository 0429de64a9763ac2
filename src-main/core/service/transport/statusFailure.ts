import type { Failure, FailureCode } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { readWords } from './messages.ts';
import type { Answer } from './request.ts';
import { readRetryAfter } from './retryAfter.ts';

/** The failure of an answer's status, or null for 2xx and an expected 304. Only the status decides, never the body's text. */
export function statusFailure(answer: Answer, serverNow: number): Failure | null {
  if ((answer.status >= 200 && answer.status < 300) || answer.isUnchanged) return null;
  const wait = readRetryAfter(answer.headers['retry-after'], serverNow);
  return makeFailure({
    code: codeOf(answer.status),
    at: serverNow,
    status: answer.status,
    requestId: answer.requestId,
    words: readWords(answer.body),
    retryAt: wait === null ? null : serverNow + wait,
  });
}

function codeOf(status: number): FailureCode {
  switch (status) {
    case 400:
    case 422:
      return 'bad-request';
    case 403:
      return 'not-granted';
    case 404:
      return 'not-found';
    case 408:
      return 'timed-out';
    case 409:
      return 'conflict';
    case 429:
      return 'too-many-requests';
    // Networks send 511 Network Authentication Required, not services.
    case 511:
      return 'answered-by-something-else';
    default:
      if (status < 400) return 'answered-by-something-else';
      return status < 500 ? 'refused-by-service' : 'service-error';
  }
}
