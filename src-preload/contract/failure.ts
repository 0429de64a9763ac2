import { z } from 'zod';
import { messageSchema } from './message.ts';

/**
 * Every way in which something can fail, as stable codes. A code is part of the interface: it is
 * logged, copied by operators into reports, and branched on by views. It is never renamed.
 */
export const failureCodes = [
  'unreachable',
  'timed-out',
  'tls-refused',
  'answered-by-something-else',
  'unreadable-answer',
  'answer-too-large',
  'bad-request',
  'bad-credentials',
  'signed-out',
  'session-rejected',
  'session-waiting',
  'tokens-refused',
  'not-granted',
  'not-found',
  'conflict',
  'too-many-requests',
  'service-error',
  'refused-by-service',
  'cancelled',
  'malformed-request',
  'foreign-sender',
  'locked',
  'wrong-password',
  'throttled',
  'deployment-invalid',
  'deployment-unreadable',
  'deployment-conflict',
  'deployment-unknown',
  'storage-failed',
  'map-refused',
  'upload-token-missing',
  'upload-token-refused',
  'file-refused',
  'file-damaged',
  'copy-cut-off',
  'gateway-refused',
  'content-mismatch',
  'outcome-unknown',
  'not-in-training',
  'policy-invalid',
  'policy-forbids',
  'update-refused',
  'bridge-lost',
  'internal',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/**
 * A failure as a value.
 *
 * `sentence` says what happened and what it means for the operator; `remedy` what to do, where
 * there is something to do.
 * `requestId` is the service's `X-Request-Id` (interface: Shared conventions) when an answer carried
 * one. `words` is the service's own explanation, verbatim and capped, never interpreted. `at` and
 * `retryAt` are server time in Unix milliseconds.
 */
export const failureSchema = z.strictObject({
  code: z.enum(failureCodes),
  sentence: messageSchema,
  remedy: messageSchema.nullable(),
  status: z.int().nullable(),
  requestId: z.string().nullable(),
  words: z.string().nullable(),
  at: z.number(),
  retryAt: z.number().nullable(),
});

export type Failure = z.infer<typeof failureSchema>;

/** Errors cross every boundary as values: a Result is either a value or a Failure. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const failed = (failure: Failure): Result<never> => ({ ok: false, failure });
