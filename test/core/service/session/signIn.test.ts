import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { PasswordHasher } from '../../../../src-main/core/base/ports.ts';
import { createMemoryVault } from '../../../../src-main/core/vault/memoryVault.ts';
import { flush, until } from '../../../support/clock.ts';
import { cheapHasher, createSeededRandom } from '../../../support/ports.ts';
import { createRig, credentials, json, signedIn, type Rig } from '../transport/service.ts';

const { username, password } = credentials;
let rig: Rig;
afterEach(() => rig.close());
const session = (): Rig['link']['session'] => rig.link.session;

describe('sign-in', () => {
  it('opens the vault and activates the session', async () => {
    rig = await createRig();
    const told: string[] = [];
    session().onChange(() =>
      told.push(`${session().snapshot().session.state} ${session().snapshot().vault}`),
    );
    expect(await session().signIn(username, password)).toEqual({ ok: true, value: null });
    expect(told).toEqual(['signing-in closed', 'active closed', 'active opening', 'active open']);
    expect(session().snapshot()).toMatchObject({ username, lock: { locked: false } });
    expect(rig.service.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('a wrong password is rejected in the words of the service, and nothing is tried again', async () => {
    rig = await createRig();
    const result = await session().signIn(username, 'wrong');
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'bad-credentials', status: 401, words: 'invalid credentials', requestId: 'req-1' },
    });
    expect(session().snapshot()).toMatchObject({
      vault: 'closed',
      username: null,
      session: { state: 'rejected' },
    });
    await rig.ports.clock.advance(600_000);
    expect(rig.service.count('/login')).toBe(1);
    expect((await session().signIn(username, password)).ok).toBe(true);
  });

  it('without an answer the vault stays closed and the operator decides', async () => {
    rig = await createRig();
    rig.service.on('/login', (_, response) => json(response, 200, { token: 'abc' }));
    const result = await session().signIn(username, password);
    expect(result).toMatchObject({ ok: false, failure: { code: 'unreadable-answer', requestId: 'req-1' } });
    expect(session().snapshot()).toMatchObject({
      vault: 'closed',
      username: null,
      session: { state: 'none', ended: 'never-started' },
    });
    await rig.ports.clock.advance(600_000);
    expect(rig.service.count('/login')).toBe(1);
  });

  it('a second sign-in beside the first is refused', async () => {
    rig = await createRig();
    const first = session().signIn(username, password);
    expect(await session().signIn(username, password)).toMatchObject({
      ok: false,
      failure: { code: 'conflict' },
    });
    expect((await first).ok).toBe(true);
    expect(rig.service.count('/login')).toBe(1);
  });

  it('before sign-in incidents are not asked for, and health is, without a token', async () => {
    rig = await createRig();
    const result = await rig.link.infrastructure.listIncidents({});
    expect(result).toMatchObject({ ok: false, failure: { code: 'signed-out' } });
    expect((await rig.link.infrastructure.health()).ok).toBe(true);
    expect(rig.service.seen.map((seen) => [seen.path, seen.headers.authorization])).toEqual([
      ['/health', undefined],
    ]);
  });

  it('a 401 of health costs no login, with a session and without', async () => {
    rig = await createRig();
    rig.service.on('/health', (_, response) => json(response, 401, { error: 'sign in' }));
    expect(await rig.link.infrastructure.health()).toMatchObject({
      ok: false,
      failure: { code: 'signed-out' },
    });
    await signedIn(rig);
    expect((await rig.link.infrastructure.health()).ok).toBe(false);
    expect(rig.service.seen.map((seen) => seen.path)).toEqual(['/health']);
  });

  it('sign-out drops everything, also what is in flight', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', () => undefined);
    const hanging = rig.link.infrastructure.listIncidents({});
    rig.service.expireTokens();
    rig.service.on('/login', () => undefined);
    rig.serverTime.wake();
    await until(() => rig.service.count('/incidents') === 1);
    const renewing = rig.link.infrastructure.listIncidents({});
    await until(() => rig.service.count('/login') === 1);
    session().signOut();
    expect(await renewing).toMatchObject({ ok: false, failure: { code: 'signed-out' } });
    expect(session().snapshot()).toEqual({
      vault: 'closed',
      guessesThrottledUntil: null,
      uploadToken: 'missing',
      session: { state: 'none', ended: 'signed-out' },
      username: null,
      lock: { locked: false, throttledUntil: null },
    });
    rig.service.on('/login', null);
    await rig.ports.clock.advance(3_600_000);
    expect((await hanging).ok).toBe(false);
    expect(rig.service.count('/login')).toBe(1);
  });

  it('no secret can be read from what is exported, nor is it in the log', async () => {
    rig = await signedIn(await createRig());
    await rig.link.infrastructure.listIncidents({});
    rig.service.revoked = true;
    await rig.link.infrastructure.listIncidents({});
    const everything = inspect(
      [
        rig.link,
        rig.link.session.snapshot(),
        rig.ports.logger.lines,
        rig.outcomes,
        [...rig.ports.documents.texts],
      ],
      { depth: 20, showHidden: true, getters: true, maxArrayLength: 10_000 },
    );
    expect(everything).not.toContain(password);
    expect(everything).not.toContain('token-1');
  });
});

