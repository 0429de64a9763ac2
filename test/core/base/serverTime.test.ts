import { describe, expect, it } from 'vitest';
import { createServerTime, readHttpDate } from '../../../src-main/core/base/serverTime.ts';
import { createVirtualClock } from '../../support/clock.ts';

const day = 86_400_000;
const header = (time: number): string => new Date(time).toUTCString();

function rig(wallOffset = 0) {
  const clock = createVirtualClock();
  const truth = clock.wallNow() - clock.elapsed();
  clock.setWall(clock.wallNow() + wallOffset);
  const time = createServerTime({ clock });
  return { clock, time, trueNow: () => truth + clock.elapsed() };
}

describe('server time', () => {
  it('is the wall clock, and says so, until a Date was read', () => {
    const { clock, time } = rig();
    expect(time.serverNow()).toBe(clock.wallNow());
    expect(time.verified()).toBe(false);
    expect(time.skewMs()).toBeNull();
  });

  it.each([-day, day])('is the service time with the wall clock wrong by %d ms', async (offset) => {
    const { clock, time, trueNow } = rig(offset);
    time.observe(header(trueNow()), clock.elapsed(), clock.elapsed());
    expect(time.verified()).toBe(true);
    expect(Math.abs(time.serverNow() - trueNow())).toBeLessThanOrEqual(1_000);
    expect(Math.abs((time.skewMs() ?? 0) - offset)).toBeLessThanOrEqual(1_000);
    clock.sleep(3 * day);
    expect(Math.abs(time.serverNow() - trueNow())).toBeLessThanOrEqual(1_000);
  });

  it('is proven by an answer, and for ten minutes after it', () => {
    const { clock, time, trueNow } = rig();
    clock.setWall(clock.wallNow() + 4_000 * day);
    expect(time.provenNow()).toBeNull();
    const answeredAt = trueNow();
    time.observe(header(answeredAt), clock.elapsed(), clock.elapsed());
    clock.sleep(600_000);
    expect(Math.abs(time.provenNow()! - trueNow())).toBeLessThanOrEqual(1_000);
    clock.sleep(3 * day);
    expect(Math.abs(time.provenNow()! - answeredAt - 600_000)).toBeLessThanOrEqual(1_000);
  });

  it('takes half the round trip off', () => {
    const { clock, time, trueNow } = rig();
    const sent = clock.elapsed();
    clock.sleep(4_000);
    const written = trueNow();
    clock.sleep(4_000);
    time.observe(header(written), sent, clock.elapsed());
    expect(Math.abs(time.serverNow() - trueNow())).toBeLessThanOrEqual(1_000);
  });

  it('tightens with agreeing answers and does not follow their jitter', () => {
    const { clock, time, trueNow } = rig();
    const offsets: number[] = [];
    for (let answer = 0; answer < 200; answer += 1) {
      clock.sleep(337);
      time.observe(header(trueNow()), clock.elapsed() - 20, clock.elapsed());
      offsets.push(time.serverNow() - trueNow());
    }
    const late = offsets.slice(100);
    expect(Math.max(...late) - Math.min(...late)).toBeLessThan(100);
    expect(Math.max(...late.map(Math.abs))).toBeLessThan(100);
  });

  it('starts again from an answer that contradicts it', () => {
    const { clock, time, trueNow } = rig();
    time.observe(header(trueNow()), clock.elapsed(), clock.elapsed());
    time.observe(header(trueNow() + 3_600_000), clock.elapsed(), clock.elapsed());
    expect(Math.abs(time.serverNow() - trueNow() - 3_600_000)).toBeLessThanOrEqual(1_000);
  });

  it.each([
    '',
    'yesterday',
    '1',
    '2026-11-20T12:00:00Z',
    'Fri, 99 Nov 2026 12:00:00 GMT',
    'Fri, 20 Nov 2026 12:00:00',
  ])('ignores the Date %j', (text) => {
    const { clock, time } = rig();
    time.observe(text, clock.elapsed(), clock.elapsed());
    expect(time.verified()).toBe(false);
    expect(readHttpDate(text)).toBeNull();
  });

  it('counts a wall clock that jumped by over 5 s, once, and a wake', () => {
    const { clock, time } = rig();
    expect(time.disturbances()).toBe(0);
    clock.setWall(clock.wallNow() + 4_000);
    expect(time.disturbances()).toBe(0);
    clock.setWall(clock.wallNow() + 4_000);
    expect(time.disturbances()).toBe(1);
    expect(time.disturbances()).toBe(1);
    time.wake();
    expect(time.disturbances()).toBe(2);
  });

  it('tells when it became verified and when it moved, and not at every answer', () => {
    const { clock, time, trueNow } = rig();
    let told = 0;
    const stop = time.onChange(() => (told += 1));
    for (let answer = 0; answer < 50; answer += 1) {
      clock.sleep(500);
      time.observe(header(trueNow()), clock.elapsed(), clock.elapsed());
    }
    expect(told).toBe(1);
    time.observe(header(trueNow() + day), clock.elapsed(), clock.elapsed());
    expect(told).toBe(2);
    stop();
    time.wake();
    expect(told).toBe(2);
  });
});
