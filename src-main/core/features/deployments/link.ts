import type { Failure, FailureCode } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message, type Message } from '../../base/messages/message.ts';

const form = /^field-console:\/\/deployment\/([a-z0-9][a-z0-9._-]{0,63})$/;

/**
 * The deployment's id in a link, or null. Accepts exactly this form: a link may come from anywhere, and can only name
 * an id.
 */
export const readLink = (link: string): string | null => form.exec(link)?.[1] ?? null;

/** Why a link is not followed. `occupied`: an operator is signed in to another deployment, or about to be. */
type LinkRefusal = 'malformed' | 'unknown' | 'occupied';

const words: Readonly<
  Record<LinkRefusal, readonly [FailureCode, sentence: Message, remedy: Message | null]>
> = {
  malformed: ['malformed-request', message('link.malformed'), null],
  unknown: ['deployment-unknown', message('link.unknown'), message('link.unknownRemedy')],
  occupied: ['conflict', message('link.occupied'), message('link.occupiedRemedy')],
};

/** The failure that the page shows for it. It never repeats the link. */
export function linkRefusal(why: LinkRefusal, at: number): Failure {
  const [code, sentence, remedy] = words[why];
  return makeFailure({ code, at, sentence, remedy });
}
