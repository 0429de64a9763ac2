import { afterEach, expect, it } from 'vitest';
import { createRig, signedIn, type Rig } from '../transport/service.ts';

let rig: Rig;
afterEach(() => rig.close());

/** Asks for it as often as a station's tick does, and gives the logins that came of it. */
async function tickFor(ms: number): Promise<number> {
  const before = rig.service.count('/login');
  for (let left = ms; left > 0; left -= 10_000) {
    await rig.ports.clock.advance(10_000);
    rig.link.session.keepFresh();
    // The login of this tick is answered before the next one.
    await rig.ports.clock.drive(rig.link.infrastructure.health(), { stepMs: 1 });
  }
  return rig.service.count('/login') - before;
}

it('a token is renewed when fewer than 60 s remain, although nobody asks for one', async () => {
  rig = await signedIn(await createRig());
  await rig.ports.clock.advance(3_400_000);
  expect(await tickFor(130_000)).toBe(0);
  expect(await tickFor(20_000)).toBe(1);
  expect(rig.link.session.snapshot().session.state).toBe('active');
});

it('a token that lives shorter than that is renewed once a minute at most', async () => {
  rig = await createRig();
  rig.service.lifetimeSeconds = 5;
  await signedIn(rig);
  const logins = await tickFor(600_000);
  expect(logins).toBeGreaterThanOrEqual(8);
  expect(logins).toBeLessThanOrEqual(10);
});

it('nothing is renewed where no session is', async () => {
  rig = await createRig();
  expect(await tickFor(60_000)).toBe(0);
  await signedIn(rig);
  rig.service.revoked = true;
  rig.service.expireTokens();
  await rig.link.infrastructure.listIncidents({});
  expect(rig.link.session.snapshot().session.state).toBe('rejected');
  expect(await tickFor(600_000)).toBe(0);
});
