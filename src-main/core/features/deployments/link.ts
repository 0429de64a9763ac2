import type { Refusal } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';

const form = /^field-console:\/\/deployment\/([a-z0-9][a-z0-9._-]{0,63})$/;

/**
 * The deployment's id in a link, or null. Accepts exactly this form: a link may come from anywhere, and can only name
 * an id.
 */
export const readLink = (link: string): string | null => form.exec(link)?.[1] ?? null;

/** Why a link is not followed. `occupied`: an operator is signed in to another deployment, or about to be. */
type LinkRefusal = 'malformed' | 'unknown' | 'occupied';

const refusals: Readonly<Record<LinkRefusal, Refusal>> = {
  malformed: { code: 'malformed-request', sentence: message('link.malformed'), remedy: null },
  unknown: {
    code: 'deployment-unknown',
    sentence: message('link.unknown'),
    remedy: message('link.unknownRemedy'),
  },
  occupied: { code: 'conflict', sentence: message('link.occupied'), remedy: message('link.occupiedRemedy') },
};

/** The failure that the page shows for it. It never repeats the link. */
export const linkRefusal = (why: LinkRefusal): Refusal => refusals[why];
