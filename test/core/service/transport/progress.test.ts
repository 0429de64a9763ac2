import { describe, expect, it } from 'vitest';
import { Floor, Handover } from '../../../../src-main/core/service/transport/progress.ts';
import { StillClock } from '../../../support/clock.ts';

const kib = 1024;

/** A connection whose buffers hold `held` bytes and whose line carries `rate` bytes a second. */
function send(held: number, rate: number, bytes: number) {
  const clock = new StillClock();
  const handover = new Handover(clock);
  let mostWaitMs = 0;
  const sentAt = (): number => (clock.elapsed() * rate) / 1_000;
  let handed = 0;
  const errors: number[] = [];
  while (handed < bytes) {
    const { patienceMs } = handover;
    const before = clock.elapsed();
    // The buffers take a piece when there is room, and then in large parts.
    if (handed + 64 * kib - sentAt() > held) {
      const room = handed - held + held / 3;
      clock.advance(Math.max(0, ((room - sentAt()) / rate) * 1_000));
    }
    mostWaitMs = Math.max(mostWaitMs, clock.elapsed() - before - patienceMs);
    handed += 64 * kib;
    handover.take(64 * kib);
    errors.push(handover.left - Math.min(handed, sentAt()));
  }
  return {
    clock,
    handover,
    errors,
    isPatient: mostWaitMs <= 0,
    drainMs: ((handed - sentAt()) / rate) * 1_000,
  };
}

describe('an upload that is handed over', () => {
  it.each([
    ['8 kB/s behind 1.3 MB of buffers', 1_300 * kib, 8_000],
    ['1 kB/s behind 1.3 MB of buffers', 1_300 * kib, 1_000],
    ['8 kB/s behind 3.5 MB of buffers', 3_500 * kib, 8_000],
    ['1 kB/s behind 64 KB of buffers', 64 * kib, 1_000],
    ['1 MB/s', 256 * kib, 1_000_000],
  ])('is waited for on a line of %s, and shows no more than has left', (_, held, rate) => {
    const { handover, errors, isPatient, drainMs } = send(held, rate, 20_000 * kib);
    expect(isPatient).toBe(true);
    expect(handover.patienceMs).toBeGreaterThan(drainMs);
    // Ahead by what the line carried in the first second, at most by what was taken at once when there was room.
    expect(Math.max(...errors)).toBeLessThanOrEqual(Math.max(held / 3, 64 * kib) + rate);
  });

  it('is given up within some minutes where the line was quick', () => {
    const { handover } = send(256 * kib, 1_000_000, 100_000 * kib);
    expect(handover.patienceMs).toBeLessThan(2 * 60_000);
  });

  it('has not left at all while only the buffers took it', () => {
    const { handover } = send(1_000 * kib, 8_000, 900 * kib);
    expect(handover.left).toBe(0);
  });
});

describe('the floor of an answer', () => {
  const take = (bytesPerSecond: number, seconds: number, from = { clock: new StillClock() }) => {
    const floor = new Floor(from.clock);
    let holds = floor.holds(0);
    for (let at = 0; at < seconds && holds; at += 5) {
      from.clock.advance(5_000);
      holds = floor.holds(5 * bytesPerSecond);
    }
    return holds;
  };

  it('holds at 500 B/s and not below', () => {
    expect([take(500, 3_600), take(499, 3_600), take(499, 55)]).toEqual([true, false, true]);
  });

  it('begins again after a pause of the reader', () => {
    const clock = new StillClock();
    const floor = new Floor(clock);
    floor.holds(1);
    clock.advance(600_000);
    floor.restart();
    expect(floor.holds(1)).toBe(true);
    clock.advance(60_000);
    expect(floor.holds(1)).toBe(false);
  });
});
