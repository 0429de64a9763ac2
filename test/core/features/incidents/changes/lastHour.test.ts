import { expect, it } from 'vitest';
import {
  lastHourAtStart,
  LastHourCounter,
} from '../../../../../src-main/core/features/incidents/changes/lastHour.ts';
import { Scope } from '../../../../../src-main/core/base/scope.ts';
import type { IncidentRecord } from '../../../../../src-main/core/state/incident.ts';
import { createVirtualClock, type VirtualClock } from '../../../../support/clock.ts';
import { createRecordingLogger } from '../../../../support/ports.ts';
import { createTestStore, record } from '../../../state/storeFixtures.ts';

const minute = 60_000;
const intervalMs = 30_000;

/** A console that has this in its cache and counts; nothing is read yet. */
async function counting(cached: readonly IncidentRecord[] = [], clock: VirtualClock = createVirtualClock()) {
  const store = createTestStore();
  const seen = { firstSeenAt: 1, lastSeenAt: 1, arrivedAt: 0, notReturnedSince: null };
  await store.restore(cached.map((one) => ({ record: one, ...seen })));
  const scope = new Scope({ clock, logger: createRecordingLogger() });
  new LastHourCounter({ scope, store, clock: scope.clock, serverNow: () => clock.wallNow() }, intervalMs);
  /** A reading that brought these; `arrivedAt` 0: they were there before the console began. */
  const read = async (records: readonly IncidentRecord[] = [], arrivedAt = 7): Promise<void> => {
    const sighting = { seenAt: 2, arrivedAt };
    await store.applyRows({ upserts: records.map((one) => ({ record: one, sighting })), removals: [] });
    store.patch('incidents', { lastReadAt: clock.wallNow() });
  };
  const firstReading = async (records: readonly IncidentRecord[] = []): Promise<void> => {
    await read(records, 0);
    store.patch('sync', { phase: 'rolling' });
  };
  /** Time with a reading in every interval, none of which brings anything. */
  const quiet = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += intervalMs) {
      await clock.advance(intervalMs);
      await read();
    }
  };
  return { clock, store, scope, read, firstReading, quiet, shown: () => store.slice('lastHour') };
}

it('counts what came, rose and was resolved; neither the cache nor a first reading is a change', async () => {
  const { clock, read, firstReading, shown } = await counting([record('kept', { severity: 'low' })]);
  expect(shown()).toEqual(lastHourAtStart);
  // While the first reading is under way.
  await read([record('kept', { severity: 'high' }), record('early')]);
  expect(shown().since).toBeNull();
  await firstReading([record('a'), record('b'), record('c')]);
  const since = clock.wallNow();
  expect(shown()).toEqual({ ...lastHourAtStart, since });

  await read([record('new'), record('over before it was known', { status: 'resolved' })]);
  await read([record('a', { severity: 'critical' }), record('b', { status: 'closed' })]);
  await read([record('c', { severity: 'low', evidenceCount: 4 })]);
  await read([record('of last week')], 0);
  expect(shown()).toEqual({ since, came: 1, rose: 1, resolved: 1, unreadMinutes: 0 });
});

it('forgets after an hour, and not before', async () => {
  const { read, firstReading, quiet, shown } = await counting();
  await firstReading();
  await read([record('new')]);
  await quiet(59 * minute);
  expect(shown().came).toBe(1);
  await read([record('newer')]);
  await quiet(minute);
  expect(shown()).toMatchObject({ came: 1, unreadMinutes: 0 });
  await quiet(60 * minute);
  expect(shown().came).toBe(0);
});

it('takes back what is undone within the hour', async () => {
  const { read, firstReading, quiet, shown } = await counting();
  await firstReading([record('a'), record('b')]);
  await read([record('a', { status: 'resolved' }), record('b', { severity: 'critical' })]);
  expect(shown()).toMatchObject({ resolved: 1, rose: 1 });
  await quiet(20 * minute);
  await read([record('a'), record('b')]);
  expect(shown()).toMatchObject({ came: 0, resolved: 0, rose: 0 });
  await read([record('a', { status: 'resolved' })]);
  expect(shown().resolved).toBe(1);
  await quiet(61 * minute);
  // What was resolved over an hour ago and opens again is there again.
  await read([record('a')]);
  expect(shown()).toMatchObject({ came: 1, resolved: 0 });
});

it('counts a rise in two steps once, and one that falls halfway', async () => {
  const { read, firstReading, shown } = await counting();
  await firstReading([record('a', { severity: 'low' })]);
  for (const severity of ['medium', 'critical', 'high']) {
    await read([record('a', { severity })]);
    expect(shown().rose, severity).toBe(1);
  }
  await read([record('a', { severity: 'low' })]);
  expect(shown().rose).toBe(0);
});

it('does not care for a clock that is set, but says the time since when it counts by the right one', async () => {
  const { clock, read, firstReading, quiet, shown } = await counting();
  await firstReading();
  await read([record('new')]);
  const before = shown().since!;
  clock.setWall(clock.wallNow() - 24 * 60 * minute);
  await quiet(minute);
  expect(shown()).toMatchObject({ came: 1, since: before - 24 * 60 * minute });
  clock.setWall(clock.wallNow() + 48 * 60 * minute);
  await quiet(minute);
  expect(shown()).toMatchObject({ came: 1, since: before + 24 * 60 * minute });
});

it('says how long nothing was read, and counts what that time brought', async () => {
  const { clock, read, firstReading, quiet, shown } = await counting();
  await firstReading([record('a')]);
  await quiet(5 * minute);
  await clock.advance(25 * minute);
  await read([record('while cut off'), record('a', { status: 'resolved' })]);
  expect(shown()).toMatchObject({ came: 1, resolved: 1, unreadMinutes: 25 });
  await quiet(59 * minute);
  expect(shown()).toMatchObject({ came: 1, unreadMinutes: 0 });
});

it('takes late readings for no gap', async () => {
  const { clock, read, firstReading, shown } = await counting();
  await firstReading();
  await clock.advance(4 * intervalMs);
  await read();
  expect(shown().unreadMinutes).toBe(0);
});

it('begins again after an hour without a reading, as after a sleep', async () => {
  const { clock, read, firstReading, quiet, shown } = await counting();
  await firstReading();
  await quiet(5 * minute);
  clock.suspend(3 * 60 * minute);
  await read([record('some time in the night')]);
  expect(shown()).toEqual({ ...lastHourAtStart, since: clock.wallNow() });
});

it('begins again after a restart, and a sign-out empties it', async () => {
  const { clock, scope, read, firstReading, shown } = await counting();
  await firstReading();
  await read([record('new')]);
  await scope[Symbol.asyncDispose]();
  expect(shown()).toEqual(lastHourAtStart);
  await read([record('another')]);
  await clock.advance(2 * minute);
  expect(shown()).toEqual(lastHourAtStart);
  expect(clock.pending()).toBe(0);

  const again = await counting([record('new')], clock);
  await again.firstReading([record('while it was off')]);
  expect(again.shown()).toEqual({ ...lastHourAtStart, since: clock.wallNow() });
});

it('remembers no more incidents than it may to take back', async () => {
  const { read, firstReading, shown } = await counting();
  const ids = Array.from({ length: 10_001 }, (_, at) => `mass-${String(at)}`);
  await firstReading(ids.map((id) => record(id)));
  await read(ids.map((id) => record(id, { status: 'resolved' })));
  expect(shown().resolved).toBe(10_001);
  await read(ids.map((id) => record(id)));
  expect(shown()).toMatchObject({ resolved: 1, came: 1 });
});
