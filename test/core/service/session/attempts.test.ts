import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { createServerTime } from '../../../../src-main/core/base/serverTime.ts';
import type { LoginOutcome } from '../../../../src-main/core/service/session/loginOutcome.ts';
import { OperatorSession } from '../../../../src-main/core/service/session/operatorSession.ts';
import type { VaultPort } from '../../../../src-main/core/vault/vaultPort.ts';
import { flush } from '../../../support/clock.ts';
import { createTestPorts } from '../../../support/ports.ts';
import { createQuestions } from '../../../support/questions.ts';
import { createTestGuesses } from '../transport/service.ts';

/** A session whose logins, vaults and guess counts are answered by the test, also long after the session has ended. */
function createAttempts() {
  const ports = createTestPorts();
  const { clock, documents } = ports;
  const serverTime = createServerTime({ clock });
  const logins = createQuestions<LoginOutcome>();
  const opened = createQuestions<'opened' | 'sealed'>();
  const openedOffline = createQuestions<'opened' | 'none'>();
  const begun = createQuestions<undefined>();
  const matched = createQuestions<boolean>();
  const read = createQuestions<string | null>();
  const written = createQuestions<undefined>();
  const gates = { reads: false, writes: false };
  const vaultPort: VaultPort = {
    ready: Promise.resolve(),
    open: (username) => opened.ask(username),
    openOffline: (username) => openedOffline.ask(username),
    openWithPrevious: () => Promise.resolve('wrong-password'),
    startNew: (username) => begun.ask(username),
    matches: (password) => matched.ask(password),
  };
  const guesses = createTestGuesses({
    ...ports,
    documents: {
      ...documents,
      read: (name) => (gates.reads ? read.ask(name) : documents.read(name)),
      write: (name, text) => (gates.writes ? written.ask(name) : documents.write(name, text)),
    },
  });
  const session = new OperatorSession({
    ...ports,
    serverTime,
    login: (username) => logins.ask(username),
    vaultFor: () => vaultPort,
    guesses,
    forgetAfterMs: 8 * 3_600_000,
  });
  const granted = (token: string): LoginOutcome => {
    const lifetimeMs = 3_600_000;
    const expiresAt = serverTime.serverNow() + lifetimeMs;
    return { kind: 'granted', token, expiresAt, lifetimeMs, atElapsed: clock.elapsed() };
  };
  const failure = makeFailure({ code: 'unreachable', at: 0 });
  const unanswered: LoginOutcome = { kind: 'unanswered', failure };
  const rejected: LoginOutcome = { kind: 'rejected', failure };
  return {
    ...{ clock, documents, session, logins, opened, openedOffline, begun, matched, read, written, gates },
    ...{ granted, unanswered, rejected },
    state: () => {
      const { vault, session: current, username, lock } = session.snapshot();
      return { vault, session: current.state, username, locked: lock.locked };
    },
  };
}
type Attempts = ReturnType<typeof createAttempts>;

const cancelled = { ok: false, failure: { code: 'cancelled' } };
const bobActive = { vault: 'open', session: 'active', username: 'bob', locked: false };

/** Begins a sign-in up to the question to the vault. The promise is in an object, which `await` does not follow. */
async function asking({ session, logins, granted }: Attempts, username: string) {
  const result = session.signIn(username, `password of ${username}`);
  logins.asked.at(-1)?.answer(granted(`token of ${username}`));
  await flush();
  return { result };
}

/** A full sign-in. */
async function entering(attempts: Attempts, username: string): Promise<void> {
  const { result } = await asking(attempts, username);
  attempts.opened.asked.at(-1)?.answer('opened');
  expect(await result).toMatchObject({ ok: true });
}

describe('a login that is answered after its attempt ended', () => {
  it.each(['granted', 'rejected'] as const)('changes nothing for the next operator: %s', async (kind) => {
    const attempts = createAttempts();
    const { session, logins, state } = attempts;
    const ann = session.signIn('ann', 'secret');
    session.signOut();
    const bob = session.signIn('bob', 'secret');
    logins.asked[0]?.answer(kind === 'granted' ? attempts.granted('of ann') : attempts.rejected);
    expect(await ann).toMatchObject(cancelled);
    expect(session.tokens.present()).toBeNull();
    expect(state()).toMatchObject({ vault: 'closed', session: 'signing-in', username: 'bob' });
    logins.asked[1]?.answer(attempts.granted('of bob'));
    await flush();
    attempts.opened.asked[0]?.answer('opened');
    expect(await bob).toMatchObject({ ok: true });
    expect(session.tokens.present()?.value).toBe('of bob');
    expect(attempts.opened.asked.map(({ of }) => of)).toEqual(['bob']);
  });

  it('gives the next token to no request that waited for it', async () => {
    const attempts = createAttempts();
    const { session, logins, clock } = attempts;
    await entering(attempts, 'ann');
    await clock.advance(3_590_000);
    const waiting = session.tokens.fresh(new AbortController().signal);
    expect(logins.asked).toHaveLength(2);
    session.signOut();
    await entering(attempts, 'bob');
    logins.asked[1]?.answer(attempts.granted('late'));
    expect(await waiting).toMatchObject({ ok: false, failure: { code: 'signed-out' } });
    expect(session.tokens.present()?.value).toBe('token of bob');
  });

  it('is not sent where a listener signs out as the renewal begins', async () => {
    const attempts = createAttempts();
    const { session, logins, clock } = attempts;
    await entering(attempts, 'ann');
    await clock.advance(3_590_000);
    session.onChange(() => {
      if (session.snapshot().session.state === 'renewing') session.signOut();
    });
    expect(await session.tokens.fresh(new AbortController().signal)).toMatchObject({
      ok: false,
      failure: { code: 'signed-out' },
    });
    expect(logins.asked).toHaveLength(1);
  });
});

