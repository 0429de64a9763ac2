import type { Failure, FailureCode } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';
import type { Refusal } from './judge.ts';
import { SourceError, type SourceReason } from './updateHost.ts';

const otherIssue = 'Do not use it, and tell whoever issues the updates of this console.';

/** Why a release is refused. `version` is the release's own, where its signature vouches for it. */
export function refusalOf(
  reason: Refusal,
  {
    version,
    running,
    at,
  }: { readonly version: string | null; readonly running: string; readonly at: number },
): Failure {
  const named = version === null ? 'This release' : `The release ${version}`;
  const [sentence, remedy] = ((): readonly [string, string?] => {
    switch (reason) {
      case 'unsigned':
        return ['This release has no signature that can be read, so nothing of it was used.'];
      case 'unknown-key':
        return ['This release is signed with a key that this console does not know.'];
      case 'forged':
        return [
          'The signature does not belong to this release: it was changed, or it is not genuine.',
          otherIssue,
        ];
      case 'retired-key':
        return [
          `${named} is signed with a key that is not valid any more for releases of its age.`,
          otherIssue,
        ];
      case 'unreadable':
        return [
          'This release is genuine, and its description cannot be read by this version of the console.',
        ];
      case 'other-product':
        return ['This release is genuine, and of another product.'];
      case 'other-channel':
        return [`${named} is not meant for the line of releases that this console follows.`];
      case 'older':
        return [`${named} is older than the version ${running} that runs here.`];
      case 'replayed':
        return [`${named} is older than one that this console has seen before, so it is not taken.`];
      case 'contradictory':
        return [
          `${named} contradicts itself: its number and its version do not both come after the version ${running} that runs here.`,
        ];
      case 'no-package':
        return [`${named} has no package for this kind of computer and installation.`];
    }
  })();
  return makeFailure({ code: 'update-refused', at, sentence, remedy });
}

const sourceFailures: Readonly<
  Record<SourceReason, { readonly code: FailureCode; readonly sentence: string; readonly remedy?: string }>
> = {
  missing: {
    code: 'update-refused',
    sentence: 'There is no complete release there: a file of it is missing.',
    remedy: 'Choose the folder that holds release.json, or tell whoever issues the updates.',
  },
  unreachable: {
    code: 'unreachable',
    sentence: 'The update server cannot be reached.',
    remedy: 'Check the link and try again, or use a USB stick.',
  },
  'timed-out': {
    code: 'timed-out',
    sentence: 'The update server did not answer in time.',
    remedy: 'Check the link and try again, or use a USB stick.',
  },
  'tls-refused': {
    code: 'tls-refused',
    sentence: 'The update server could not prove that it is the one that was asked.',
    remedy: 'Check the date of this computer; tell an administrator.',
  },
  'answered-otherwise': {
    code: 'answered-by-something-else',
    sentence: 'The update server did not answer with a release, and was not followed elsewhere.',
    remedy: 'Tell whoever looks after the update server.',
  },
  'too-large': {
    code: 'update-refused',
    sentence: 'The description of this release is larger than any can be, so it was not read.',
  },
  'not-plain': {
    code: 'update-refused',
    sentence: 'A file of this release is a link or no file at all, so it was not opened.',
  },
  broken: {
    code: 'update-refused',
    sentence: 'The release could not be read to its end.',
    remedy: 'Leave the stick plugged in, or check the link, and try again.',
  },
  cancelled: { code: 'cancelled', sentence: 'The update was stopped.' },
};

export function sourceFailure(reason: SourceReason, at: number): Failure {
  const { code, sentence, remedy } = sourceFailures[reason];
  return makeFailure({ code, at, sentence, remedy });
}

export type CopyFault = 'shorter' | 'longer' | 'other' | 'changed' | 'full' | 'disk';

/** Why a package is not installed although its release may be. */
export function copyFailure(fault: CopyFault, at: number): Failure {
  const refuse = (sentence: string, remedy?: string): Failure =>
    makeFailure({ code: 'update-refused', at, sentence, remedy });
  switch (fault) {
    case 'shorter':
      return refuse('The package is shorter than its release says, so it was thrown away.');
    case 'longer':
      return refuse('The package is longer than its release says, so it was thrown away.');
    case 'other':
      return refuse('The package is not the one that its release vouches for, so it was thrown away.');
    case 'changed':
      return refuse(
        'The package was changed on this computer after it had been checked, so it was thrown away.',
        'Tell whoever administers this computer, and take the update again.',
      );
    case 'full':
      return makeFailure({
        code: 'storage-failed',
        at,
        sentence: 'There is not enough room on this computer for the update.',
        remedy: 'Make room on the disk that holds the data folder, then try again.',
      });
    case 'disk':
      return makeFailure({
        code: 'storage-failed',
        at,
        sentence: 'The update could not be kept on this computer.',
      });
  }
}

/** Any error that came up while a release was read or kept. */
export function failureOf(error: unknown, at: number): Failure {
  if (error instanceof SourceError) return sourceFailure(error.reason, at);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return copyFailure(code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'disk', at);
}