describe('lock', () => {
  it('keeps the session, and opens with the password alone', async () => {
    rig = await signedIn(await createRig());
    expect(session().lock().ok).toBe(true);
    expect((await rig.link.infrastructure.listIncidents({})).ok).toBe(true);
    expect(await session().unlock('wrong')).toMatchObject({ ok: false, failure: { code: 'wrong-password' } });
    expect(session().snapshot().lock.locked).toBe(true);
    await rig.service.close();
    expect((await session().unlock(password)).ok).toBe(true);
    expect(session().snapshot().lock).toEqual({ locked: false, throttledUntil: null });
  });

  it('is throttled in elapsed time, also for the right password', async () => {
    rig = await signedIn(await createRig());
    session().lock();
    for (let guess = 0; guess < 4; guess += 1) {
      await session().unlock('wrong');
      await rig.ports.clock.advance(guess === 2 ? 1_000 : 0);
    }
    const until = session().snapshot().lock.throttledUntil;
    expect(until).toBe(rig.serverTime.serverNow() + 2_000);
    rig.ports.clock.setWall(rig.ports.clock.wallNow() + 3_600_000);
    expect(await session().unlock(password)).toMatchObject({
      ok: false,
      failure: { code: 'throttled', retryAt: until },
    });
    await rig.ports.clock.advance(2_000);
    expect(session().snapshot().lock.throttledUntil).toBeNull();
    expect((await session().unlock(password)).ok).toBe(true);
  });

  /** A rig whose vault counts the keys that it derives. */
  async function createCountingRig(): Promise<{ derived: number }> {
    const counts = { derived: 0 };
    const hasher: PasswordHasher = {
      ...cheapHasher,
      derive(...input) {
        counts.derived += 1;
        return cheapHasher.derive(...input);
      },
    };
    rig = await createRig({
      link: { vaultFor: () => createMemoryVault({ random: createSeededRandom(), hasher }) },
    });
    await signedIn(rig);
    session().lock();
    counts.derived = 0;
    return counts;
  }

  it('guesses side by side are not checked side by side', async () => {
    const counts = await createCountingRig();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, guess) => session().unlock(`guess ${guess}`)),
    );
    expect(counts.derived).toBe(1);
    expect(results.filter((result) => !result.ok && result.failure.code === 'throttled')).toHaveLength(19);
  });

  it('checks no password that comes after the policy’s time', async () => {
    const counts = await createCountingRig();
    rig.ports.clock.sleep(9 * 3_600_000);
    expect(await session().unlock(password)).toMatchObject({ ok: false, failure: { code: 'signed-out' } });
    expect(counts.derived).toBe(0);
  });

  it('forgets after the policy, also across a sleep, and goes back to sign-in', async () => {
    rig = await signedIn(await createRig());
    session().lock();
    await rig.ports.clock.advance(8 * 3_600_000 - 1);
    expect(session().snapshot().lock.locked).toBe(true);
    await rig.ports.clock.advance(1);
    expect(session().snapshot()).toMatchObject({
      vault: 'closed',
      session: { state: 'none', ended: 'forgotten' },
      lock: { locked: false },
    });
    await signedIn(rig);
    session().lock();
    rig.ports.clock.sleep(9 * 3_600_000);
    expect(await session().unlock(password)).toMatchObject({ ok: false, failure: { code: 'signed-out' } });
    expect(session().snapshot().session).toEqual({ state: 'none', ended: 'forgotten' });
  });

  it('unlocking stops the forgetting', async () => {
    rig = await signedIn(await createRig());
    session().lock();
    expect((await session().unlock(password)).ok).toBe(true);
    await rig.ports.clock.advance(9 * 3_600_000);
    await flush();
    expect(session().snapshot().vault).toBe('open');
  });

  it('needs an open vault, and no one signs in through it', async () => {
    rig = await createRig();
    expect(session().lock()).toMatchObject({ ok: false, failure: { code: 'signed-out' } });
    expect(await session().unlock(password)).toMatchObject({ ok: false, failure: { code: 'signed-out' } });
    await signedIn(rig);
    session().lock();
    expect(await session().signIn(username, password)).toMatchObject({
      ok: false,
      failure: { code: 'locked' },
    });
  });
});
