import { afterEach, describe, expect, it } from 'vitest';
import type { VaultFor, VaultPort } from '../../../../src-main/core/vault/vaultPort.ts';
import { createRig, createTestGuesses, credentials, json, type Rig } from '../transport/service.ts';

const { username, password } = credentials;
let rig: Rig;
afterEach(() => rig.close());
const session = (): Rig['link']['session'] => rig.link.session;
const state = (): { vault: string; session: string } => {
  const snapshot = session().snapshot();
  return { vault: snapshot.vault, session: snapshot.session.state };
};

interface ScriptedDoor extends VaultPort {
  /** The password that opens the vault; null where nothing is kept. */
  sealedWith: string | null;
  readonly calls: string[];
}

/** A vault that is nothing but its password. */
function createScriptedDoor(sealedWith: string | null): ScriptedDoor {
  const vaultPort: ScriptedDoor = {
    sealedWith,
    calls: [],
    ready: Promise.resolve(),
    open(_name, given) {
      vaultPort.calls.push('enter');
      vaultPort.sealedWith ??= given;
      return Promise.resolve(vaultPort.sealedWith === given ? 'opened' : 'sealed');
    },
    openOffline(_name, given) {
      vaultPort.calls.push('openOffline');
      if (vaultPort.sealedWith === null) return Promise.resolve('none');
      return Promise.resolve(vaultPort.sealedWith === given ? 'opened' : 'wrong-password');
    },
    openWithPrevious(_name, previous, current) {
      vaultPort.calls.push('openWithPrevious');
      if (vaultPort.sealedWith !== previous) return Promise.resolve('wrong-password');
      vaultPort.sealedWith = current;
      return Promise.resolve('opened');
    },
    startNew(_name, current) {
      vaultPort.calls.push('startNew');
      vaultPort.sealedWith = current;
      return Promise.resolve();
    },
    matches: (given) => Promise.resolve(vaultPort.sealedWith === given),
  };
  return vaultPort;
}

/** The same vault for every attempt. */
const always =
  (vaultPort: ScriptedDoor): VaultFor =>
  (attempt) => {
    attempt.onEnd(() => void vaultPort.calls.push('leave'));
    return vaultPort;
  };

async function open(sealedWith: string | null): Promise<ScriptedDoor> {
  const vaultPort = createScriptedDoor(sealedWith);
  rig = await createRig({ link: { vaultFor: always(vaultPort) } });
  return vaultPort;
}

const cutOff = (): void => rig.service.on('/login', (_, response) => response.destroy());
const answering = (): void => rig.service.on('/login', null);

