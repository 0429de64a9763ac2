import type { SessionState } from '../../src-preload/contract/index.ts';
import { t } from '../i18n/index.ts';
import { span } from './format.ts';
import type { Reason, ConnectionLevel } from './liveState.ts';

/** The first word of the status "Connection". */
export const levelWord = (level: ConnectionLevel): string => t(`status.level.${level}`);

/** What follows the word: a clause without ticking parts, so that it is read out only on change. */
export const reasonWords = (reason: Reason | null): string =>
  reason === null ? '' : t(`status.reason.${reason}`);

/** What is left of a session that renews itself is said from here on, milliseconds. */
const saidFromMs = 600_000;

/** The session in the status bar: `Session 9 min left`; empty while there is nothing to say. `now` is server time. */
export function sessionWords(session: SessionState, now: number): string {
  switch (session.state) {
    case 'none':
      return t('status.session.none');
    case 'signing-in':
      return t('status.session.signingIn');
    case 'active':
      return session.expiresAt - now > saidFromMs
        ? ''
        : t('status.session.left', { span: span(session.expiresAt - now) });
    case 'renewing':
      return t('status.session.renewing');
    case 'waiting':
      return session.expiresAt !== null && session.expiresAt > now
        ? t('status.session.leftWaiting', { span: span(session.expiresAt - now) })
        : t('status.session.waiting');
    case 'tokens-refused':
      return t('status.session.tokensRefused');
    case 'rejected':
      return t('status.session.ended');
  }
}
