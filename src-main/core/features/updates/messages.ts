import type { Failure, FailureCode } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { say, type Said } from '../../base/messages/message.ts';
import type { Refusal } from './judge.ts';
import { SourceError, type SourceReason } from './updateHost.ts';

const otherIssue = say('update.otherIssue');

type NamedProblem =
  | 'retiredKey'
  | 'otherChannel'
  | 'older'
  | 'replayed'
  | 'expired'
  | 'contradictory'
  | 'noPackage';

/** Why a release is refused. `version` is the release's own, where its signature vouches for it. */
export function refusalOf(
  reason: Refusal,
  {
    version,
    running,
    at,
  }: { readonly version: string | null; readonly running: string; readonly at: number },
): Failure {
  /** Of a release that its signature vouches for by name, or of one that has none. */
  const named = (problem: NamedProblem): Said =>
    version === null
      ? say(`update.unnamed.${problem}`, { running })
      : say(`update.named.${problem}`, { version, running });
  const [sentence, remedy] = ((): readonly [Said, Said?] => {
    switch (reason) {
      case 'unsigned':
        return [say('update.unsigned')];
      case 'unknown-key':
        return [say('update.unknownKey')];
      case 'forged':
        return [say('update.forged'), otherIssue];
      case 'retired-key':
        return [named('retiredKey'), otherIssue];
      case 'unreadable':
        return [say('update.unreadable')];
      case 'other-product':
        return [say('update.otherProduct')];
      case 'other-channel':
        return [named('otherChannel')];
      case 'older':
        return [named('older')];
      case 'replayed':
        return [named('replayed')];
      case 'expired':
        return [named('expired'), say('update.expiredRemedy')];
      case 'contradictory':
        return [named('contradictory')];
      case 'no-package':
        return [named('noPackage')];
    }
  })();
  return makeFailure({ code: 'update-refused', at, sentence, remedy });
}

const sourceFailures: Readonly<
  Record<SourceReason, { readonly code: FailureCode; readonly sentence: Said; readonly remedy?: Said }>
> = {
  missing: {
    code: 'update-refused',
    sentence: say('update.missing'),
    remedy: say('update.missingRemedy'),
  },
  unreachable: {
    code: 'unreachable',
    sentence: say('update.unreachable'),
    remedy: say('update.linkRemedy'),
  },
  'timed-out': {
    code: 'timed-out',
    sentence: say('update.timedOut'),
    remedy: say('update.linkRemedy'),
  },
  'tls-refused': {
    code: 'tls-refused',
    sentence: say('update.tlsRefused'),
    remedy: say('update.tlsRemedy'),
  },
  'answered-otherwise': {
    code: 'answered-by-something-else',
    sentence: say('update.answeredOtherwise'),
    remedy: say('update.answeredOtherwiseRemedy'),
  },
  'too-large': {
    code: 'update-refused',
    sentence: say('update.tooLarge'),
  },
  'not-plain': {
    code: 'update-refused',
    sentence: say('update.notPlain'),
  },
  broken: {
    code: 'update-refused',
    sentence: say('update.broken'),
    remedy: say('update.brokenRemedy'),
  },
  cancelled: { code: 'cancelled', sentence: say('update.stopped') },
};

export function sourceFailure(reason: SourceReason, at: number): Failure {
  const { code, sentence, remedy } = sourceFailures[reason];
  return makeFailure({ code, at, sentence, remedy });
}

export type CopyFault = 'shorter' | 'longer' | 'other' | 'changed' | 'full' | 'disk';

/** Why a package is not installed although its release may be. */
export function copyFailure(fault: CopyFault, at: number): Failure {
  const refuse = (sentence: Said, remedy?: Said): Failure =>
    makeFailure({ code: 'update-refused', at, sentence, remedy });
  switch (fault) {
    case 'shorter':
      return refuse(say('update.copyShorter'));
    case 'longer':
      return refuse(say('update.copyLonger'));
    case 'other':
      return refuse(say('update.copyOther'));
    case 'changed':
      return refuse(say('update.copyChanged'), say('update.copyChangedRemedy'));
    case 'full':
      return makeFailure({
        code: 'storage-failed',
        at,
        sentence: say('update.copyFull'),
        remedy: say('update.copyFullRemedy'),
      });
    case 'disk':
      return makeFailure({
        code: 'storage-failed',
        at,
        sentence: say('update.copyDisk'),
      });
  }
}

/** Any error that came up while a release was read or kept. */
export function failureOf(error: unknown, at: number): Failure {
  if (error instanceof SourceError) return sourceFailure(error.reason, at);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return copyFailure(code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'disk', at);
}
