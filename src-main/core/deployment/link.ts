import type { Failure, FailureCode } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';

const form = /^field-console:\/\/deployment\/([a-z0-9][a-z0-9._-]{0,63})$/;

/**
 * The deployment's id that a link names, or null. Exactly this form: a link comes from anywhere, and is
 * asked for nothing but an id.
 */
export const readLink = (link: string): string | null => form.exec(link)?.[1] ?? null;

/** Why a link is not followed. `occupied`: somebody is signed in to another deployment, or about to be. */
type LinkRefusal = 'malformed' | 'unknown' | 'occupied';

const words: Readonly<Record<LinkRefusal, readonly [FailureCode, sentence: string, remedy: string | null]>> =
  {
    malformed: ['malformed-request', 'The link that was opened is not one to a deployment.', null],
    unknown: [
      'deployment-unknown',
      'The link that was opened names a deployment that is not known here.',
      'Add the deployment with its file first.',
    ],
    occupied: [
      'conflict',
      'The link that was opened names another deployment, and somebody is signed in to this one.',
      'Sign out, then open the link again.',
    ],
  };

/** What the page says of it; never the link itself. */
export function linkRefusal(why: LinkRefusal, at: number): Failure {
  const [code, sentence, remedy] = words[why];
  return makeFailure({ code, at, sentence, remedy });
}
