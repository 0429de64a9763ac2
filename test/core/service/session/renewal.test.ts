import { afterEach, describe, expect, it } from 'vitest';
import { flush, until } from '../../../support/clock.ts';
import { createRig, credentials, json, signedIn, type Rig } from '../transport/service.ts';

const day = 86_400_000;
let rig: Rig;
afterEach(() => rig.close());

const list = (): ReturnType<Rig['link']['infrastructure']['listIncidents']> =>
  rig.link.infrastructure.listIncidents({});
const state = (): string => rig.link.session.snapshot().session.state;

describe('renewal', () => {
  it('1,000 concurrent requests whose token is answered with 401 cost one login and 1,000 repetitions', async () => {
    rig = await signedIn(await createRig());
    rig.service.expireTokens();
    const results = await Promise.all(Array.from({ length: 1_000 }, list));
    expect(results.every((result) => result.ok)).toBe(true);
    expect(rig.service.count('/login')).toBe(1);
    // Those that were sent after the renewal needed no repetition; none needed two.
    const first = rig.service.seen.filter((seen) => seen.headers.authorization === 'Bearer token-1').length;
    const second = rig.service.seen.filter((seen) => seen.headers.authorization === 'Bearer token-2').length;
    expect(second).toBe(1_000);
    expect(first).toBeLessThanOrEqual(1_000);
  });

  it('1,000 requests that all left with the old token are each repeated once', async () => {
    rig = await signedIn(await createRig());
    const held: (() => void)[] = [];
    rig.service.on('/incidents', (seen, response) => {
      if (seen.headers.authorization === 'Bearer token-2') json(response, 200, []);
      else held.push(() => json(response, 401, { error: 'expired' }));
    });
    const work = Promise.all(Array.from({ length: 1_000 }, list));
    // No 401 is answered before all places have a request.
    await until(() => held.length >= 12);
    const pump = setInterval(() => held.splice(0).forEach((answer) => answer()), 1);
    const results = await work.finally(() => clearInterval(pump));
    expect(results.filter((result) => result.ok)).toHaveLength(1_000);
    expect(rig.service.count('/login')).toBe(1);
    expect(rig.service.seen.filter((seen) => seen.headers.authorization === 'Bearer token-2')).toHaveLength(
      1_000,
    );
    expect(rig.service.count('/incidents')).toBe(2_000);
  });

  it('1,000 concurrent requests on a token past its expiry cost one login and 1,000 requests', async () => {
    rig = await signedIn(await createRig());
    rig.ports.clock.sleep(2 * 3_600_000);
    const results = await Promise.all(Array.from({ length: 1_000 }, list));
    expect(results.every((result) => result.ok)).toBe(true);
    expect(rig.service.count('/login')).toBe(1);
    expect(rig.service.count('/incidents')).toBe(1_000);
  });

  it('a late 401 of an older token costs no login', async () => {
    rig = await signedIn(await createRig());
    let late = (): void => undefined;
    rig.service.on('/incidents', (_, response) => {
      late = () => json(response, 401, { error: 'expired' });
    });
    const slow = list();
    await until(() => rig.service.count('/incidents') === 1);
    rig.service.on('/incidents', null);
    rig.service.expireTokens();
    expect((await list()).ok).toBe(true);
    expect(rig.service.count('/login')).toBe(1);
    late();
    expect((await slow).ok).toBe(true);
    expect(rig.service.count('/login')).toBe(1);
  });

  it('renews when fewer than 60 s remain, and not before', async () => {
    rig = await signedIn(await createRig());
    rig.ports.clock.sleep(3_600_000 - 63_000);
    expect((await list()).ok).toBe(true);
    expect(rig.service.count('/login')).toBe(0);
    rig.ports.clock.sleep(5_000);
    await Promise.all([list(), list(), list()]);
    expect(rig.service.count('/login')).toBe(1);
    await list();
    expect(rig.service.count('/login')).toBe(1);
  });

  it('renews by an expiry in milliseconds, and does not believe one that fits no unit', async () => {
    rig = await createRig();
    let expiresAt = rig.service.now() + 3_600_000;
    rig.service.on('/login', (_, response) => {
      json(response, 200, { token: `token-${String(rig.service.seen.length)}`, expires_at: expiresAt });
    });
    rig.service.on('/incidents', (_, response) => json(response, 200, []));
    expect(await rig.link.session.signIn(credentials.username, credentials.password)).toMatchObject({
      ok: true,
    });
    expect(rig.link.session.snapshot().session).toMatchObject({ state: 'active', expiresAt });
    await rig.ports.clock.advance(3_500_000);
    expect((await list()).ok).toBe(true);
    expect(rig.service.count('/login')).toBe(1);
    expiresAt = 9e21;
    await rig.ports.clock.advance(60_000);
    expect((await list()).ok).toBe(true);
    expect(rig.service.count('/login')).toBeGreaterThan(1);
    expect(rig.link.session.snapshot().session).toMatchObject({
      state: 'waiting',
      reason: { code: 'unreadable-answer' },
    });
  });

  it('a second 401 is surfaced, and the operation rests instead of logging in at every poll', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', (_, response) => json(response, 401, { error: 'never' }));
    const result = await list();
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'tokens-refused', status: 401, words: 'never' },
    });
    for (let poll = 0; poll < 5; poll += 1) expect((await list()).ok).toBe(false);
    expect(rig.service.count('/login')).toBe(1);
    expect(rig.service.count('/incidents')).toBe(2);
  });

  it('one renewal serves an operation over all its attempts', async () => {
    rig = await signedIn(await createRig());
    let asked = 0;
    rig.service.on('/incidents', (_, response) => json(response, (asked += 1) === 2 ? 503 : 401, {}));
    const result = await rig.ports.clock.drive(list());
    expect(result).toMatchObject({ ok: false, failure: { code: 'tokens-refused', status: 401 } });
    expect(asked).toBe(3);
    expect(rig.service.count('/login')).toBe(1);
  });

  it('a revoked account costs exactly one login, and then nothing is sent', async () => {
    rig = await signedIn(await createRig());
    rig.service.revoked = true;
    const results = await Promise.all(Array.from({ length: 50 }, list));
    expect(results.every((result) => !result.ok && result.failure.code === 'session-rejected')).toBe(true);
    expect(state()).toBe('rejected');
    const sent = rig.service.seen.length;
    await rig.ports.clock.advance(3_600_000);
    rig.serverTime.wake();
    rig.link.session.wake();
    rig.link.session.linkReturned();
    await list();
    expect(rig.service.seen.length).toBe(sent);
    expect(rig.service.count('/login')).toBe(1);
    expect(rig.link.session.snapshot()).toMatchObject({
      vault: 'open',
      username: credentials.username,
      session: { failure: { code: 'session-rejected', words: 'invalid credentials' } },
    });
    rig.service.revoked = false;
    expect((await rig.link.session.signIn(credentials.username, credentials.password)).ok).toBe(true);
    expect((await list()).ok).toBe(true);
  });

  it.each([400, 401, 403, 422])('status %d of a renewal rejects', async (status) => {
    rig = await signedIn(await createRig());
    rig.service.expireTokens();
    rig.service.on('/login', (_, response) => json(response, status, { error: 'no' }));
    expect(await list()).toMatchObject({ ok: false, failure: { code: 'session-rejected', status } });
    await rig.ports.clock.advance(600_000);
    expect(rig.service.count('/login')).toBe(1);
  });

  it.each([-day, day])('a clock wrong by %d ms costs one login and no loop', async (wallOffset) => {
    rig = await createRig({ wallOffset });
    const signIn = await rig.link.session.signIn(credentials.username, credentials.password);
    expect(signIn.ok).toBe(true);
    for (let poll = 0; poll < 20; poll += 1) {
      expect((await list()).ok).toBe(true);
      rig.ports.clock.sleep(15_000);
    }
    expect(rig.service.count('/login')).toBe(1);
    expect(rig.service.count('/incidents')).toBe(20);
  });

  it.each([-day, day])(
    'without any Date, a clock wrong by %d ms costs no loop either',
    async (wallOffset) => {
      rig = await createRig({ wallOffset });
      rig.service.sendDate = false;
      await signedIn(rig);
      for (let poll = 0; poll < 20; poll += 1) expect((await list()).ok).toBe(true);
      expect(rig.service.count('/login')).toBe(0);
      rig.service.expireTokens();
      expect((await list()).ok).toBe(true);
      expect(rig.service.count('/login')).toBe(1);
    },
  );

  it.each([1, 20, 59, 60])(
    'a token of %d s is used for its life and not renewed in a loop',
    async (seconds) => {
      rig = await createRig();
      rig.service.lifetimeSeconds = seconds;
      await signedIn(rig);
      for (let request = 0; request < 20; request += 1) expect((await list()).ok).toBe(true);
      expect(rig.service.count('/login')).toBe(0);
      rig.ports.clock.sleep(seconds * 1_000 + 1_000);
      await Promise.all([list(), list()]);
      expect(rig.service.count('/login')).toBe(1);
    },
  );

  it('renews once after a wake, however many requests come', async () => {
    rig = await signedIn(await createRig());
    rig.ports.clock.sleep(600_000);
    rig.serverTime.wake();
    rig.link.session.wake();
    const results = await Promise.all(Array.from({ length: 20 }, list));
    expect(results.every((result) => result.ok)).toBe(true);
    await list();
    expect(rig.service.count('/login')).toBe(1);
    expect(rig.service.seen[0]?.path).toBe('/login');
  });

  it('renews once when the wall clock jumped', async () => {
    rig = await signedIn(await createRig());
    rig.ports.clock.setWall(rig.ports.clock.wallNow() + day);
    await Promise.all([list(), list()]);
    await list();
    expect(rig.service.count('/login')).toBe(1);
  });
});

