import type { Failure, SessionState } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';

/**
 * The state machine of a session. Pure: logins.ts has the effects.
 *
 *                       granted
 *   none ──sign-in──► signing-in ──────────────► active ──renew──► renewing
 *    ▲                 │      │                    ▲  ▲                │  │ │
 *    │◄──unanswered────┘      │ refused            │  └────granted─────┘  │ │ unanswered
 *    │  (back to where it     ▼                    │                      │ ▼
 *    │   came from)        rejected ◄───refused────┼──────────────────────┘ waiting(reason, until)
 *    │                      │  │                   │                          │
 *    │                      │  └──sign-in──► signing-in     renew: to renewing┘
 *    └──────ended───────────┴──────── from every state ───────────────────────┘
 *
 *   active ──tokens-refused──► tokens-refused ──tokens-accepted──► active
 *                               │ renew: to renewing
 *
 * From `signing-in`, a login without a usable answer returns to the state before, and the operator decides; if the
 * password opens the vault, it leads to `waiting` without a token (`opened-offline`). `waiting` keeps trying; its old
 * token is used while `usable`. `tokens-refused`: the service grants tokens but answers every one with 401, so another
 * login would bring another one like it; the next try is at `until`, or when the operator asks. `rejected`: the
 * service judged the credentials, so only a sign-in leaves this state. Times are the service's, in Unix milliseconds.
 */
export type SessionMachine =
  | { readonly state: 'none'; readonly ended: EndReason }
  | { readonly state: 'signing-in'; readonly before: Resting }
  | { readonly state: 'active'; readonly expiresAt: number }
  | {
      readonly state: 'renewing';
      readonly expiresAt: number;
      /** The earlier token can still be used meanwhile. */
      readonly usable: boolean;
      readonly failures: number;
    }
  | {
      readonly state: 'waiting';
      readonly reason: Failure;
      readonly until: number;
      readonly expiresAt: number;
      readonly usable: boolean;
      /** Logins in a row without a usable answer, for the backoff. */
      readonly failures: number;
    }
  | {
      readonly state: 'tokens-refused';
      readonly failure: Failure;
      readonly until: number;
      readonly expiresAt: number;
    }
  | { readonly state: 'rejected'; readonly failure: Failure };

export type EndReason = Extract<SessionState, { state: 'none' }>['ended'];
type Resting = Extract<SessionMachine, { state: 'none' | 'rejected' }>;

export type SessionEvent =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'renew' }
  | { readonly kind: 'granted'; readonly expiresAt: number }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | {
      readonly kind: 'unanswered';
      readonly failure: Failure;
      readonly until: number;
      readonly usable: boolean;
    }
  /** No usable answer, but the password opened the vault: stored data are shown, and logins continue. */
  | { readonly kind: 'opened-offline'; readonly failure: Failure; readonly until: number }
  /** The service answered the old token with 401 while the session waits: it is no longer used. */
  | { readonly kind: 'token-refused' }
  /** The token works for no operation, and the login after a 401 did not help. */
  | { readonly kind: 'tokens-refused'; readonly failure: Failure; readonly until: number }
  /** The service accepted the token for an operation after all. */
  | { readonly kind: 'tokens-accepted' }
  | { readonly kind: 'ended'; readonly ended: EndReason };

export const sessionAtStart: SessionMachine = { state: 'none', ended: 'never-started' };

/** The state after `event`; the same object where the event has no effect. */
export function nextSession(machine: SessionMachine, event: SessionEvent): SessionMachine {
  switch (event.kind) {
    case 'sign-in':
      return machine.state === 'none' || machine.state === 'rejected'
        ? { state: 'signing-in', before: machine }
        : machine;
    case 'renew':
      if (machine.state === 'active') {
        return { state: 'renewing', expiresAt: machine.expiresAt, usable: true, failures: 0 };
      }
      if (machine.state === 'waiting') {
        const { expiresAt, usable, failures } = machine;
        return { state: 'renewing', expiresAt, usable, failures };
      }
      if (machine.state === 'tokens-refused') {
        return { state: 'renewing', expiresAt: machine.expiresAt, usable: false, failures: 0 };
      }
      return machine;
    case 'granted':
      return machine.state === 'signing-in' || machine.state === 'renewing'
        ? { state: 'active', expiresAt: event.expiresAt }
        : machine;
    case 'refused':
      return machine.state === 'signing-in' || machine.state === 'renewing'
        ? { state: 'rejected', failure: event.failure }
        : machine;
    case 'unanswered':
      if (machine.state === 'signing-in') return machine.before;
      if (machine.state !== 'renewing') return machine;
      return {
        state: 'waiting',
        reason: event.failure,
        until: event.until,
        expiresAt: machine.expiresAt,
        usable: event.usable,
        failures: machine.failures + 1,
      };
    case 'opened-offline':
      if (machine.state !== 'signing-in') return machine;
      return {
        state: 'waiting',
        reason: event.failure,
        until: event.until,
        expiresAt: 0,
        usable: false,
        failures: 1,
      };
    case 'token-refused':
      return machine.state === 'waiting' && machine.usable ? { ...machine, usable: false } : machine;
    case 'tokens-refused':
      if (machine.state !== 'active' && machine.state !== 'tokens-refused') return machine;
      if (machine.state === 'tokens-refused' && machine.until === event.until) return machine;
      return {
        state: 'tokens-refused',
        failure: event.failure,
        until: event.until,
        expiresAt: machine.expiresAt,
      };
    case 'tokens-accepted':
      return machine.state === 'tokens-refused' ? { state: 'active', expiresAt: machine.expiresAt } : machine;
    case 'ended':
      return { state: 'none', ended: event.ended };
  }
}

/** The machine's state for pages. */
export function sessionView(machine: SessionMachine): SessionState {
  switch (machine.state) {
    case 'none':
      return { state: 'none', ended: machine.ended };
    case 'signing-in':
      return { state: 'signing-in' };
    case 'active':
      return { state: 'active', expiresAt: machine.expiresAt };
    case 'renewing':
      return { state: 'renewing', expiresAt: machine.usable ? machine.expiresAt : null };
    case 'waiting':
      return {
        state: 'waiting',
        reason: machine.reason,
        until: machine.until,
        expiresAt: machine.usable ? machine.expiresAt : null,
      };
    case 'tokens-refused':
      return { state: 'tokens-refused', failure: machine.failure, until: machine.until };
    case 'rejected':
      return { state: 'rejected', failure: machine.failure };
  }
}

/** The failure of a request while a session waits without a usable token. `at` is server time. */
export const waitingFailure = (
  { reason, until }: Extract<SessionMachine, { state: 'waiting' }>,
  at: number,
): Failure =>
  makeFailure({
    code: 'session-waiting',
    at,
    words: reason.words,
    status: reason.status,
    requestId: reason.requestId,
    sentence: message('session.notRenewed', { reason: reason.sentence }),
    retryAt: until,
  });
