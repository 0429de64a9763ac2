import { describe, expect, it } from 'vitest';
import type { ApiName } from '../../../../src-main/core/service/transport/request.ts';
import type { ApiConnection } from '../../../../src-preload/contract/index.ts';
import { MemoryRecords } from '../../memoryRecords.ts';
import { createAlarmRig, type AlarmRig } from './alarmRig.ts';

const second = 1_000;

/** Sets the connection of one API, as the station does after each change of it. */
function connect(ar: AlarmRig, api: ApiName, state: ApiConnection['state']): void {
  const connection = ar.store.slice('connection');
  ar.store.set('connection', {
    ...connection,
    [api]: { state, since: ar.clock.wallNow(), failure: null },
  });
}

/** A running session to which both APIs have answered. */
async function session(): Promise<AlarmRig> {
  const ar = createAlarmRig();
  await ar.feature.start(null);
  connect(ar, 'infrastructure', 'online');
  connect(ar, 'coordination', 'online');
  return ar;
}

const kinds = (ar: AlarmRig): string[] => ar.alarms().active.map(({ kind }) => kind);

describe('an API that a running session loses', () => {
  it('does not alarm after 59 s, and alarms once after 60 s', async () => {
    const ar = await session();
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(59 * second);
    expect(kinds(ar)).toEqual([]);
    await ar.clock.advance(1 * second);
    expect(ar.alarms().active).toMatchObject([{ kind: 'connection', level: 2 }]);
    expect(ar.sentences()[0]).toMatch(/^No contact with the service since 12:00 UTC/);
    expect(ar.siren()).toMatchObject({ sequence: 1, level: 2, kind: 'connection' });
    await ar.clock.advance(3_600 * second);
    expect(kinds(ar)).toEqual(['connection']);
    expect(ar.siren().sequence).toBe(1);
  });

  it('does not alarm where it was back after 59 s', async () => {
    const ar = await session();
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(59 * second);
    connect(ar, 'infrastructure', 'online');
    await ar.clock.advance(3_600 * second);
    expect(kinds(ar)).toEqual([]);
    expect(ar.alarms().past).toEqual([]);
  });

  it('has an alarm of each API, with the time of each', async () => {
    const ar = await session();
    ar.feature.set({ serviceLostAfterMs: 120 * second });
    connect(ar, 'coordination', 'offline');
    await ar.clock.advance(60 * second);
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(60 * second);
    expect(ar.sentences()).toEqual([expect.stringMatching(/^No contact with Coordination since 12:00 UTC/)]);
    await ar.clock.advance(60 * second);
    expect(ar.sentences()).toEqual([
      expect.stringMatching(/^No contact with the service since 12:01 UTC/),
      expect.stringMatching(/^No contact with Coordination since 12:00 UTC/),
    ]);
  });

  it('is not lost while it answers with errors or too many requests', async () => {
    const ar = await session();
    connect(ar, 'infrastructure', 'degraded');
    await ar.clock.advance(600 * second);
    expect(kinds(ar)).toEqual([]);
  });

  it('was not lost where it never answered in this session', async () => {
    const ar = createAlarmRig();
    await ar.feature.start(null);
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(600 * second);
    expect(kinds(ar)).toEqual([]);
  });

  it('says that it is back, and is a past alarm once it has answered for 30 s', async () => {
    const ar = await session();
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(60 * second);
    connect(ar, 'infrastructure', 'online');
    expect(ar.sentences()).toEqual([
      expect.stringMatching(/^The service answered again at 12:01 UTC\. Contact was lost at 12:00 UTC/),
    ]);
    await ar.clock.advance(29 * second);
    expect(kinds(ar)).toEqual(['connection']);
    await ar.clock.advance(1 * second);
    expect(kinds(ar)).toEqual([]);
    expect(ar.alarms().past).toMatchObject([{ kind: 'connection', acknowledgedAt: null }]);
    expect(ar.siren().unacknowledged).toBe(0);
  });

  it('has one alarm while it flaps, however often', async () => {
    const ar = await session();
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(60 * second);
    for (let times = 0; times < 20; times += 1) {
      connect(ar, 'infrastructure', 'online');
      await ar.clock.advance(20 * second);
      connect(ar, 'infrastructure', 'offline');
      expect(ar.sentences()).toEqual([expect.stringMatching(/^No contact with the service since 12:00 UTC/)]);
      await ar.clock.advance(70 * second);
    }
    expect(kinds(ar)).toEqual(['connection']);
    expect(ar.siren().sequence).toBe(1);
    expect(ar.alarms().past).toEqual([]);
  });

  it('alarms where its link is back for moments only', async () => {
    const ar = await session();
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(59 * second);
    connect(ar, 'infrastructure', 'online');
    await ar.clock.advance(5 * second);
    connect(ar, 'infrastructure', 'offline');
    expect(kinds(ar)).toEqual(['connection']);
  });

  it('alarms again in another outage, and not in the one that was acknowledged', async () => {
    const ar = await session();
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(60 * second);
    await ar.feature.acknowledgeAll();
    await ar.clock.advance(600 * second);
    connect(ar, 'infrastructure', 'online');
    await ar.clock.advance(10 * second);
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(600 * second);
    expect(kinds(ar)).toEqual([]);
    connect(ar, 'infrastructure', 'online');
    await ar.clock.advance(30 * second);
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(60 * second);
    expect(kinds(ar)).toEqual(['connection']);
  });
});

