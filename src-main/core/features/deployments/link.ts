import type { Failure, FailureCode } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message, type Message } from '../../base/messages/message.ts';

const form = /^field-console:\/\/deployment\/([a-z0-9][a-z0-9._-]{0,63})$/;

/**
 * The deployment's id that a link names, or null. Exactly this form: a link comes from anywhere, and is
 * asked for nothing but an id.
 */
export const readLink = (link: string): string | null => form.exec(link)?.[1] ?? null;

const incidentForm = /^field-console:\/\/incident\/([^/?#\s]{1,1024})$/;

/** The incident's id that a link names, percent-encoded there; or null. */
export function readIncidentLink(link: string): string | null {
  const [, id] = incidentForm.exec(link) ?? [];
  try {
    return id === undefined ? null : decodeURIComponent(id);
  } catch {
    return null;
  }
}

/** Why a link is not followed. `occupied`: somebody is signed in to another deployment, or about to be. */
type LinkRefusal = 'malformed' | 'unknown' | 'occupied';

const words: Readonly<
  Record<LinkRefusal, readonly [FailureCode, sentence: Message, remedy: Message | null]>
> = {
  malformed: ['malformed-request', message('link.malformed'), null],
  unknown: ['deployment-unknown', message('link.unknown'), message('link.unknownRemedy')],
  occupied: ['conflict', message('link.occupied'), message('link.occupiedRemedy')],
};

/** What the page says of it; never the link itself. */
export function linkRefusal(why: LinkRefusal, at: number): Failure {
  const [code, sentence, remedy] = words[why];
  return makeFailure({ code, at, sentence, remedy });
}
