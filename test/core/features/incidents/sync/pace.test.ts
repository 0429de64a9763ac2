import { expect, it } from 'vitest';
import { Pace } from '../../../../../src-main/core/features/incidents/sync/pace.ts';
import { StillClock } from '../../../../support/clock.ts';
import { createTestStore } from '../../../state/storeFixtures.ts';
import { syncDeployment } from './syncDeployment.ts';

const hourMs = 3_600_000;
const open = ({ lastRate = 8_000, bytesPerHour = null as number | null } = {}) => {
  const clock = new StillClock();
  const line = { readsAtOnce: (most: number) => most, lastRate };
  const store = createTestStore();
  return { clock, pace: new Pace({ clock, line, store, deployment: syncDeployment({ bytesPerHour }) }) };
};

/** How many reads of 5 kB an hour has room for. */
function readsAnHour({ clock, pace }: ReturnType<typeof open>, windows: number): number {
  let reads = 0;
  for (let passed = 0; passed < hourMs; reads += 1) {
    pace.took({ ms: 600, bytes: 5_000 }, { windows, proves: false });
    const rest = Math.max(1_000, pace.restMs);
    clock.advance(rest);
    passed += rest;
  }
  return reads;
}

it('on a slow line what is read again has a small part of it, and each window its turn in ten minutes', () => {
  expect(readsAnHour(open(), 1)).toBe(72);
  expect(readsAnHour(open(), 100)).toBe(600);
  expect(readsAnHour(open({ lastRate: 8_000_000 }), 1)).toBe(3_600);
});

it('what may still prove that all is known does not wait for its bytes, unless they are counted', () => {
  const { pace } = open();
  pace.took({ ms: 600, bytes: 5_000 }, { windows: 1, proves: true });
  expect(pace.restMs).toBe(0);
  const counted = open({ bytesPerHour: 800_000 });
  counted.pace.took({ ms: 600, bytes: 5_000 }, { windows: 1, proves: true });
  expect(counted.pace.restMs).toBe(90_000);
});

it('an allowance of bytes is kept to, half for the newest window and half for the others', () => {
  const rig = open({ bytesPerHour: 800_000 });
  expect(readsAnHour(rig, 100)).toBe(40);
  rig.pace.tookRecent({ ms: 600, bytes: 2_000 });
  expect(rig.pace.pollMs).toBe(hourMs / 100);
  // An event that names an incident brings no more bytes.
  rig.pace.took({ ms: 600, bytes: 5_000 }, { windows: 100, proves: false });
  rig.pace.hurry();
  expect(rig.pace.restMs).toBeGreaterThan(0);
  const other = open();
  other.pace.took({ ms: 600, bytes: 5_000 }, { windows: 1, proves: false });
  other.pace.hurry();
  expect(other.pace.restMs).toBeLessThanOrEqual(0);
});

it('a read that takes long leaves the line to others, however few its bytes are', () => {
  const { pace } = open();
  pace.took({ ms: 7_000, bytes: 500 }, { windows: 100, proves: false });
  expect(pace.restMs).toBe(14_000);
  pace.tookRecent({ ms: 10_000, bytes: 500 });
  expect(pace.pollMs).toBe(20_000);
});

it('a read that a sleep of the computer went through counts as a minute', () => {
  const { pace } = open();
  pace.took({ ms: 3 * hourMs, bytes: 500 }, { windows: 100, proves: false });
  expect(pace.restMs).toBe(120_000);
  pace.tookRecent({ ms: 3 * hourMs, bytes: 500 });
  expect(pace.pollMs).toBe(120_000);
});
