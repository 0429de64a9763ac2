import type { Failure, FailureCode } from '../../../src-preload/contract/index.ts';

interface Wording {
  readonly sentence: string;
  readonly remedy: string | null;
}

/** The operator's sentence and remedy of every code, in one place so that they speak with one voice. */
const wordings: Readonly<Record<FailureCode, Wording>> = {
  unreachable: {
    sentence: 'The service cannot be reached.',
    remedy: 'Check the link. The console keeps trying; what is shown is the last that was known.',
  },
  'timed-out': {
    sentence: 'The service did not answer in time.',
    remedy: 'Check the link. The console keeps trying.',
  },
  'tls-refused': {
    sentence:
      'The service could not prove that it is the one named in the deployment, so nothing was sent to it.',
    remedy: 'Check the date of this computer and the private CA of the deployment; tell an administrator.',
  },
  'answered-by-something-else': {
    sentence: 'Something other than the service answered, perhaps the sign-in page of a network.',
    remedy: 'Sign in to the network, or use another link.',
  },
  'unreadable-answer': {
    sentence: 'The service answered with something that cannot be read.',
    remedy: 'Report this with its request id.',
  },
  'answer-too-large': {
    sentence: 'The answer is larger than the console accepts.',
    remedy: 'Choose a shorter time range or a limit.',
  },
  'bad-request': {
    sentence: 'The service did not accept the request.',
    remedy: 'Change what was asked, or report this with its request id.',
  },
  'bad-credentials': {
    sentence: 'The service did not accept this username and password.',
    remedy: 'Check both and sign in again. Passwords are issued by an administrator.',
  },
  'signed-out': { sentence: 'Nobody is signed in.', remedy: 'Sign in.' },
  'session-rejected': {
    sentence: 'The service ended this session and does not accept the credentials any more.',
    remedy: 'Sign in again. If that fails, ask an administrator whether the account is still valid.',
  },
  'session-waiting': {
    sentence: 'The session could not be renewed yet.',
    remedy: 'The console tries again by itself.',
  },
  'not-granted': {
    sentence: 'Your account does not have the scope that this needs.',
    remedy: 'Ask an administrator to grant it, then check again.',
  },
  'not-found': {
    sentence: 'The service does not know this address.',
    remedy: 'Check the addresses in the deployment.',
  },
  conflict: {
    sentence: 'This cannot be done in the present state.',
    remedy: 'Look at the present state and decide again.',
  },
  'too-many-requests': {
    sentence: 'The service asks for fewer requests.',
    remedy: 'Try again later.',
  },
  'service-error': {
    sentence: 'The service has a fault of its own.',
    remedy: 'The console keeps trying. If it lasts, report this with its request id.',
  },
  'refused-by-service': {
    sentence: 'The service refused this.',
    remedy: 'Report this with its request id.',
  },
  cancelled: { sentence: 'This was cancelled.', remedy: null },
  'malformed-request': {
    sentence: 'The console did not understand what the page asked for.',
    remedy: 'Reload the page.',
  },
  'foreign-sender': {
    sentence: 'A request came from something that is not this console and was refused.',
    remedy: 'Open the console anew.',
  },
  locked: { sentence: 'The console is locked.', remedy: 'Unlock it with your password.' },
  'wrong-password': { sentence: 'This is not the password of this session.', remedy: 'Try again.' },
  throttled: {
    sentence: 'Too many wrong passwords: the next one is checked a little later.',
    remedy: 'Wait until then.',
  },
  'deployment-invalid': {
    sentence: 'The deployment file is not valid.',
    remedy: 'Correct the file, or ask for a new one.',
  },
  'deployment-unreadable': {
    sentence: 'The deployment file cannot be read.',
    remedy: 'Check that it exists and may be read.',
  },
  'deployment-conflict': {
    sentence: 'Another deployment with the same id but another address is known already.',
    remedy: 'Remove the old deployment first.',
  },
  'deployment-unknown': { sentence: 'This deployment is not known.', remedy: 'Choose another one.' },
  'storage-failed': {
    sentence: 'The data folder could not be read or written.',
    remedy: 'Check the space and the permissions of the data folder.',
  },
  'map-refused': { sentence: 'This file can’t be used as a map.', remedy: 'Choose another file.' },
  'upload-token-missing': {
    sentence: 'Uploads to this deployment need a service token of their own.',
    remedy: 'Enter the upload token that an administrator issued.',
  },
  'upload-token-refused': {
    sentence: 'The service did not accept the upload token.',
    remedy: 'Enter another one, or ask an administrator for it.',
  },
  'file-refused': { sentence: 'This file can’t be taken.', remedy: 'Choose another file.' },
  'file-damaged': {
    sentence: 'The copy of this file on this computer is damaged, so it was not sent.',
    remedy: 'Discard it and add the file again.',
  },
  'gateway-refused': {
    sentence: 'The deployment does not allow this gateway.',
    remedy: 'Ask whoever issued the deployment file.',
  },
  'outcome-unknown': {
    sentence: 'The connection was lost before the service answered: it may or may not have acted.',
    remedy: 'Find out first; do not repeat it elsewhere.',
  },
  'policy-invalid': {
    sentence: 'The policy of this computer cannot be used, so the console runs in its safest form.',
    remedy: 'Ask whoever administers this computer.',
  },
  'policy-forbids': {
    sentence: 'The policy of this computer does not allow this.',
    remedy: 'Ask whoever administers this computer.',
  },
  'update-refused': {
    sentence: 'This update is not installed.',
    remedy: 'Get it again from whoever issues the updates of this console.',
  },
  'not-in-training': { sentence: 'This exists in training only.', remedy: null },
  'bridge-lost': {
    sentence: 'This page lost its connection to the console.',
    remedy: 'It connects again by itself; if not, open the console anew.',
  },
  internal: {
    sentence: 'The console has a fault of its own.',
    remedy: 'Report this with the log.',
  },
};

export interface FailureParts {
  readonly code: FailureCode;
  /** Station time in Unix milliseconds. */
  readonly at: number;
  /** Replaces the code's own sentence or remedy where more is known. */
  readonly sentence?: string | undefined;
  readonly remedy?: string | null | undefined;
  /** The HTTP status, where an answer came. */
  readonly status?: number | null | undefined;
  /** `X-Request-Id` of the answer. */
  readonly requestId?: string | null | undefined;
  /** The service's own words, already cleaned by `cleanWords`. */
  readonly words?: string | null | undefined;
  /** Station time in Unix milliseconds before which trying again is useless. */
  readonly retryAt?: number | null | undefined;
}

/** Makes a failure with the operator's sentence of its code. */
export function makeFailure(parts: FailureParts): Failure {
  const wording = wordings[parts.code];
  return {
    code: parts.code,
    sentence: parts.sentence ?? wording.sentence,
    remedy: parts.remedy === undefined ? wording.remedy : parts.remedy,
    status: parts.status ?? null,
    requestId: parts.requestId ?? null,
    words: parts.words ?? null,
    at: parts.at,
    retryAt: parts.retryAt ?? null,
  };
}
