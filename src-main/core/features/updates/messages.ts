import type { Failure, FailureCode } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { Refusal } from './judge.ts';
import { SourceError, type SourceReason } from './updateHost.ts';

const otherIssue = message('update.otherIssue');

type NamedProblem =
  | 'retiredKey'
  | 'otherChannel'
  | 'older'
  | 'replayed'
  | 'expired'
  | 'contradictory'
  | 'noPackage';

/** Why a release is refused. `version` is set if the release's signature proves it. */
export function refusalOf(
  reason: Refusal,
  {
    version,
    running,
    at,
  }: { readonly version: string | null; readonly running: string; readonly at: number },
): Failure {
  /** The message with the release's version, or without one. */
  const named = (problem: NamedProblem): Message =>
    version === null
      ? message(`update.unnamed.${problem}`, { running })
      : message(`update.named.${problem}`, { version, running });
  const [sentence, remedy] = ((): readonly [Message, Message?] => {
    switch (reason) {
      case 'unsigned':
        return [message('update.unsigned')];
      case 'unknown-key':
        return [message('update.unknownKey')];
      case 'forged':
        return [message('update.forged'), otherIssue];
      case 'retired-key':
        return [named('retiredKey'), otherIssue];
      case 'unreadable':
        return [message('update.unreadable')];
      case 'other-product':
        return [message('update.otherProduct')];
      case 'other-channel':
        return [named('otherChannel')];
      case 'older':
        return [named('older')];
      case 'replayed':
        return [named('replayed')];
      case 'expired':
        return [named('expired'), message('update.expiredRemedy')];
      case 'contradictory':
        return [named('contradictory')];
      case 'no-package':
        return [named('noPackage')];
    }
  })();
  return makeFailure({ code: 'update-refused', at, sentence, remedy });
}

const sourceFailures: Readonly<
  Record<SourceReason, { readonly code: FailureCode; readonly sentence: Message; readonly remedy?: Message }>
> = {
  missing: {
    code: 'update-refused',
    sentence: message('update.missing'),
    remedy: message('update.missingRemedy'),
  },
  unreachable: {
    code: 'unreachable',
    sentence: message('update.unreachable'),
    remedy: message('update.linkRemedy'),
  },
  'timed-out': {
    code: 'timed-out',
    sentence: message('update.timedOut'),
    remedy: message('update.linkRemedy'),
  },
  'tls-refused': {
    code: 'tls-refused',
    sentence: message('update.tlsRefused'),
    remedy: message('update.tlsRemedy'),
  },
  'answered-otherwise': {
    code: 'answered-by-something-else',
    sentence: message('update.answeredOtherwise'),
    remedy: message('update.answeredOtherwiseRemedy'),
  },
  'too-large': {
    code: 'update-refused',
    sentence: message('update.tooLarge'),
  },
  'not-plain': {
    code: 'update-refused',
    sentence: message('update.notPlain'),
  },
  broken: {
    code: 'update-refused',
    sentence: message('update.broken'),
    remedy: message('update.brokenRemedy'),
  },
  cancelled: { code: 'cancelled', sentence: message('update.stopped') },
};

export function sourceFailure(reason: SourceReason, at: number): Failure {
  const { code, sentence, remedy } = sourceFailures[reason];
  return makeFailure({ code, at, sentence, remedy });
}

export type CopyFault = 'shorter' | 'longer' | 'other' | 'changed' | 'full' | 'disk';

/** Why a package is not installed although its release is valid. */
export function copyFailure(fault: CopyFault, at: number): Failure {
  const refuse = (sentence: Message, remedy?: Message): Failure =>
    makeFailure({ code: 'update-refused', at, sentence, remedy });
  switch (fault) {
    case 'shorter':
      return refuse(message('update.copyShorter'));
    case 'longer':
      return refuse(message('update.copyLonger'));
    case 'other':
      return refuse(message('update.copyOther'));
    case 'changed':
      return refuse(message('update.copyChanged'), message('update.copyChangedRemedy'));
    case 'full':
      return makeFailure({
        code: 'storage-failed',
        at,
        sentence: message('update.copyFull'),
        remedy: message('update.copyFullRemedy'),
      });
    case 'disk':
      return makeFailure({
        code: 'storage-failed',
        at,
        sentence: message('update.copyDisk'),
      });
  }
}

/** The failure for any error during reading or storing a release. */
export function failureOf(error: unknown, at: number): Failure {
  if (error instanceof SourceError) return sourceFailure(error.reason, at);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return copyFailure(code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'disk', at);
}
