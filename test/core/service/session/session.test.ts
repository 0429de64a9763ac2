import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { nextLock, unlocked, type LockMachine } from '../../../../src-main/core/service/session/lock.ts';
import {
  nextSession,
  sessionAtStart,
  sessionView,
  waitingFailure,
  type SessionEvent,
  type SessionMachine,
} from '../../../../src-main/core/service/session/session.ts';
import {
  nextVault,
  type VaultEvent,
  type VaultState,
} from '../../../../src-main/core/service/session/vault.ts';
import { sessionStateSchema } from '../../../../src-preload/contract/index.ts';
import { said } from '../../../support/messages.ts';

const failure = makeFailure({ code: 'unreachable', at: 1 });
const verdict = makeFailure({ code: 'bad-credentials', at: 2 });
const untrusted = makeFailure({ code: 'tokens-refused', at: 3 });

const states = {
  none: { state: 'none', ended: 'never-started' },
  signingIn: { state: 'signing-in', before: { state: 'none', ended: 'never-started' } },
  active: { state: 'active', expiresAt: 100 },
  renewing: { state: 'renewing', expiresAt: 100, usable: true, failures: 2 },
  waiting: { state: 'waiting', reason: failure, until: 50, expiresAt: 100, usable: true, failures: 3 },
  tokensRefused: { state: 'tokens-refused', failure: untrusted, until: 40, expiresAt: 100 },
  rejected: { state: 'rejected', failure: verdict },
} as const satisfies Record<string, SessionMachine>;

const events = {
  signIn: { kind: 'sign-in' },
  renew: { kind: 'renew' },
  granted: { kind: 'granted', expiresAt: 200 },
  refused: { kind: 'refused', failure: verdict },
  unanswered: { kind: 'unanswered', failure, until: 70, usable: false },
  openedOffline: { kind: 'opened-offline', failure, until: 60 },
  tokenRefused: { kind: 'token-refused' },
  tokensRefused: { kind: 'tokens-refused', failure: untrusted, until: 45 },
  tokensAccepted: { kind: 'tokens-accepted' },
  ended: { kind: 'ended', ended: 'signed-out' },
} as const satisfies Record<string, SessionEvent>;

type S = keyof typeof states;
type E = keyof typeof events;
const active: SessionMachine = { state: 'active', expiresAt: 200 };
const rejected: SessionMachine = { state: 'rejected', failure: verdict };
const ended: SessionMachine = { state: 'none', ended: 'signed-out' };

/** Every transition; what is not named stays as it is. */
const table: Record<S, Partial<Record<E, SessionMachine>>> = {
  none: { signIn: states.signingIn, ended },
  signingIn: {
    granted: active,
    refused: rejected,
    unanswered: states.none,
    openedOffline: {
      state: 'waiting',
      reason: failure,
      until: 60,
      expiresAt: 0,
      usable: false,
      failures: 1,
    },
    ended,
  },
  active: {
    renew: { state: 'renewing', expiresAt: 100, usable: true, failures: 0 },
    tokensRefused: { ...states.tokensRefused, until: 45 },
    ended,
  },
  renewing: {
    granted: active,
    refused: rejected,
    unanswered: { state: 'waiting', reason: failure, until: 70, expiresAt: 100, usable: false, failures: 3 },
    ended,
  },
  waiting: {
    renew: { state: 'renewing', expiresAt: 100, usable: true, failures: 3 },
    tokenRefused: { ...states.waiting, usable: false },
    ended,
  },
  tokensRefused: {
    renew: { state: 'renewing', expiresAt: 100, usable: false, failures: 0 },
    tokensRefused: { ...states.tokensRefused, until: 45 },
    tokensAccepted: states.active,
    ended,
  },
  rejected: { signIn: { state: 'signing-in', before: rejected }, ended },
};