describe('signing in without the service', () => {
  it('opens what is kept, and the session goes live by itself when the link returns', async () => {
    await open(password);
    cutOff();
    expect(await session().signIn(username, password)).toEqual({ ok: true, value: null });
    expect(state()).toEqual({ vault: 'open', session: 'waiting' });
    expect(session().snapshot()).toMatchObject({ username, session: { expiresAt: null } });
    expect(await rig.link.infrastructure.listIncidents({})).toMatchObject({
      ok: false,
      failure: { code: 'session-waiting' },
    });
    answering();
    await rig.ports.clock.advance(120_000);
    expect(state()).toEqual({ vault: 'open', session: 'active' });
  });

  it('tries at once when the operator asks, one login at a time, but not before the time that the service said', async () => {
    await open(password);
    cutOff();
    await session().signIn(username, password);
    rig.service.on('/login', (_, response) => {
      response.setHeader('retry-after', '600');
      json(response, 429, {});
    });
    const before = rig.service.count('/login');
    expect([session().renewNow().ok, session().renewNow().ok]).toEqual([true, false]);
    await expect.poll(() => state().session).toBe('waiting');
    expect(rig.service.count('/login')).toBe(before + 1);
    expect(session().renewNow()).toMatchObject({ ok: false, failure: { status: 429 } });
    expect(rig.service.count('/login')).toBe(before + 1);
  });

  it('goes on trying in growing pauses, and no faster than once a second', async () => {
    await open(password);
    cutOff();
    await session().signIn(username, password);
    const before = rig.service.count('/login');
    await rig.ports.clock.advance(3_600_000);
    const tries = rig.service.count('/login') - before;
    expect(tries).toBeGreaterThan(50);
    expect(tries).toBeLessThan(200);
  });

  it('a wrong password opens nothing, and leaves nobody at the console', async () => {
    await open('another');
    cutOff();
    expect(await session().signIn(username, password)).toMatchObject({
      ok: false,
      failure: { code: 'wrong-password' },
    });
    expect(state()).toEqual({ vault: 'closed', session: 'none' });
    expect(session().snapshot().username).toBeNull();
    await rig.ports.clock.advance(600_000);
    expect(rig.service.count('/login')).toBe(1);
  });

  it('guesses are throttled from the third on, and by elapsed time alone', async () => {
    const vaultPort = await open('another');
    cutOff();
    for (let guess = 0; guess < 3; guess += 1) await session().signIn(username, `guess ${guess}`);
    expect(vaultPort.calls.filter((call) => call === 'openOffline')).toHaveLength(3);
    rig.ports.clock.setWall(rig.ports.clock.wallNow() + 86_400_000);
    expect(await session().signIn(username, 'another')).toMatchObject({
      ok: false,
      failure: { code: 'throttled' },
    });
    expect(vaultPort.calls.filter((call) => call === 'openOffline')).toHaveLength(3);
    await rig.ports.clock.advance(1_000);
    expect((await session().signIn(username, 'another')).ok).toBe(true);
  });

  it('guesses are counted for each vault, over a restart and another deployment', async () => {
    await open('another');
    cutOff();
    for (let guess = 0; guess < 6; guess += 1) {
      await session().signIn(username, `guess ${guess}`);
      await rig.ports.clock.advance(60_000);
    }
    expect(await session().signIn('somebody', 'a guess')).toMatchObject({
      failure: { code: 'wrong-password', retryAt: null },
    });
    const before = rig;
    rig = await createRig({
      link: {
        vaultFor: always(createScriptedDoor('another')),
        guesses: createTestGuesses({ ...before.ports }),
      },
    });
    await before.close();
    cutOff();
    expect(await session().signIn(username, 'another')).toMatchObject({ failure: { code: 'throttled' } });
    expect((await session().signIn('somebody', 'another')).ok).toBe(true);
    session().signOut();
    await before.ports.clock.advance(60_000);
    expect((await session().signIn(username, 'another')).ok).toBe(true);
    expect([...before.ports.documents.texts.keys()].filter((name) => name.startsWith('guesses'))).toEqual([]);
  });

  it('guesses at the lock count for the vault too', async () => {
    await open(password);
    await session().signIn(username, password);
    session().lock();
    for (let guess = 0; guess < 3; guess += 1) await session().unlock(`guess ${guess}`);
    const kept = rig.ports.documents.texts;
    expect([...kept.values()].map((text) => JSON.parse(text) as unknown)).toEqual([{ version: 1, wrong: 3 }]);
    await rig.ports.clock.advance(60_000);
    expect((await session().unlock(password)).ok).toBe(true);
    expect(kept.size).toBe(0);
  });

  it('where nothing is kept says why there was no answer', async () => {
    await open(null);
    cutOff();
    expect(await session().signIn(username, password)).toMatchObject({
      ok: false,
      failure: { code: 'unreachable' },
    });
    expect(state()).toEqual({ vault: 'closed', session: 'none' });
  });

  it('is not a way round a service that refuses the password', async () => {
    const vaultPort = await open('wrong');
    expect(await session().signIn(username, 'wrong')).toMatchObject({
      ok: false,
      failure: { code: 'bad-credentials' },
    });
    expect(state()).toEqual({ vault: 'closed', session: 'rejected' });
    expect(vaultPort.calls).not.toContain('openOffline');
  });

  it('credentials that the service refuses on its return latch, and what is kept stays open', async () => {
    await open('the one before');
    cutOff();
    await session().signIn(username, 'the one before');
    answering();
    await rig.ports.clock.advance(600_000);
    expect(state()).toEqual({ vault: 'open', session: 'rejected' });
    const logins = rig.service.count('/login');
    await rig.ports.clock.advance(3_600_000);
    expect(rig.service.count('/login')).toBe(logins);
    expect((await session().signIn(username, password)).ok).toBe(true);
    expect(state()).toEqual({ vault: 'open', session: 'active' });
  });

  it('signing out while the password is checked leaves nothing open', async () => {
    const vaultPort = await open(password);
    cutOff();
    let answer = (_: 'opened'): void => undefined;
    vaultPort.openOffline = () => new Promise((resolve) => (answer = resolve));
    const signing = session().signIn(username, password);
    await rig.ports.clock.drive(
      new Promise<void>((resolve) => {
        session().onChange(() => session().snapshot().vault === 'opening' && resolve());
      }),
    );
    session().signOut();
    answer('opened');
    expect(await signing).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    expect(state()).toEqual({ vault: 'closed', session: 'none' });
  });
});

