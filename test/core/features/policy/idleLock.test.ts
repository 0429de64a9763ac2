import { describe, expect, it } from 'vitest';
import { machinePolicy, openEnforcer } from './policyRig.ts';

const minute = 60_000;
const kiosk = (mode: 'operator' | 'wallboard', more: object = {}) =>
  machinePolicy({ kiosk: { mode, ...more } });

describe('the idle lock', () => {
  it('locks a kiosk after ten minutes without an operator', async () => {
    const { ports, locks } = await openEnforcer({ policy: kiosk('operator') });
    await ports.clock.advance(10 * minute - 1);
    expect(locks()).toBe(0);
    await ports.clock.advance(1);
    expect(locks()).toBe(1);
    await ports.clock.advance(60 * minute);
    expect(locks()).toBe(1);
    expect(ports.clock.pending()).toBe(0);
  });

  it('starts again with every sign of an operator', async () => {
    const { feature, ports, locks } = await openEnforcer({ policy: kiosk('operator') });
    for (let time = 0; time < 5; time += 1) {
      await ports.clock.advance(9 * minute);
      expect(feature.noteActivity()).toEqual({ ok: true, value: null });
    }
    expect(locks()).toBe(0);
    await ports.clock.advance(10 * minute);
    expect(locks()).toBe(1);
  });

  it('follows the preference where no policy says, also when that changes', async () => {
    const { ports, store, locks } = await openEnforcer();
    await ports.clock.advance(600 * minute);
    expect(locks()).toBe(0);
    store.patch('preferences', { idleLockMinutes: 60 });
    await ports.clock.advance(0);
    expect(locks()).toBe(1);
    store.patch('lock', { locked: false });
    await ports.clock.advance(59 * minute);
    store.patch('preferences', { idleLockMinutes: null });
    await ports.clock.advance(60 * minute);
    expect(locks()).toBe(1);
  });

  it('takes the policy before the preference', async () => {
    const policy = kiosk('operator', { idleLockMinutes: 1 });
    const { ports, store, locks } = await openEnforcer({ policy });
    store.patch('preferences', { idleLockMinutes: null });
    await ports.clock.advance(minute);
    expect(locks()).toBe(1);
  });

  it('leaves a wallboard alone, unless the policy says otherwise', async () => {
    const alone = await openEnforcer({ policy: kiosk('wallboard') });
    alone.store.patch('preferences', { idleLockMinutes: 1 });
    await alone.ports.clock.advance(600 * minute);
    expect(alone.locks()).toBe(0);
    const locked = await openEnforcer({ policy: kiosk('wallboard', { idleLockMinutes: 5 }) });
    await locked.ports.clock.advance(5 * minute);
    expect(locked.locks()).toBe(1);
  });

  it('counts only while somebody is signed in and nothing is locked, and from then on', async () => {
    const { ports, store, locks } = await openEnforcer({ policy: kiosk('operator') });
    await ports.clock.advance(9 * minute);
    store.patch('session', { vault: 'closed' });
    await ports.clock.advance(20 * minute);
    store.patch('session', { vault: 'open' });
    await ports.clock.advance(9 * minute);
    store.patch('lock', { locked: true });
    await ports.clock.advance(20 * minute);
    store.patch('lock', { locked: false });
    await ports.clock.advance(9 * minute);
    expect(locks()).toBe(0);
    await ports.clock.advance(minute);
    expect(locks()).toBe(1);
  });

  it('counts a sleep, and asks for the password after it', async () => {
    for (const wake of ['wake', 'noteActivity'] as const) {
      const { feature, ports, locks } = await openEnforcer({ policy: kiosk('operator') });
      ports.clock.suspend(20 * minute);
      feature[wake]();
      expect(locks(), wake).toBe(1);
    }
    const { ports, locks } = await openEnforcer({ policy: kiosk('operator') });
    ports.clock.suspend(20 * minute);
    await ports.clock.advance(10_000);
    expect(locks()).toBe(1);
  });

  it('is not put off by setting the computer’s clock', async () => {
    const { ports, locks } = await openEnforcer({ policy: kiosk('operator') });
    await ports.clock.advance(9 * minute);
    ports.clock.setWall(0);
    await ports.clock.advance(minute);
    expect(locks()).toBe(1);
  });

  it('stops with the console', async () => {
    const { scope, ports, locks } = await openEnforcer({ policy: kiosk('operator') });
    await scope[Symbol.asyncDispose]();
    await ports.clock.advance(20 * minute);
    expect(locks()).toBe(0);
    expect(ports.clock.pending()).toBe(0);
  });
});
