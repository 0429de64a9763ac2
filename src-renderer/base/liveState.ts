import type {
  ApiConnection,
  ConsoleState,
  EventsState,
  Failure,
  Freshness,
} from '../../src-preload/contract/index.ts';
import type { LinkState } from './bridge/bridge.ts';
import { livenessOf } from './liveness.ts';

/** An API's connection, and the code of its last attempt that failed; null after one that did not. */
export interface ApiFact {
  readonly state: ApiConnection['state'];
  readonly outcome: Failure['code'] | null;
}

/**
 * The session by what it is worth. `usable`: a token serves. `renewal-waits`: it serves, and the next one is
 * late. `none`: no session was tried. `waiting`: no token, and one is asked for. `tokens-refused`: the
 * service accepts none of its tokens. `rejected`: the service judged the credentials.
 */
export type SessionFact = 'usable' | 'renewal-waits' | 'waiting' | 'none' | 'tokens-refused' | 'rejected';

export interface LiveFacts {
  readonly link: LinkState['state'];
  readonly session: SessionFact;
  readonly infrastructure: ApiFact;
  readonly coordination: ApiFact;
  readonly stream: EventsState['state'];
}

/**
 * What is shown of one part of the service is worth:
 *
 *   live       the last attempt was answered
 *   throttled  the last attempt met a limit of requests
 *   troubled   the last attempt failed in another way, and it is not out of reach
 *   as-of      nothing asks for it now: no session, or no attempt was made
 *   offline    it is out of reach
 *   frozen     this page lost the console: nothing on it changes
 */
export type Worth = 'live' | 'throttled' | 'troubled' | 'as-of' | 'offline' | 'frozen';

/** How the console stands with the service; `levelWord` says it. */
export type ConnectionLevel = 'Online' | 'Degraded' | 'Offline';

/** Why it is not online; `reasonWords` says it. */
export type Reason =
  | 'lostConsole'
  | 'unreachable'
  | 'connecting'
  | 'tokensRefused'
  | 'sessionEnded'
  | 'throttled'
  | 'serviceErrors'
  | 'noSession'
  | 'notRenewed'
  | 'coordinationUnreachable'
  | 'coordinationThrottled'
  | 'coordinationErrors';

export interface LiveState {
  /** While they stand, each age, countdown and time of day is that of the moment the console was lost. */
  readonly clocks: 'running' | 'standing';
  readonly level: ConnectionLevel;
  readonly reason: Reason | null;
  /** Of GET /health, which needs no session. */
  readonly health: Worth;
  /** Of what a session reads from each API. */
  readonly infrastructure: Worth;
  readonly coordination: Worth;
  readonly stream: 'off' | 'live' | 'connecting' | 'waiting' | 'stopped';
  /** Of the screen as a whole: what is drawn back to grey. */
  readonly screen: 'live' | 'as-of' | 'frozen';
}

/** What the page may claim to be live: the only place that decides it. */
export function liveState(facts: LiveFacts): LiveState {
  const { link, session } = facts;
  if (link !== 'up') {
    return {
      clocks: 'standing',
      level: 'Offline',
      reason: 'lostConsole',
      health: 'frozen',
      infrastructure: 'frozen',
      coordination: 'frozen',
      stream: facts.stream === 'off' ? 'off' : 'stopped',
      screen: 'frozen',
    };
  }
  const health = reachOf(facts.infrastructure);
  const infrastructure = behindSession(health, session);
  const coordination = behindSession(reachOf(facts.coordination), session);
  return {
    clocks: 'running',
    ...levelOf(facts),
    health,
    infrastructure,
    coordination,
    stream: streamOf(facts.stream, coordination),
    screen: infrastructure === 'offline' || infrastructure === 'as-of' ? 'as-of' : 'live',
  };
}

function reachOf({ state, outcome }: ApiFact): Worth {
  switch (state) {
    case 'unknown':
      return 'as-of';
    case 'offline':
      return 'offline';
    case 'online':
      return 'live';
    case 'degraded':
      return outcome === 'too-many-requests' ? 'throttled' : 'troubled';
  }
}

function behindSession(reach: Worth, session: SessionFact): Worth {
  switch (session) {
    case 'usable':
    case 'renewal-waits':
      return reach;
    case 'waiting':
    case 'none':
      return 'offline';
    case 'tokens-refused':
    case 'rejected':
      return reach === 'offline' ? 'offline' : 'as-of';
  }
}

/** An open stream is not live where the API behind it is out of reach: its end was not noticed yet. */
function streamOf(stream: EventsState['state'], coordination: Worth): LiveState['stream'] {
  if (stream !== 'open') return stream;
  return coordination === 'offline' || coordination === 'as-of' ? 'waiting' : 'live';
}

/**
 * The infrastructure API decides between offline and online, since the incidents come from it.
 * Everything less than usable but not cut off is degraded.
 */
function levelOf({ session, infrastructure, coordination }: LiveFacts): Pick<LiveState, 'level' | 'reason'> {
  const degraded = (reason: Reason) => ({ level: 'Degraded', reason }) as const;
  if (infrastructure.state === 'offline') return { level: 'Offline', reason: 'unreachable' };
  if (infrastructure.state === 'unknown') return { level: 'Offline', reason: 'connecting' };
  if (session === 'rejected') return degraded('sessionEnded');
  if (session === 'tokens-refused') return degraded('tokensRefused');
  if (infrastructure.state === 'degraded')
    return degraded(reachOf(infrastructure) === 'throttled' ? 'throttled' : 'serviceErrors');
  if (session === 'none') return degraded('noSession');
  if (session === 'waiting' || session === 'renewal-waits') return degraded('notRenewed');
  if (coordination.state === 'offline') return degraded('coordinationUnreachable');
  if (coordination.state === 'degraded')
    return degraded(reachOf(coordination) === 'throttled' ? 'coordinationThrottled' : 'coordinationErrors');
  return { level: 'Online', reason: null };
}

/** `now` is server time: an old token that has run out meanwhile serves no more. */
export function sessionFact(session: ConsoleState['session'] | undefined, now: number): SessionFact {
  if (session === undefined) return 'none';
  const { state } = session.session;
  if (state === 'rejected' || state === 'tokens-refused') return state;
  if (state === 'none') return 'none';
  const isLive = session.vault === 'open' && livenessOf(session, now).kind === 'live';
  if (!isLive) return 'waiting';
  return state === 'waiting' ? 'renewal-waits' : 'usable';
}

/** How old a dataset is, as the screen says it: the core's word where it is live, else why it is not. */
export type ShownFreshness = Freshness | 'as-of' | 'throttled' | 'frozen';

/**
 * @param worth of the part of the service that the dataset comes from.
 * @param outcome the code of the dataset's own last read that failed; null after one that did not. Another
 *   read may have been answered since, as one path may be throttled and not the next.
 */
export function shownFreshness(
  freshness: Freshness,
  worth: Worth,
  outcome: Failure['code'] | null,
): ShownFreshness {
  switch (worth) {
    case 'frozen':
    case 'as-of':
    case 'offline':
      return worth;
    case 'live':
    case 'throttled':
    case 'troubled': {
      const isLate = freshness === 'ageing' || freshness === 'stale';
      return isLate && (worth === 'throttled' || outcome === 'too-many-requests') ? 'throttled' : freshness;
    }
  }
}

/** Whether it may be drawn as seen now: in the colours of the connection, and with a running age. */
export const isSeenNow = (shown: ShownFreshness): boolean => shown === 'fresh' || shown === 'ageing';