describe('a password changed on the service', () => {
  it('asks for the one before, refuses a wrong one, and opens with the right one', async () => {
    const vaultPort = await open('the one before');
    expect((await session().signIn(username, password)).ok).toBe(true);
    expect(state()).toEqual({ vault: 'sealed', session: 'active' });
    expect(session().lock()).toMatchObject({ ok: false, failure: { code: 'signed-out' } });
    expect(await session().openWithPrevious('a guess')).toMatchObject({
      ok: false,
      failure: { code: 'wrong-password' },
    });
    expect(state().vault).toBe('sealed');
    expect((await session().openWithPrevious('the one before')).ok).toBe(true);
    expect(state()).toEqual({ vault: 'open', session: 'active' });
    expect(vaultPort.sealedWith).toBe(password);
  });

  it('throttles guesses at it', async () => {
    const vaultPort = await open('the one before');
    await session().signIn(username, password);
    for (let guess = 0; guess < 3; guess += 1) await session().openWithPrevious(`guess ${guess}`);
    expect(await session().openWithPrevious('the one before')).toMatchObject({
      ok: false,
      failure: { code: 'throttled' },
    });
    expect(session().snapshot().guessesThrottledUntil).toBe(rig.serverTime.serverNow() + 1_000);
    expect(vaultPort.calls.filter((call) => call === 'openWithPrevious')).toHaveLength(3);
  });

  it('begins anew without it', async () => {
    const vaultPort = await open('the one before');
    await session().signIn(username, password);
    expect((await session().startNewVault()).ok).toBe(true);
    expect(state()).toEqual({ vault: 'open', session: 'active' });
    expect(vaultPort.calls.at(-1)).toBe('startNew');
  });

  it('neither verb does anything where no vault is sealed', async () => {
    const vaultPort = await open(password);
    expect(await session().openWithPrevious('x')).toMatchObject({ failure: { code: 'signed-out' } });
    await session().signIn(username, password);
    expect(await session().openWithPrevious('x')).toMatchObject({ failure: { code: 'conflict' } });
    expect(await session().startNewVault()).toMatchObject({ failure: { code: 'conflict' } });
    expect(vaultPort.calls).toEqual(['enter']);
  });

  it('a renewal that the service refuses, and a sign-in with the new one, seal the open vault anew', async () => {
    const vaultPort = await open(null);
    await session().signIn(username, password);
    rig.service.expireTokens();
    rig.service.on('/login', (_, response) => json(response, 401, { error: 'changed' }));
    await rig.link.infrastructure.listIncidents({});
    expect(state()).toEqual({ vault: 'open', session: 'rejected' });
    answering();
    expect((await session().signIn(username, password)).ok).toBe(true);
    expect(vaultPort.calls.filter((call) => call === 'enter')).toHaveLength(2);
    expect(vaultPort.calls).not.toContain('leave');
  });
});
