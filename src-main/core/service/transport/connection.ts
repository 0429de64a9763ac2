import type { ApiConnection } from '../../../../src-preload/contract/index.ts';
import type { AttemptOutcome } from './request.ts';

/**
 * The state of the connection to one API, derived only from the outcomes of attempts.
 *
 *             answered            troubled              unreachable
 *   unknown   -> online           -> degraded           -> offline
 *   online    stays               -> degraded           -> degraded, offline at the second in a row
 *   degraded  -> online           stays                 -> offline at the second in a row
 *   offline   -> online           -> degraded           stays
 */
export interface ConnectionTrack {
  readonly connection: ApiConnection;
  /** Unreachable attempts in a row. */
  readonly misses: number;
}

export const connectionAtStart = (at: number): ConnectionTrack => ({
  connection: { state: 'unknown', since: at, failure: null },
  misses: 0,
});

/** The track after one more attempt, at server time `at`. The same object when nothing changed. */
export function trackConnection(
  track: ConnectionTrack,
  outcome: Pick<AttemptOutcome, 'outcome' | 'failure'>,
  at: number,
): ConnectionTrack {
  const misses = outcome.outcome === 'unreachable' ? track.misses + 1 : 0;
  const state = nextState(track.connection.state, outcome.outcome, misses);
  const { connection } = track;
  if (state === connection.state) {
    if (misses === track.misses && sameFailure(connection.failure, outcome.failure)) return track;
    return { connection: { ...connection, failure: state === 'online' ? null : outcome.failure }, misses };
  }
  return { connection: { state, since: at, failure: state === 'online' ? null : outcome.failure }, misses };
}

function nextState(
  state: ApiConnection['state'],
  outcome: AttemptOutcome['outcome'],
  misses: number,
): ApiConnection['state'] {
  switch (outcome) {
    case 'answered':
      return 'online';
    case 'troubled':
      return 'degraded';
    case 'unreachable':
      // One lost packet on a field link is not an outage, but a second in a row is.
      return state === 'unknown' || state === 'offline' || misses >= 2 ? 'offline' : 'degraded';
  }
}

function sameFailure(a: ApiConnection['failure'], b: ApiConnection['failure']): boolean {
  if (a === null || b === null) return a === b;
  return a.code === b.code && a.status === b.status && a.requestId === b.requestId;
}
