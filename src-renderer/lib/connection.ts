import type { ConsoleState, SessionState } from '../../src-preload/contract/index.ts';
import type { LinkState } from '../bridge/bridge.ts';
import { t } from '../i18n/index.ts';
import { span } from './format.ts';

/** How the console stands with the service; `standingWord` says it. */
export type Standing = 'Online' | 'Degraded' | 'Offline';

/** The first word of the status "Connection". */
export const standingWord = (standing: Standing): string => t(`status.standing.${standing}`);

export interface Situation {
  readonly standing: Standing;
  /** What follows the word: a clause without ticking parts, so that it is read out only on change. */
  readonly detail: string;
}

/**
 * One word for how the console stands with the service, and a clause that says why.
 *
 * The infrastructure API decides between offline and online, since the incidents come from it.
 * Everything less than usable but not cut off is degraded.
 */
export function situationOf(
  link: LinkState,
  connection: ConsoleState['connection'] | undefined,
  session: ConsoleState['session'] | undefined,
): Situation {
  if (link.state !== 'up') return { standing: 'Offline', detail: t('status.lostConsole') };
  if (connection === undefined) return { standing: 'Offline', detail: t('status.notConnected') };
  const { infrastructure, coordination } = connection;
  if (infrastructure.state === 'offline') return { standing: 'Offline', detail: t('status.unreachable') };
  const signedOut = session?.session.state;
  if (infrastructure.state === 'unknown') return { standing: 'Offline', detail: t('status.connecting') };
  if (signedOut === 'rejected') return { standing: 'Degraded', detail: t('status.sessionEnded') };
  if (infrastructure.state === 'degraded') return { standing: 'Degraded', detail: t('status.serviceErrors') };
  if (signedOut === 'none') return { standing: 'Degraded', detail: t('status.noSession') };
  if (signedOut === 'waiting') return { standing: 'Degraded', detail: t('status.notRenewed') };
  if (coordination.state === 'offline')
    return { standing: 'Degraded', detail: t('status.coordinationUnreachable') };
  if (coordination.state === 'degraded')
    return { standing: 'Degraded', detail: t('status.coordinationErrors') };
  return { standing: 'Online', detail: '' };
}

/** The session in the status bar: `Session 42 min left`. `now` is station time. */
export function sessionWords(session: SessionState, now: number): string {
  switch (session.state) {
    case 'none':
      return t('status.session.none');
    case 'signing-in':
      return t('status.session.signingIn');
    case 'active':
      return t('status.session.left', { span: span(session.expiresAt - now) });
    case 'renewing':
      return t('status.session.renewing');
    case 'waiting':
      return session.expiresAt !== null && session.expiresAt > now
        ? t('status.session.leftWaiting', { span: span(session.expiresAt - now) })
        : t('status.session.waiting');
    case 'rejected':
      return t('status.session.ended');
  }
}