describe('the session machine', () => {
  for (const state of Object.keys(states) as S[]) {
    for (const event of Object.keys(events) as E[]) {
      const expected = table[state][event];
      it(`${state} on ${event}: ${expected === undefined ? 'stays' : expected.state}`, () => {
        const next = nextSession(states[state], events[event]);
        if (expected === undefined) expect(next).toBe(states[state]);
        else expect(next).toEqual(expected);
        expect(sessionStateSchema.safeParse(sessionView(next)).success).toBe(true);
      });
    }
  }

  it('begins without a session', () => {
    expect(sessionAtStart).toEqual(states.none);
  });

  it('shows of each state what the pages need, and no more', () => {
    const { none, signingIn, active, renewing, waiting, tokensRefused, rejected } = states;
    expect([none, signingIn, active, renewing, waiting, tokensRefused, rejected].map(sessionView)).toEqual([
      none,
      { state: 'signing-in' },
      active,
      { state: 'renewing', expiresAt: 100 },
      { state: 'waiting', reason: failure, until: 50, expiresAt: 100 },
      { state: 'tokens-refused', failure: untrusted, until: 40 },
      rejected,
    ]);
  });

  it('fails a request that waits for it with the reason, and until when', () => {
    const reason = makeFailure({
      code: 'service-error',
      at: 1,
      status: 503,
      requestId: 'req-9',
      words: 'Restarting',
    });
    const told = waitingFailure({ ...states.waiting, reason }, 30);
    expect(told).toMatchObject({
      code: 'session-waiting',
      at: 30,
      status: 503,
      requestId: 'req-9',
      words: 'Restarting',
      retryAt: 50,
    });
    expect(said(told.sentence)).toBe(`The session is not renewed yet. ${said(reason.sentence) ?? ''}`);
  });

  it('is the same where the service refuses its tokens until the same time', () => {
    const again = { ...events.tokensRefused, until: 40 };
    expect(nextSession(states.tokensRefused, again)).toBe(states.tokensRefused);
  });

  it('returns to a rejection when the next sign-in gets no answer', () => {
    const again = nextSession(states.rejected, events.signIn);
    expect(nextSession(again, events.unanswered)).toEqual(states.rejected);
  });

  it('shows no expiry of a token that serves no longer', () => {
    expect(sessionView({ ...states.waiting, usable: false })).toMatchObject({
      state: 'waiting',
      expiresAt: null,
    });
    const offline = nextSession(states.signingIn, events.openedOffline);
    expect(sessionView(offline)).toMatchObject({ state: 'waiting', expiresAt: null });
    expect(sessionView(nextSession(offline, events.renew))).toEqual({ state: 'renewing', expiresAt: null });
  });
});

describe('the vault machine', () => {
  const table: [VaultState, VaultEvent, VaultState][] = [
    ['closed', 'opening', 'opening'],
    ['closed', 'opened', 'closed'],
    ['closed', 'sealed', 'closed'],
    ['closed', 'closed', 'closed'],
    ['opening', 'opening', 'opening'],
    ['opening', 'opened', 'open'],
    ['opening', 'sealed', 'sealed'],
    ['opening', 'closed', 'closed'],
    ['sealed', 'opening', 'sealed'],
    ['sealed', 'opened', 'open'],
    ['sealed', 'sealed', 'sealed'],
    ['sealed', 'closed', 'closed'],
    ['open', 'opening', 'open'],
    ['open', 'sealed', 'open'],
    ['open', 'opened', 'open'],
    ['open', 'closed', 'closed'],
  ];
  it.each(table)('%s on %s: %s', (from, event, to) => expect(nextVault(from, event)).toBe(to));
});

describe('the lock machine', () => {
  it('locks once, and unlocks to its beginning', () => {
    const locked = nextLock(unlocked, { kind: 'lock', elapsed: 5 });
    expect(locked).toMatchObject({ locked: true, lockedAtElapsed: 5, wrong: 0 });
    expect(nextLock(locked, { kind: 'lock', elapsed: 9 })).toBe(locked);
    expect(nextLock(locked, { kind: 'unlock' })).toEqual(unlocked);
    expect(nextLock(unlocked, { kind: 'wrong-password', elapsed: 9 })).toBe(unlocked);
  });

  it('waits 0, 0, 1, 2, 4 ... 60 s after wrong passwords', () => {
    let lock: LockMachine = nextLock(unlocked, { kind: 'lock', elapsed: 0 });
    const waits: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      lock = nextLock(lock, { kind: 'wrong-password', elapsed: 1_000 });
      waits.push((lock.throttledUntilElapsed - 1_000) / 1_000);
    }
    expect(waits).toEqual([0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });
});
