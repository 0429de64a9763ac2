import type { Failure, FailureCode } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { listAnswer, type AnswerBounds } from './answerBounds.ts';
import type { Excess } from './jsonScan.ts';
import { ProxyError } from './proxySignIn.ts';
import { BodyError } from './readBody.ts';

interface Circumstances {
  readonly at: number;
  /** The status of the answer whose body failed; null when there was no answer yet. */
  readonly status: number | null;
  readonly requestId: string | null;
  /** The limits of the answer. */
  readonly bounds: AnswerBounds;
}

/** The failure for an error that prevented an answer. */
export function wireFailure(error: unknown, { bounds, ...circumstances }: Circumstances): Failure {
  if (error instanceof BodyError) {
    if (error.problem !== 'too-large') return makeFailure({ ...circumstances, code: 'unreadable-answer' });
    return makeFailure({
      ...circumstances,
      code: 'answer-too-large',
      sentence: excessSentence(error.excess),
      // Only a list gets smaller by asking for less.
      remedy: bounds === listAnswer ? undefined : message('failure.unreadable-answer.remedy'),
    });
  }
  const code = errorCode(error);
  if (error instanceof ProxyError) {
    const isRefused = kindOf(code) === 'tls-refused';
    const { sentence } = error;
    return makeFailure({ ...circumstances, code: isRefused ? 'tls-refused' : 'unreachable', sentence });
  }
  const kind = kindOf(code);
  return makeFailure({
    ...circumstances,
    code: kind,
    sentence: sentenceOf(kind, code, circumstances.status),
  });
}

function excessSentence(excess: Excess | null): Message | undefined {
  switch (excess) {
    case 'values':
      return message('api.tooManyValues');
    case 'records':
      return message('api.tooManyEntries');
    case 'beside':
      return message('api.tooMuchBeside');
    case 'depth':
      return message('api.nestedTooDeep');
    case 'bytes':
    case null:
      return undefined;
  }
}

/** The first code in the chain of causes. A happy-eyeballs failure has several errors side by side. */
function errorCode(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return '';
  if (error instanceof AggregateError && error.errors.length > 0)
    return errorCode(error.errors[0], depth + 1);
  // undici's parser errors have a code only where its parser named one.
  if (error.name === 'HTTPParserError') return 'HPE_INVALID';
  const own = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // undici wraps errors of the socket.
  if (
    (own === '' || own.startsWith('UND_ERR_PRX') || error instanceof ProxyError) &&
    error.cause !== undefined
  ) {
    const inner = errorCode(error.cause, depth + 1);
    if (inner !== '') return inner;
  }
  return own;
}

const tlsCodes =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERROR_IN_CERT|EPROTO$|UND_ERR_PRX_TLS)/;

function kindOf(code: string): FailureCode {
  if (tlsCodes.test(code)) return 'tls-refused';
  // The answer is not HTTP.
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') return 'unreadable-answer';
  if (code === 'UND_ERR_INVALID_ARG' || code === 'ERR_INVALID_ARG_TYPE') return 'internal';
  return 'unreachable';
}

function sentenceOf(kind: FailureCode, code: string, status: number | null): Message | undefined {
  if (kind !== 'unreachable') return undefined;
  if (status !== null) return message('api.lostInAnswer');
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return message('api.nameNotFound');
    case 'ECONNREFUSED':
      return message('api.connectionRefused');
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
    case 'EPIPE':
      return message('api.connectionLost');
    default:
      return undefined;
  }
}
