import { beforeAll, describe, expect, it } from 'vitest';
import type { Policy } from '../../../../src-main/core/features/policy/policy.ts';
import { throttleMs } from '../../../../src-main/core/service/session/lock.ts';
import { createTestPorts } from '../../../support/ports.ts';
import {
  administratorsCode as code,
  machinePolicy,
  openEnforcer,
  verifierLine,
  type PolicyRig,
} from './policyRig.ts';

let policy: Policy;
beforeAll(async () => {
  policy = machinePolicy({ kiosk: { mode: 'operator', leave: await verifierLine() } });
});

const document = 'kiosk-leave.json';
const left = { ok: true, value: null };

/** How often the host was asked to end the console, once the page has had its answer. */
async function hasLeft({ ports, left: count }: PolicyRig): Promise<number> {
  await ports.clock.advance(100);
  return count();
}

/** Gives so many wrong codes, each as soon as it is checked. */
async function giveWrong({ feature, ports }: PolicyRig, count: number): Promise<void> {
  for (let given = 0; given < count; given += 1) {
    const result = await feature.leaveKiosk(`wrong ${String(given)}`);
    expect(result).toMatchObject({ ok: false, failure: { code: 'wrong-password' } });
    if (given < count - 1) await ports.clock.advance(60_000);
  }
}

describe('a kiosk', () => {
  it('without a code is left by anybody, and says so', async () => {
    const rig = await openEnforcer({ policy: machinePolicy({ kiosk: { mode: 'operator' } }) });
    expect(rig.leaveState()).toEqual({ code: false, throttledUntil: null });
    expect(await rig.feature.leaveKiosk('')).toEqual(left);
    // The answer comes first: a page whose console is gone could not show that it ended.
    expect(rig.left()).toBe(0);
    expect(await hasLeft(rig)).toBe(1);
  });

  it('is left with its code, and with nothing else', async () => {
    const rig = await openEnforcer({ policy });
    expect(rig.leaveState().code).toBe(true);
    for (const wrong of ['', 'correct  horse', 'CORRECT HORSE']) {
      expect(await rig.feature.leaveKiosk(wrong)).toMatchObject({ failure: { code: 'wrong-password' } });
    }
    expect(await hasLeft(rig)).toBe(0);
    expect(await rig.feature.leaveKiosk(code)).toEqual(left);
    expect(await hasLeft(rig)).toBe(1);
  });

  it('whose code cannot be read is ended through the system only', async () => {
    const rig = await openEnforcer({ policy: machinePolicy({ kiosk: { mode: 'operator' }, unknown: 1 }) });
    expect(rig.leaveState().code).toBe(true);
    expect(await rig.feature.leaveKiosk('')).toMatchObject({ failure: { code: 'policy-invalid' } });
    expect(await rig.feature.leaveKiosk(code)).toMatchObject({ failure: { code: 'policy-invalid' } });
    expect(await hasLeft(rig)).toBe(0);
  });

  it('is none: then there is nothing to leave', async () => {
    const rig = await openEnforcer();
    expect(await rig.feature.leaveKiosk('')).toMatchObject({ failure: { code: 'conflict' } });
    expect(await hasLeft(rig)).toBe(0);
  });
});

describe('wrong codes', () => {
  it('make the next one wait, which the page shows while it lasts', async () => {
    const rig = await openEnforcer({ policy });
    const { feature, ports, leaveState } = rig;
    await giveWrong(rig, 5);
    const until = ports.clock.wallNow() + throttleMs(5);
    expect(leaveState().throttledUntil).toBe(until);
    expect(await feature.leaveKiosk(code)).toMatchObject({ failure: { code: 'throttled', retryAt: until } });
    await ports.clock.advance(throttleMs(5) - 1);
    expect(await feature.leaveKiosk(code)).toMatchObject({ failure: { code: 'throttled' } });
    await ports.clock.advance(1);
    expect(leaveState().throttledUntil).toBeNull();
    expect(await feature.leaveKiosk(code)).toEqual(left);
  });

  it('cannot be tried at once: one is checked at a time', async () => {
    let checking = 0;
    let most = 0;
    const ports = createTestPorts();
    const { hasher } = ports;
    const derive: typeof hasher.derive = async (...given) => {
      most = Math.max(most, (checking += 1));
      await new Promise((resolve) => setImmediate(resolve));
      checking -= 1;
      return hasher.derive(...given);
    };
    const rig = await openEnforcer({ policy, ports, change: { hasher: { ...hasher, derive } } });
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => rig.feature.leaveKiosk(`wrong ${String(index)}`)),
    );
    const codes = results.map((result) => (result.ok ? 'left' : result.failure.code));
    expect(most).toBe(1);
    expect(codes.filter((one) => one === 'wrong-password')).toHaveLength(3);
    expect(codes.filter((one) => one === 'throttled')).toHaveLength(47);
  });

  it('are counted across restarts, and their wait starts again at the start', async () => {
    const first = await openEnforcer({ policy });
    await giveWrong(first, 6);
    const { ports } = first;
    ports.clock.sleep(60_000);
    const again = await openEnforcer({ policy, ports });
    expect(again.leaveState().throttledUntil).toBe(ports.clock.wallNow() + throttleMs(6));
    expect(await again.feature.leaveKiosk(code)).toMatchObject({ failure: { code: 'throttled' } });
    await ports.clock.advance(throttleMs(6));
    expect(await again.feature.leaveKiosk(code)).toEqual(left);
    expect(ports.documents.texts.has(document)).toBe(false);
    expect((await openEnforcer({ policy, ports })).leaveState().throttledUntil).toBeNull();
  });

  it('are counted before they are checked: a power cut in between is no guess for nothing', async () => {
    const ports = createTestPorts();
    const derive = (): Promise<Uint8Array> => new Promise(() => undefined);
    const rig = await openEnforcer({ policy, ports, change: { hasher: { ...ports.hasher, derive } } });
    void rig.feature.leaveKiosk('wrong');
    await ports.clock.advance(0);
    expect(JSON.parse(ports.documents.texts.get(document) ?? '')).toEqual({ version: 1, wrong: 1 });
  });

  it('are nowhere in the log, the data folder or the answers', async () => {
    const rig = await openEnforcer({ policy });
    const answer = await rig.feature.leaveKiosk('canary-code');
    await rig.feature.leaveKiosk(code);
    const kept = JSON.stringify([answer, rig.ports.logger.lines, [...rig.ports.documents.texts]]);
    expect(kept).not.toContain('canary-code');
    expect(kept).not.toContain(code);
    expect(rig.ports.logger.lines.map(({ event }) => event)).toEqual(['kiosk-code-wrong', 'kiosk-left']);
  });
});