it('opens no vault where a listener signs out as the token comes', async () => {
  const attempts = createAttempts();
  const { session, opened, state } = attempts;
  session.onChange(() => {
    if (session.snapshot().session.state === 'active') session.signOut();
  });
  const ann = await asking(attempts, 'ann');
  expect(opened.asked).toEqual([]);
  expect(await ann.result).toMatchObject(cancelled);
  expect(state()).toMatchObject({ vault: 'closed', session: 'none', username: null });
});

describe('an opening that ends after its attempt', () => {
  it.each(['opened', 'sealed', 'failed'] as const)('changes nothing for an open vault: %s', async (kind) => {
    const attempts = createAttempts();
    const ann = await asking(attempts, 'ann');
    attempts.session.signOut();
    await entering(attempts, 'bob');
    if (kind === 'failed') attempts.opened.asked[0]?.fail();
    else attempts.opened.asked[0]?.answer(kind);
    expect(await ann.result).toMatchObject({ ok: false });
    expect(attempts.state()).toEqual(bobActive);
  });

  it.each(['opened', 'failed'] as const)('changes nothing for one that is opening: %s', async (kind) => {
    const attempts = createAttempts();
    const ann = await asking(attempts, 'ann');
    attempts.session.signOut();
    const bob = await asking(attempts, 'bob');
    if (kind === 'failed') attempts.opened.asked[0]?.fail();
    else attempts.opened.asked[0]?.answer('opened');
    expect(await ann.result).toMatchObject({ ok: false });
    expect(attempts.state()).toEqual({ ...bobActive, vault: 'opening' });
    attempts.opened.asked[1]?.answer('opened');
    expect(await bob.result).toMatchObject({ ok: true });
    expect(attempts.state()).toEqual(bobActive);
  });

  it('does not let a second one in beside that of the next operator', async () => {
    const attempts = createAttempts();
    const { session, opened, begun } = attempts;
    const ann = await asking(attempts, 'ann');
    session.signOut();
    const bob = await asking(attempts, 'bob');
    opened.asked[1]?.answer('sealed');
    await bob.result;
    const starting = session.startNewVault();
    await flush();
    opened.asked[0]?.answer('opened');
    await ann.result;
    expect(await session.startNewVault()).toMatchObject({ ok: false, failure: { code: 'conflict' } });
    begun.asked[0]?.answer(undefined);
    expect(await starting).toMatchObject({ ok: true });
    expect(begun.asked.map(({ of }) => of)).toEqual(['bob']);
  });

  it('without the service leaves the next sign-in under way, with its password', async () => {
    const attempts = createAttempts();
    const { session, logins, openedOffline, state } = attempts;
    const ann = session.signIn('ann', 'secret');
    logins.asked[0]?.answer(attempts.unanswered);
    await flush();
    session.signOut();
    const bob = session.signIn('bob', 'secret of bob');
    openedOffline.asked[0]?.answer('opened');
    expect(await ann).toMatchObject(cancelled);
    expect(state()).toMatchObject({ vault: 'closed', session: 'signing-in', username: 'bob' });
    expect(session.tokens.secrets()).toEqual(['secret of bob']);
    logins.asked[1]?.answer(attempts.granted('of bob'));
    await flush();
    attempts.opened.asked[0]?.answer('opened');
    expect(await bob).toMatchObject({ ok: true });
  });

  it('is not begun where the session ended while the count of guesses was read', async () => {
    const attempts = createAttempts();
    attempts.gates.reads = true;
    const ann = await asking(attempts, 'ann');
    attempts.session.signOut();
    attempts.read.asked[0]?.answer(null);
    expect(await ann.result).toMatchObject(cancelled);
    expect(attempts.opened.asked).toEqual([]);
  });

  it('is not begun, and is no guess, where the session ended while it was counted', async () => {
    const attempts = createAttempts();
    const { session, logins, written } = attempts;
    attempts.gates.writes = true;
    const ann = session.signIn('ann', 'secret');
    logins.asked[0]?.answer(attempts.unanswered);
    await flush();
    expect(written.asked).toHaveLength(1);
    session.signOut();
    written.asked[0]?.answer(undefined);
    expect(await ann).toMatchObject(cancelled);
    expect(attempts.openedOffline.asked).toEqual([]);
    expect(attempts.documents.texts.size).toBe(0);
  });
});

describe('an unlocking that ends after its attempt', () => {
  it.each([true, false])('leaves the next lock as it is: %s', async (isRight) => {
    const attempts = createAttempts();
    const { session, matched, state } = attempts;
    await entering(attempts, 'ann');
    session.lock();
    const unlocking = session.unlock('secret');
    await flush();
    session.signOut();
    await entering(attempts, 'bob');
    session.lock();
    const next = session.unlock('a guess');
    await flush();
    matched.asked[0]?.answer(isRight);
    expect(await unlocking).toMatchObject({ ok: false, failure: { code: 'signed-out' } });
    expect(state()).toMatchObject({ locked: true, username: 'bob' });
    // The check of the next operator still runs: no other one beside it.
    expect(await session.unlock('another guess')).toMatchObject({ failure: { code: 'throttled' } });
    matched.asked[1]?.answer(true);
    expect(await next).toMatchObject({ ok: true });
    expect(state()).toEqual(bobActive);
  });
});
