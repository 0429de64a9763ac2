import type { Failure } from '../../src-preload/contract/index.ts';
import { makeFailure } from '../core/base/failure.ts';
import { message } from '../core/base/messages/message.ts';

/** A host's refusal of a call, before the console gets it. `at` is Unix milliseconds. */
export const hostFailure = (
  code: 'malformed-request' | 'throttled' | 'foreign-sender' | 'internal',
  at: number,
): Failure => makeFailure({ code, at, sentence: message(`host.${code}`), remedy: null });
