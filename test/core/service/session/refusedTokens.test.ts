import { afterEach, describe, expect, it } from 'vitest';
import { createRig, json, signedIn, type Handler, type Rig } from '../transport/service.ts';
import { saying } from '../../../support/messages.ts';

const minute = 60_000;
let rig: Rig;
afterEach(() => rig.close());

const list = () => rig.link.infrastructure.listIncidents({});
const evidence = () => rig.link.infrastructure.listEvidence({});
const missions = () => rig.link.coordination.pendingMissions('/pending');
const state = () => rig.link.session.snapshot().session;
const logins = (): number => rig.service.count('/login');
const refuse: Handler = (_, response) => json(response, 401, { error: 'never' });

function refuseAll(handler: Handler | null = refuse): void {
  for (const path of ['/incidents', '/evidence', '/pending']) rig.service.on(path, handler);
}

/** Lets time pass with three operations asked again every `everyMs`. */
async function poll(ms: number, everyMs = minute): Promise<void> {
  for (let passed = 0; passed < ms; passed += everyMs) {
    await rig.ports.clock.advance(everyMs);
    await Promise.all([list(), evidence(), missions()]);
  }
}

describe('a service that refuses its own tokens', () => {
  it('costs one login however many operations there are, and the session says what is wrong', async () => {
    rig = await signedIn(await createRig());
    refuseAll();
    const results = [await list(), await evidence(), await missions()];
    for (const result of results) {
      expect(result).toMatchObject({
        ok: false,
        failure: {
          code: 'tokens-refused',
          sentence: saying('The service accepts your password but refuses its own tokens.'),
          status: 401,
          words: 'never',
        },
      });
    }
    expect(logins()).toBe(1);
    const said = state();
    expect(said).toMatchObject({ state: 'tokens-refused', failure: { code: 'tokens-refused' } });
    if (said.state !== 'tokens-refused') return;
    expect(said.until).toBe(said.failure.retryAt);
    expect(said.until - rig.serverTime.serverNow()).toBe(5 * minute);
  });

  it('is tried again after 5, 10, 20 and then every 30 minutes', async () => {
    rig = await signedIn(await createRig());
    refuseAll();
    await list();
    const seen: number[] = [];
    for (let passed = 0; passed < 125; passed += 1) {
      const before = logins();
      await poll(minute);
      if (logins() > before) seen.push(passed + 1);
    }
    expect(seen).toEqual([5, 15, 35, 65, 95, 125]);
  });

  it('is tried again by itself where nothing is asked any more, also after a sleep', async () => {
    rig = await signedIn(await createRig());
    refuseAll();
    await list();
    refuseAll((_, response) => json(response, 200, []));
    await rig.ports.clock.advance(5 * minute);
    await rig.ports.clock.drive(list(), { stepMs: 1 });
    expect([logins(), state().state]).toEqual([2, 'active']);

    refuseAll();
    await list();
    await list();
    expect(state().state).toBe('tokens-refused');
    const before = logins();
    rig.ports.clock.suspend(31 * minute);
    rig.link.session.wake();
    await rig.ports.clock.drive(list(), { stepMs: 1 });
    expect(logins()).toBe(before + 1);
  });

  it('serves again, without a login, as soon as an operation is answered with its token', async () => {
    rig = await signedIn(await createRig());
    refuseAll();
    await list();
    expect(state().state).toBe('tokens-refused');
    rig.service.on('/evidence', (_, response) => json(response, 200, []));
    expect((await evidence()).ok).toBe(true);
    expect([logins(), state().state]).toEqual([1, 'active']);
  });

  it('is not believed to accept a token because something else fails', async () => {
    rig = await signedIn(await createRig());
    refuseAll();
    await list();
    for (const status of [404, 409, 429, 503]) {
      rig.service.on('/evidence', (_, response) => json(response, status, {}));
      await rig.ports.clock.drive(evidence(), { stepMs: 500 });
      expect(state().state).toBe('tokens-refused');
    }
    rig.service.on('/evidence', (_, response) => json(response, 403, {}));
    await evidence();
    expect(state().state).toBe('active');
  });

  it('is tried at once when the operator asks, which costs one login each time', async () => {
    rig = await signedIn(await createRig());
    expect(rig.link.session.renewNow()).toMatchObject({ ok: false, failure: { code: 'conflict' } });
    refuseAll();
    await list();
    for (let asked = 1; asked <= 3; asked += 1) {
      expect(rig.link.session.renewNow().ok).toBe(true);
      await list();
      expect(state().state).toBe('tokens-refused');
      await Promise.all([evidence(), missions()]);
      expect(logins()).toBe(1 + asked);
    }
    rig.service.on('/incidents', null);
    expect(rig.link.session.renewNow().ok).toBe(true);
    expect((await list()).ok).toBe(true);
    expect(state().state).toBe('active');
  });

  it('costs a new sign-in no more than one login either', async () => {
    rig = await signedIn(await createRig());
    refuseAll();
    await list();
    await signedIn(rig);
    await Promise.all([list(), evidence(), missions()]);
    await poll(4 * minute);
    expect(logins()).toBe(1);
  });
});