/** Within so long an administrator who knows the code is out, whatever happened before. */
async function isLeftWithin(rig: PolicyRig, mostMs: number): Promise<void> {
  await rig.ports.clock.drive(
    (async () => {
      await rig.ports.clock.advance(mostMs);
      expect(await rig.feature.leaveKiosk(code)).toEqual(left);
    })(),
  );
  expect(await hasLeft(rig)).toBe(1);
}

describe('its administrator can always leave a kiosk', () => {
  it.each([10, 40, 200])('after %i wrong codes', async (count) => {
    const rig = await openEnforcer({ policy });
    await giveWrong(rig, count);
    await isLeftWithin(rig, 60_000);
  });

  it.each(['locked', 'signed out'])('while it is %s', async (state) => {
    const rig = await openEnforcer({ policy });
    if (state === 'locked') rig.store.patch('lock', { locked: true });
    else rig.store.patch('session', { vault: 'closed' });
    await isLeftWithin(rig, 0);
  });

  it.each([
    '',
    '{',
    '{"version":1,"wrong":-1}',
    '{"version":1,"wrong":1e9}',
    '{"version":9}',
    '\u0000',
    '[]',
  ])('when the throttle’s document is %j', async (text) => {
    const ports = createTestPorts();
    ports.documents.texts.set(document, text);
    const rig = await openEnforcer({ policy, ports });
    expect(await rig.feature.leaveKiosk(code)).toMatchObject({ failure: { code: 'throttled' } });
    await isLeftWithin(rig, 60_000);
  });

  it('when the throttle’s document counts more than anybody can type', async () => {
    const ports = createTestPorts();
    ports.documents.texts.set(document, '{"version":1,"wrong":999999}');
    await isLeftWithin(await openEnforcer({ policy, ports }), 60_000);
  });

  it('when the disk fails', async () => {
    const failing = { read: broken, write: broken, remove: broken };
    const ports = createTestPorts();
    const rig = await openEnforcer({
      policy,
      ports,
      change: { documents: { ...ports.documents, ...failing } },
    });
    await rig.ports.clock.advance(60_000);
    await giveWrong(rig, 4);
    await isLeftWithin(rig, 60_000);
  });

  it('when the disk no longer answers', async () => {
    const hanging = { read: never, write: never, remove: never };
    const ports = createTestPorts();
    const opening = openEnforcer({
      policy,
      ports,
      change: { documents: { ...ports.documents, ...hanging } },
    });
    await isLeftWithin(await ports.clock.drive(opening), 60_000);
  });

  it('when a check was not possible for once, which counts as no guess', async () => {
    let lacking = true;
    const ports = createTestPorts();
    const { hasher } = ports;
    const derive: typeof hasher.derive = (...given) =>
      lacking ? Promise.reject(new Error('ENOMEM')) : hasher.derive(...given);
    const rig = await openEnforcer({ policy, ports, change: { hasher: { ...hasher, derive } } });
    for (let time = 0; time < 5; time += 1) {
      expect(await rig.feature.leaveKiosk(code)).toMatchObject({ failure: { code: 'internal' } });
    }
    lacking = false;
    expect(ports.documents.texts.has(document)).toBe(false);
    await isLeftWithin(rig, 0);
  });
});

const broken = (): Promise<never> => Promise.reject(new Error('EIO'));
const never = (): Promise<never> => new Promise(() => undefined);
