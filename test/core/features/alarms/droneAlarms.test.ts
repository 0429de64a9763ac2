import { describe, expect, it } from 'vitest';
import { createAlarmRig, type AlarmRig } from './alarmRig.ts';
import { MemoryRecords } from '../../memoryRecords.ts';

const second = 1_000;

async function desk(records: MemoryRecords | null = null): Promise<AlarmRig> {
  const ar = createAlarmRig();
  await ar.feature.start(records);
  return ar;
}
const silent = (ar: AlarmRig, count: number): void =>
  ar.feature.takeDrones({ count, id: 'drone-07', since: ar.clock.wallNow() }, 'silent');

describe('drones that fall silent', () => {
  it('are one alarm of the lowest level, which counts them and sounds once', async () => {
    const ar = await desk();
    silent(ar, 1);
    expect(ar.alarms().active).toMatchObject([{ kind: 'drone', level: 1, severity: null }]);
    expect(ar.sentences()[0]).toMatch(/^drone-07 has sent no position since 12:00/);
    silent(ar, 40);
    expect(ar.alarms().active).toHaveLength(1);
    expect(ar.sentences()[0]).toMatch(/^40 drones have sent no position, the first since 12:00/);
    expect(ar.siren()).toMatchObject({ sequence: 1, level: 1, kind: 'drone' });
  });

  it('say that they report again, and clear themselves a minute later', async () => {
    const ar = await desk();
    silent(ar, 2);
    ar.feature.takeDrones({ count: 1, id: 'drone-07', since: ar.clock.wallNow() }, 'reports');
    expect(ar.sentences()[0]).toMatch(/^drone-07 has sent/);
    ar.feature.takeDrones(null, 'reports');
    expect(ar.sentences()[0]).toMatch(/send positions again/);
    expect(ar.siren().unacknowledged).toBe(0);
    await ar.clock.advance(61 * second);
    expect(ar.alarms().active).toEqual([]);
  });

  it('say that they are no longer on the map where none of them reported', async () => {
    const ar = await desk();
    silent(ar, 1);
    ar.feature.takeDrones(null, 'forgotten');
    expect(ar.sentences()[0]).toMatch(/no longer on the map/);
  });

  it('do not alarm where the settings say so, nor again within five minutes of an acknowledgement', async () => {
    const ar = await desk();
    ar.feature.set({ drones: false });
    silent(ar, 1);
    expect(ar.alarms().active).toEqual([]);
    ar.feature.set({ drones: true });
    silent(ar, 1);
    await ar.feature.acknowledgeAll();
    silent(ar, 2);
    expect(ar.alarms().active).toEqual([]);
    await ar.clock.advance(301 * second);
    silent(ar, 2);
    expect(ar.alarms().active).toHaveLength(1);
  });

  it('never become an emergency', async () => {
    const ar = await desk();
    ar.feature.set({ escalateAfterMs: 60 * second });
    silent(ar, 1);
    await ar.clock.advance(600 * second);
    expect(ar.alarms().active).toMatchObject([{ kind: 'drone', level: 1, escalatedAt: null }]);
  });

  it('are not among what is stored of the alarms', async () => {
    const records = new MemoryRecords();
    const ar = await desk(records);
    silent(ar, 1);
    await ar.feature.stop();
    expect(records.tables.documents.get('alarms')).toContain('"drones":true');
    expect(records.tables.documents.get('alarms')).not.toContain('drone-07');
  });
});
