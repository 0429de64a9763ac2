import type { ConsoleState, SessionState } from '../../src-preload/contract/index.ts';
import type { LinkState } from '../bridge/bridge.ts';
import { span } from './format.ts';

/** The first word of the status "Connection". */
export type Standing = 'Online' | 'Degraded' | 'Offline';

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
  if (link.state !== 'up') return { standing: 'Offline', detail: 'this page lost the console' };
  if (connection === undefined) return { standing: 'Offline', detail: 'not connected yet' };
  const { infrastructure, coordination } = connection;
  if (infrastructure.state === 'offline') return { standing: 'Offline', detail: 'can’t reach the service' };
  const signedOut = session?.session.state;
  if (infrastructure.state === 'unknown') return { standing: 'Offline', detail: 'connecting' };
  if (signedOut === 'rejected') return { standing: 'Degraded', detail: 'session ended' };
  if (infrastructure.state === 'degraded')
    return { standing: 'Degraded', detail: 'the service answers with errors' };
  if (signedOut === 'none') return { standing: 'Degraded', detail: 'no session with the service' };
  if (signedOut === 'waiting') return { standing: 'Degraded', detail: 'session not renewed yet' };
  if (coordination.state === 'offline') return { standing: 'Degraded', detail: 'coordination not reachable' };
  if (coordination.state === 'degraded')
    return { standing: 'Degraded', detail: 'coordination answers with errors' };
  return { standing: 'Online', detail: '' };
}

/** The session in the status bar: `Session 42 min left`. `now` is station time. */
export function sessionWords(session: SessionState, now: number): string {
  switch (session.state) {
    case 'none':
      return 'No session';
    case 'signing-in':
      return 'Signing in';
    case 'active':
      return `Session ${span(session.expiresAt - now)} left`;
    case 'renewing':
      return 'Session renewing';
    case 'waiting':
      return session.expiresAt !== null && session.expiresAt > now
        ? `Session ${span(session.expiresAt - now)} left, renewal waits`
        : 'Session waits for the service';
    case 'rejected':
      return 'Session ended';
  }
}
