import type { ConsoleState, Failure } from '../../src-preload/contract/index.ts';
import type { LinkState } from './bridge/bridge.ts';
import { t } from '../i18n/index.ts';

/**
 * Whether what an open vault shows is kept current by a session, and if not, why not.
 *
 *   live      a token serves (also while its renewal waits)
 *   offline   no usable token, and it is being seen to: opened from this computer, or renewal waits
 *   tokens-refused  the service grants tokens and accepts none of them; the console rests between logins
 *   rejected  the service judged the credentials: only the operator can continue
 */
export type Liveness =
  | { readonly kind: 'live' }
  | {
      readonly kind: 'offline';
      /** Why there is no session; null when none was tried or one is being tried now. */
      readonly reason: Failure | null;
      /** When it is tried again automatically, server time; null when that follows the network. */
      readonly until: number | null;
      readonly trying: boolean;
    }
  | {
      readonly kind: 'tokens-refused';
      readonly failure: Failure;
      /** When the console logs in again automatically, server time. */
      readonly until: number;
    }
  | { readonly kind: 'rejected'; readonly failure: Failure };

const live: Liveness = { kind: 'live' };

/** `now` is server time: an old token that has run out meanwhile serves no more. */
export function livenessOf(session: ConsoleState['session'] | undefined, now: number): Liveness {
  if (session?.vault !== 'open') return live;
  const state = session.session;
  switch (state.state) {
    case 'active':
      return live;
    case 'renewing':
      if (state.expiresAt !== null) return live;
      return { kind: 'offline', reason: null, until: null, trying: true };
    case 'signing-in':
      return { kind: 'offline', reason: null, until: null, trying: true };
    case 'none':
      return { kind: 'offline', reason: null, until: null, trying: false };
    case 'waiting':
      if (state.expiresAt !== null && state.expiresAt > now) return live;
      return { kind: 'offline', reason: state.reason, until: state.until, trying: false };
    case 'tokens-refused':
      return { kind: 'tokens-refused', failure: state.failure, until: state.until };
    case 'rejected':
      return { kind: 'rejected', failure: state.failure };
  }
}

/** Why a button that asks something of the service cannot be pressed now; null when it can. */
export function whyUnavailable(liveness: Liveness, link: LinkState): string | null {
  if (link.state !== 'up') return t('status.lostConsole');
  switch (liveness.kind) {
    case 'live':
      return null;
    case 'offline':
      return t('status.unavailableOffline');
    case 'tokens-refused':
      return t('status.tokensRefused');
    case 'rejected':
      return t('status.signInFirst');
  }
}

/** Failures that say no more than the notice over the map already does. */
const saidByBanner: ReadonlySet<Failure['code']> = new Set([
  'session-waiting',
  'session-rejected',
  'tokens-refused',
  'signed-out',
  'unreachable',
  'timed-out',
  'cancelled',
]);

export const isSaidAbove = (
  failure: Failure,
  { hasBanner, isLimited }: { readonly hasBanner: boolean; readonly isLimited: boolean },
): boolean =>
  failure.code === 'too-many-requests' ? isLimited : hasBanner && saidByBanner.has(failure.code);

/** Of two failures of one panel the later: an old one beside it would contradict it. */
export function latestFailure(panel: Failure | null, command: Failure | null): Failure | null {
  if (panel === null || command === null) return panel ?? command;
  // A failure of the page itself has no server time.
  return command.at === 0 || command.at > panel.at ? command : panel;
}