describe('waiting', () => {
  it('the old token serves until it expires, and the session comes back by itself', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/login', (_, response) => json(response, 503, {}));
    rig.ports.clock.sleep(3_600_000 - 30_000);
    expect((await list()).ok).toBe(true);
    expect(state()).toBe('waiting');
    rig.ports.clock.sleep(40_000);
    expect(await list()).toMatchObject({ ok: false, failure: { code: 'session-waiting', status: 503 } });
    const waiting = rig.link.session.snapshot().session;
    expect(waiting).toMatchObject({ state: 'waiting', reason: { code: 'service-error' } });
    rig.service.on('/login', null);
    await rig.ports.clock.advance(120_000);
    await until(() => state() === 'active');
    expect((await list()).ok).toBe(true);
  });

  it('requests do not hurry a waiting login, and its backoff grows', async () => {
    rig = await signedIn(await createRig());
    rig.service.expireTokens();
    rig.service.on('/login', (_, response) => json(response, 500, {}));
    await list();
    for (let request = 0; request < 50; request += 1) await list();
    expect(rig.service.count('/login')).toBe(1);
    for (let second = 0; second < 600; second += 10) {
      await rig.ports.clock.advance(10_000);
      await until(() => state() === 'waiting');
    }
    expect(rig.service.count('/login')).toBeGreaterThan(8);
    expect(rig.service.count('/login')).toBeLessThan(30);
  });

  it.each([
    ['no expires_at', (): unknown => ({ token: 'abc' })],
    ['no token', (): unknown => ({ expires_at: 1_900_000_000 })],
    ['an expires_at that is no time', (): unknown => ({ token: 'abc', expires_at: 'soon' })],
    ['a token that no header can carry', (): unknown => ({ token: 'a\r\nx: y', expires_at: 1_900_000_000 })],
    ['an array', (): unknown => []],
  ])('a renewal answered with %s waits', async (_, answer) => {
    rig = await signedIn(await createRig());
    rig.service.expireTokens();
    rig.service.on('/login', (_seen, response) => json(response, 200, answer()));
    expect(await list()).toMatchObject({ ok: false, failure: { code: 'session-waiting' } });
    expect(rig.link.session.snapshot().session).toMatchObject({
      state: 'waiting',
      expiresAt: null,
      reason: { code: 'unreadable-answer', requestId: expect.stringContaining('req-') as string },
    });
  });

  it('waits as long as a 429 of the login asks', async () => {
    rig = await signedIn(await createRig());
    rig.service.expireTokens();
    rig.service.on('/login', (_, response) => json(response, 429, {}, { 'retry-after': '100' }));
    await list();
    rig.service.on('/login', null);
    await rig.ports.clock.advance(99_000);
    rig.link.session.linkReturned();
    await flush();
    expect(rig.service.count('/login')).toBe(1);
    await rig.ports.clock.advance(10_000);
    await until(() => state() === 'active');
    expect(rig.service.count('/login')).toBe(2);
  });

  it('tries as soon as something else is answered again', async () => {
    rig = await signedIn(await createRig());
    rig.service.expireTokens();
    rig.service.on('/login', (_, response) => response.destroy());
    await list();
    expect(state()).toBe('waiting');
    rig.service.on('/login', null);
    rig.ports.clock.sleep(2_500);
    expect((await rig.link.infrastructure.health()).ok).toBe(true);
    await until(() => state() === 'active');
  });
});