describe('one operation that is always refused', () => {
  it('does not cost the others their session, and their answers do not end its rest', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/evidence', refuse);
    rig.service.on('/pending', (_, response) => json(response, 200, []));
    await Promise.all([list(), missions()]);
    const said: string[] = [];
    rig.link.session.onChange(() => said.push(state().state));
    expect(await evidence()).toMatchObject({ failure: { code: 'refused-by-service', status: 401 } });
    await poll(10 * minute, 15_000);
    expect([logins(), state().state]).toEqual([2, 'active']);
    await poll(110 * minute);
    expect(logins()).toBeLessThanOrEqual(7);
    expect(said).not.toContain('tokens-refused');
  });

  it('is told apart from a service that begins to refuse every token', async () => {
    rig = await signedIn(await createRig());
    refuseAll((_, response) => json(response, 200, []));
    await Promise.all([list(), evidence(), missions()]);
    refuseAll();
    await list();
    expect([logins(), state().state]).toEqual([1, 'active']);
    await Promise.all([evidence(), missions()]);
    expect([logins(), state().state]).toEqual([1, 'tokens-refused']);
  });

  it('is told apart too where what worked before is not asked again', async () => {
    rig = await signedIn(await createRig());
    await list();
    rig.service.on('/evidence', (_, response) => json(response, 200, []));
    await evidence();
    refuseAll();
    await list();
    for (const expected of ['active', 'active', 'tokens-refused']) {
      await rig.ports.clock.advance(10_000);
      rig.link.session.keepFresh();
      expect(state().state).toBe(expected);
    }
  });

  it('does not keep a token that was revoked from being replaced at once', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/evidence', refuse);
    await list();
    await evidence();
    expect((await list()).ok).toBe(true);
    expect(logins()).toBe(1);
    rig.service.expireTokens();
    expect((await list()).ok).toBe(true);
    expect(logins()).toBe(2);
  });
});

it('tokens that are revoked now and then are replaced at once, and no more than 4 at once and 6 an hour', async () => {
  rig = await signedIn(await createRig());
  for (let time = 0; time < 4; time += 1) {
    expect((await list()).ok).toBe(true);
    rig.service.expireTokens();
  }
  expect((await list()).ok).toBe(true);
  expect(logins()).toBe(4);
  rig.service.expireTokens();
  expect((await list()).ok).toBe(false);
  expect(state()).toMatchObject({ state: 'tokens-refused' });
  await rig.ports.clock.advance(10 * minute);
  expect((await rig.ports.clock.drive(list(), { stepMs: 1 })).ok).toBe(true);
  expect(logins()).toBe(5);
});

describe('the time', () => {
  it('of the answer that brought a token counts for it, not what another server says', async () => {
    rig = await createRig();
    const truth = rig.service.now;
    await signedIn(rig);
    for (const aheadMs of [59 * minute, -59 * minute, 0]) {
      rig.service.now = () => truth() + aheadMs;
      expect((await list()).ok).toBe(true);
    }
    rig.service.now = () => truth() + 59 * minute;
    for (let asked = 0; asked < 58; asked += 1) {
      await rig.ports.clock.advance(minute);
      expect((await list()).ok).toBe(true);
    }
    expect(logins()).toBe(0);
    // It ends when its own server said: an hour after it came.
    rig.service.now = () => truth() - 59 * minute;
    await rig.ports.clock.advance(90_000);
    await list();
    expect(logins()).toBe(1);
  });

  it.each([62, 65, 90])(
    'renews tokens of %d s once a minute, and none is used past its end',
    async (seconds) => {
      rig = await createRig();
      rig.service.lifetimeSeconds = seconds;
      await signedIn(rig);
      for (let asked = 0; asked < 600; asked += 1) {
        await rig.ports.clock.advance(1_000);
        expect((await list()).ok).toBe(true);
      }
      expect(logins()).toBeGreaterThanOrEqual(Math.floor(600 / seconds));
      expect(logins()).toBeLessThanOrEqual(10);
    },
  );

  it('a clock that is set again and again costs one login a minute at most', async () => {
    rig = await signedIn(await createRig());
    for (let asked = 0; asked < 60; asked += 1) {
      await rig.ports.clock.advance(10_000);
      rig.ports.clock.setWall(rig.ports.clock.wallNow() + (asked % 2 === 0 ? 1 : -1) * 3_600_000);
      expect((await list()).ok).toBe(true);
    }
    expect(logins()).toBeLessThanOrEqual(10);
  });
});