describe('a sleep in an outage', () => {
  it.each(['sleep', 'suspend'] as const)('does not count: %s', async (how) => {
    const ar = await session();
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(50 * second);
    ar.clock[how](7_200 * second);
    await ar.clock.advance(59 * second);
    expect(kinds(ar)).toEqual([]);
    await ar.clock.advance(60 * second);
    expect(kinds(ar)).toEqual(['connection']);
  });

  it('does not count where the system says so before a timer runs', async () => {
    const ar = await session();
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(10 * second);
    ar.clock.sleep(45 * second);
    ar.feature.wake();
    await ar.clock.advance(59 * second);
    expect(kinds(ar)).toEqual([]);
    await ar.clock.advance(1 * second);
    expect(kinds(ar)).toEqual(['connection']);
  });

  it('changes nothing for an API that answers', async () => {
    const ar = await session();
    ar.clock.sleep(7_200 * second);
    ar.feature.wake();
    await ar.clock.advance(600 * second);
    expect(kinds(ar)).toEqual([]);
  });
});

describe('the time after which it alarms', () => {
  it('holds at once when it is changed in an outage', async () => {
    const ar = await session();
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(20 * second);
    ar.feature.set({ serviceLostAfterMs: 300 * second });
    await ar.clock.advance(200 * second);
    expect(kinds(ar)).toEqual([]);
    ar.feature.set({ serviceLostAfterMs: 120 * second });
    expect(kinds(ar)).toEqual(['connection']);
  });

  it('may be never', async () => {
    const ar = await session();
    ar.feature.set({ serviceLostAfterMs: null });
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(3_600 * second);
    expect(kinds(ar)).toEqual([]);
  });
});

describe('an outage and the life of the desk', () => {
  it('leaves no timer behind where the vault is closed', async () => {
    const ar = await session();
    const before = ar.clock.pending();
    connect(ar, 'infrastructure', 'offline');
    connect(ar, 'coordination', 'offline');
    await ar.feature.stop();
    expect(ar.clock.pending()).toBeLessThanOrEqual(before);
    await ar.clock.advance(600 * second);
    expect(ar.alarms().active).toEqual([]);
  });

  it('is cleared after a restart in which the API answers again', async () => {
    const ar = createAlarmRig();
    const records = new MemoryRecords();
    await ar.feature.start(records);
    connect(ar, 'infrastructure', 'online');
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(60 * second);
    await ar.feature.stop();
    connect(ar, 'infrastructure', 'unknown');
    const again = ar.again();
    await again.start(new MemoryRecords(records.documents));
    expect(kinds(ar)).toEqual(['connection']);
    connect(ar, 'infrastructure', 'offline');
    await ar.clock.advance(600 * second);
    expect(kinds(ar)).toEqual(['connection']);
    connect(ar, 'infrastructure', 'online');
    await ar.clock.advance(30 * second);
    expect(kinds(ar)).toEqual([]);
    expect(ar.alarms().past).toHaveLength(1);
    await again.stop();
  });
});
