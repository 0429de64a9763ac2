import { describe, expect, it } from 'vitest';
import { readIncidentList } from '../../../../src-main/core/service/api/incidentList.ts';
import type { IncidentRecord } from '../../../../src-main/core/state/incident.ts';
import { MemoryRecords } from '../../memoryRecords.ts';
import { absentFields, fieldFaults, rankFaults } from '../../state/fieldFaults.ts';
import { record } from '../../state/storeFixtures.ts';
import { wireIncident } from '../../state/wireIncident.ts';
import { createAlarmRig, running, type AlarmRig } from './alarmRig.ts';

async function recordsOf(raw: object): Promise<readonly IncidentRecord[]> {
  const reading = await readIncidentList([raw]);
  return reading?.rows ?? [];
}

/** What the page is sent of the only incident. */
function rowOf(ar: AlarmRig) {
  const frame = ar.store.incidents.frameSince(null);
  if (!frame) throw new Error('There is no row');
  const { columns, dictionaries } = frame;
  expect(columns.length).toBe(1);
  return {
    located: !Number.isNaN(columns.latitude[0]),
    severity: dictionaries.severity[columns.severity[0] ?? -1],
  };
}

describe('an open critical incident with a fault in one field', () => {
  const critical = { ...wireIncident('INC-1'), severity: 'critical' };
  const faulty = [
    ...[...fieldFaults, ...rankFaults].map(({ name, change, located = true }) => ({
      name,
      located,
      raw: { ...critical, ...change },
    })),
    ...absentFields.map(({ name, raw }) => ({
      name: `no ${name}`,
      located: true,
      raw: { ...raw, ...(name === 'severity' ? {} : { severity: 'critical' }) },
    })),
  ];

  it.each(faulty)(
    'is a row, a mark where it has a place, and an emergency: $name',
    async ({ raw, located }) => {
      const ar = await running();
      const records = await recordsOf(raw);
      await ar.rows(records);
      expect(rowOf(ar).located).toBe(located);
      expect(ar.store.incidents.withoutLocation).toBe(located ? 0 : 1);
      const { active } = ar.alarms();
      expect(active.map(({ kind, level, incidentIds }) => [kind, level, incidentIds])).toEqual([
        ['incident', 3, records.map(({ id }) => id)],
      ]);
      expect(ar.siren()).toMatchObject({ level: 3, unacknowledged: 1 });
    },
  );

  it('is said to be of unknown severity, type and place', async () => {
    const ar = await running();
    await ar.rows([
      record('INC-1', { severity: '', incidentType: '', location: null }),
      record('INC-2', { severity: 'low', location: null }),
    ]);
    expect(ar.sentences()).toEqual(['Unknown severity: unknown type, no location.']);
  });

  it('is the worst of many', async () => {
    const ar = createAlarmRig();
    await ar.feature.start(null);
    ar.phase('first');
    await ar.rows([record('A', { severity: '' }), record('B', { severity: '' }), record('C')], 0);
    ar.phase('rolling');
    expect(ar.sentences()).toEqual(['3 active incidents need attention, 2 of them of unknown severity.']);
  });
});

describe('records without a usable id', () => {
  const setAside = (ar: AlarmRig, count: number): void => {
    ar.store.patch('incidents', { unreadable: { count, examples: [] }, completeness: 'at-least' });
  };
  const said = 'could not be read. Any of them may be a critical incident.';

  it('raise an emergency that counts them, and again when there are more', async () => {
    const ar = await running();
    setAside(ar, 3);
    expect(ar.alarms().active).toMatchObject([{ kind: 'record', level: 3, count: 3, recoveredAt: null }]);
    expect(ar.sentences()).toEqual([`3 records ${said}`]);
    const { sequence } = ar.siren();
    setAside(ar, 4);
    expect(ar.sentences()).toEqual([`4 records ${said}`]);
    expect(ar.siren().sequence).toBe(sequence + 1);
  });

  it('do not sound again where they are fewer for a moment', async () => {
    const ar = await running();
    setAside(ar, 3);
    const { sequence } = ar.siren();
    setAside(ar, 2);
    expect(ar.sentences()).toEqual([`2 records ${said}`]);
    setAside(ar, 3);
    expect(ar.sentences()).toEqual([`3 records ${said}`]);
    expect(ar.siren().sequence).toBe(sequence);
  });

  it('clear the alarm a minute after all can be read', async () => {
    const ar = await running();
    setAside(ar, 1);
    setAside(ar, 0);
    expect(ar.sentences()).toEqual(['All records can be read again.']);
    await ar.clock.advance(60_000);
    expect(ar.alarms().active).toEqual([]);
  });

  it('are no news over a restart, nor louder than 2 in a first reading', async () => {
    const records = new MemoryRecords();
    const ar = createAlarmRig();
    await ar.feature.start(records);
    ar.phase('first');
    setAside(ar, 2);
    expect(ar.alarms().active).toMatchObject([{ kind: 'record', level: 2 }]);
    await ar.feature.acknowledgeAll();
    await ar.feature.stop();
    ar.store.patch('incidents', { unreadable: { count: 0, examples: [] }, completeness: 'unknown' });
    const next = ar.again();
    await next.start(records);
    ar.phase('rolling');
    setAside(ar, 2);
    expect(ar.alarms().active).toEqual([]);
    await next.stop();
  });

  it('raise nothing where no incident does', async () => {
    const ar = await running();
    ar.feature.set({ least: 'none' });
    setAside(ar, 1);
    expect(ar.alarms().active).toEqual([]);
  });
});
