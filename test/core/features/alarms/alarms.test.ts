import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { alarmsAtStart, sirenAtStart } from '../../../../src-main/core/features/alarms/alarmsState.ts';
import { ok } from '../../../../src-preload/contract/index.ts';
import { flush } from '../../../support/clock.ts';
import { MemoryRecords } from '../../memoryRecords.ts';
import { record, upsertOf } from '../../state/storeFixtures.ts';
import { createAlarmRig, many, running } from './alarmRig.ts';
import { said, saying } from '../../../support/messages.ts';

const minute = 60_000;

describe('the first reading', () => {
  it('is one summary, not a thousand alarms', async () => {
    const ar = createAlarmRig();
    await ar.feature.start(null);
    ar.phase('detecting');
    await ar.rows(many(1_000, { severity: 'high' }, 'A'), 0);
    ar.phase('first');
    await ar.rows(many(695, { severity: 'low' }, 'B'), 0);
    await ar.rows(many(12, { severity: 'critical' }, 'C'), 0);
    expect(ar.alarms().active).toEqual([]);
    ar.phase('rolling');
    const { active } = ar.alarms();
    expect(active).toHaveLength(1);
    expect(active[0]).toMatchObject({
      kind: 'summary',
      level: 2,
      severity: 'critical',
      count: 1_012,
      sentence: saying('1,012 active incidents need attention, 12 of them critical.'),
    });
    expect(active[0]?.incidentIds).toHaveLength(20);
    expect(active[0]?.incidentIds.slice(0, 12).every((id) => id.startsWith('C-'))).toBe(true);
    expect(ar.siren()).toMatchObject({ sequence: 1, level: 2, kind: 'summary', unacknowledged: 1 });
  });

  it('says what and where the worst is, where it is only one', async () => {
    const ar = createAlarmRig();
    await ar.feature.start(null);
    ar.phase('first');
    await ar.rows([...many(4), record('worst', { severity: 'critical', location: null })], 0);
    ar.phase('rolling');
    expect(ar.sentences()).toEqual(['Critical: fire, no location. 5 active incidents need attention.']);
  });

  it('does not silence what comes into being while it lasts', async () => {
    const ar = createAlarmRig();
    await ar.feature.start(null);
    ar.phase('first');
    await ar.rows(many(50), 0);
    await ar.rows([record('NEW', { severity: 'critical' })]);
    expect(ar.sentences()).toEqual(['Critical: fire, 531 km W of São Tomé, ST.']);
    ar.phase('rolling');
    expect(ar.alarms().active.map(({ count }) => count)).toEqual([1, 50]);
  });

  it('is over when it has brought nothing for a minute, though some of it always fails', async () => {
    const ar = createAlarmRig();
    await ar.feature.start(null);
    ar.phase('first');
    await ar.rows(many(30), 0);
    await ar.clock.advance(30_000);
    await ar.rows(many(30, {}, 'B'), 0);
    await ar.clock.advance(59_000);
    expect(ar.alarms().active).toEqual([]);
    await ar.clock.advance(2_000);
    expect(ar.sentences()).toEqual(['60 active incidents need attention, 60 of them high.']);
  });

  it('says nothing where nothing reaches the chosen severity, or nothing is there', async () => {
    const quiet = await running(many(100, { severity: 'low' }));
    expect(quiet.alarms().past).toEqual([]);
    const empty = await running();
    await empty.rows([record('a')]);
    expect(empty.sentences()).toEqual(['High: fire, 531 km W of São Tomé, ST.']);
  });

  it('comes from a service without windows too', async () => {
    const ar = createAlarmRig();
    await ar.feature.start(null);
    ar.phase('detecting');
    await ar.rows(many(300), 0);
    ar.phase('unfiltered', true);
    expect(ar.sentences()).toEqual(['300 active incidents need attention, 300 of them high.']);
  });
});

describe('what was known before', () => {
  it.each(['before', 'after', 'while'] as const)(
    'is no news, with rows restored %s the start',
    async (order) => {
      const ar = createAlarmRig();
      const known = many(40, { severity: 'high' });
      const records = new MemoryRecords();
      if (order === 'before') await ar.restore(known);
      const started = ar.feature.start(records);
      if (order === 'while') await ar.restore(known);
      await started;
      if (order === 'after') await ar.restore(known);
      ar.phase('rolling');
      expect(ar.alarms().active).toEqual([]);
      // Of those that are known one rose and one merely changed, and one is new.
      await ar.rows([
        record('INC-3', { severity: 'critical', incidentType: 'flood' }),
        record('INC-4', { evidenceCount: 9 }),
        record('NEW'),
      ]);
      expect(ar.sentences()).toEqual([
        'Critical: flood, 531 km W of São Tomé, ST. It was high.',
        'High: fire, 531 km W of São Tomé, ST.',
      ]);
    },
  );

  it('is no news either where rows changed before the desk had its ground', async () => {
    const ar = createAlarmRig();
    await ar.restore(many(40));
    ar.phase('rolling');
    const started = ar.feature.start(new MemoryRecords());
    await ar.rows([record('INC-4', { evidenceCount: 9 }), record('NEW')]);
    await started;
    expect(ar.sentences()).toEqual(['High: fire, 531 km W of São Tomé, ST.']);
  });

  it('is not mixed up with what a first reading brings before the desk had its ground', async () => {
    const ar = createAlarmRig();
    ar.phase('first');
    const records = new MemoryRecords();
    const hold = Promise.withResolvers<void>();
    records.ready = hold.promise;
    const started = ar.feature.start(records);
    await ar.rows(many(40), 0);
    await ar.clock.advance(1_000);
    await ar.rows(many(40), 0);
    hold.resolve();
    await started;
    ar.phase('rolling');
    expect(ar.sentences()).toEqual(['40 active incidents need attention, 40 of them high.']);
  });

  it('stays as it was while the service cannot be reached, and what came meanwhile is reported then', async () => {
    const ar = createAlarmRig();
    await ar.feature.start(null);
    await ar.restore(many(40));
    ar.phase('rolling');
    await ar.clock.advance(10 * minute);
    expect(ar.alarms().active).toEqual([]);
    await ar.rows([...many(3), ...many(8, { severity: 'critical' }, 'AWAY')]);
    expect(ar.sentences()).toEqual(['8 new or escalated incidents, 8 of them critical.']);
  });

  it('is reported as what came while away, where the first reading had not ended before', async () => {
    const ar = createAlarmRig();
    await ar.restore(many(40));
    await ar.feature.start(null);
    ar.phase('first');
    for (let page = 0; page < 4; page += 1) await ar.rows(many(20, {}, `P${String(page)}`), 0);
    ar.phase('rolling');
    expect(ar.sentences()).toEqual([
      '80 active incidents arrived while this console was away, 80 of them high.',
    ]);
  });
});

describe('while running', () => {
  it('raises one alarm for each of a few, and one for many', async () => {
    const ar = await running();
    await ar.rows(many(5, { severity: 'high', location: null }, 'A'));
    expect(ar.alarms().active).toHaveLength(5);
    expect(ar.siren().sequence).toBe(1);
    await ar.rows([...many(2, { severity: 'critical' }, 'B'), ...many(4, {}, 'C')]);
    expect(ar.alarms().active).toHaveLength(6);
    expect(ar.alarms().active[0]).toMatchObject({
      kind: 'summary',
      count: 6,
      level: 3,
      sentence: saying('6 new or escalated incidents, 2 of them critical.'),
    });
  });

  it('says what and where, and names every incident of an alarm that stands for many', async () => {
    const ar = await running();
    await ar.rows([
      record('a', { incidentType: 'structural collapse', location: null, severity: 'Critical' }),
    ]);
    expect(ar.sentences()).toEqual(['Critical: structural collapse, no location.']);
    await ar.feature.acknowledgeAll();
    await ar.rows(many(450, {}, 'B'));
    const [alarm] = ar.alarms().active;
    expect(alarm).toMatchObject({ count: 450, listed: 450 });
    const named = ar.feature.incidentsOf(alarm?.id ?? '');
    expect(named.ok && [...named.value.ids].sort()).toEqual(
      many(450, {}, 'B')
        .map(({ id }) => id)
        .sort(),
    );
    await ar.feature.acknowledgeAll();
    expect(ar.feature.incidentsOf(alarm?.id ?? '')).toEqual(named);
    expect(ar.feature.incidentsOf('unknown')).toMatchObject({ ok: false, failure: { code: 'not-found' } });
  });

  it('acknowledges several by their ids, and one undo takes all of them back', async () => {
    const ar = await running();
    for (const id of ['a', 'b', 'c']) await ar.rows([record(id, { severity: 'critical', location: null })]);
    const [one, other, third] = ar.alarms().active.map(({ id }) => id);
    expect((await ar.feature.acknowledge([one ?? '', other ?? '', 'unknown'])).ok).toBe(true);
    expect(ar.alarms().active.map(({ id }) => id)).toEqual([third]);
    expect(ar.alarms().undo).toMatchObject({ count: 2 });
    expect(await ar.feature.acknowledge(['unknown'])).toMatchObject({
      ok: false,
      failure: { code: 'not-found' },
    });
    expect((await ar.feature.undo()).ok).toBe(true);
    expect(ar.alarms().active).toHaveLength(3);
  });

  it('takes a summary that still waits into the next, under another id', async () => {
    const ar = await running();
    await ar.rows(many(6, { severity: 'critical' }, 'A'));
    const [first] = ar.alarms().active;
    await ar.rows(many(10, { severity: 'high' }, 'B'));
    const [both, ...others] = ar.alarms().active;
    expect(others).toEqual([]);
    expect(both).toMatchObject({
      count: 16,
      level: 3,
      sentence: saying('16 new or escalated incidents, the worst critical.'),
    });
    expect(await ar.feature.acknowledge([first?.id ?? ''])).toMatchObject({
      ok: false,
      failure: { code: 'not-found' },
    });
    expect((await ar.feature.acknowledge([both?.id ?? ''])).ok).toBe(true);
    await ar.rows(many(6, { severity: 'high' }, 'C'));
    expect(ar.alarms().active[0]?.count).toBe(6);
  });

  it('alarms when a severity rises, in place of the alarm about the same; not when a status changes', async () => {
    const ar = await running([record('a', { severity: 'low' })]);
    await ar.rows([record('a', { severity: 'low', status: 'reopened' })]);
    expect(ar.alarms().active).toEqual([]);
    await ar.rows([record('a', { severity: 'high' })]);
    await ar.rows([record('a', { severity: 'critical' })]);
    expect(ar.sentences()).toEqual(['Critical: fire, 531 km W of São Tomé, ST. It was high.']);
    await ar.rows([record('a', { severity: 'low' })]);
    expect(ar.alarms().active).toHaveLength(1);
  });

  it('is silent about a closed incident, in the words of the deployment too, and alarms when one opens again', async () => {
    const ar = await running();
    ar.store.patch('app', { closedStatuses: ['Stood down'] });
    const severity = 'critical';
    await ar.rows([
      record('a', { severity, status: 'Resolved' }),
      record('b', { severity, status: 'stood-down' }),
      record('c', { severity: 'low', status: 'closed' }),
    ]);
    await ar.rows([record('c', { severity, status: 'closed' })]);
    expect(ar.alarms().active).toEqual([]);
    await ar.rows([record('b', { severity, status: 'open' })]);
    expect(ar.sentences()).toEqual(['Critical: fire, 531 km W of São Tomé, ST.']);
  });

  it('drops an alarm at once when its incident is closed, clears it, and alarms when it opens after that', async () => {
    const ar = await running();
    const severity = 'critical';
    await ar.rows([record('a', { severity })]);
    await ar.rows([record('b', { severity: 'high' })]);
    await ar.rows([record('a', { severity, status: 'resolved' })]);
    expect(ar.sentences()).toEqual([
      'High: fire, 531 km W of São Tomé, ST.',
      'fire: no longer active since 12:00 UTC.',
    ]);
    expect(ar.siren()).toMatchObject({ unacknowledged: 1, worstSeverity: 'high' });
    await ar.rows([record('a', { severity })]);
    expect(ar.sentences()).toEqual([
      'Critical: fire, 531 km W of São Tomé, ST.',
      'High: fire, 531 km W of São Tomé, ST.',
    ]);
    await ar.rows([record('a', { severity, status: 'resolved' })]);
    await ar.clock.advance(minute);
    expect(ar.sentences()).toEqual(['High: fire, 531 km W of São Tomé, ST.']);
    const { sequence } = ar.siren();
    await ar.rows([record('a', { severity })]);
    expect(ar.sentences()).toEqual([
      'Critical: fire, 531 km W of São Tomé, ST.',
      'High: fire, 531 km W of São Tomé, ST.',
    ]);
    expect(ar.siren().sequence).toBe(sequence + 1);
  });

  it('counts in a summary what is still active, by the worst of that, and sounds no louder', async () => {
    const ar = createAlarmRig();
    await ar.feature.start(null);
    ar.phase('first');
    await ar.rows([...many(2, { severity: 'critical' }, 'C'), ...many(3, {}, 'H')], 0);
    ar.phase('rolling');
    expect(ar.sentences()).toEqual(['5 active incidents need attention, 2 of them critical.']);
    await ar.rows([record('C-0', { severity: 'critical', status: 'closed' })]);
    expect(ar.sentences()).toEqual([
      'Critical: fire, 531 km W of São Tomé, ST. 4 active incidents need attention.',
    ]);
    await ar.rows([record('C-1', { severity: 'high' }), record('H-0', { status: 'resolved' })]);
    expect(ar.sentences()).toEqual(['3 active incidents need attention, 3 of them high.']);
    expect(ar.alarms().active).toMatchObject([{ severity: 'high', level: 2, count: 5, listed: 5 }]);
    await ar.rows([record('H-0', { severity: 'critical' })]);
    expect(ar.alarms().active[1]).toMatchObject({ severity: 'critical', level: 2 });
    const { sequence } = ar.siren();
    await ar.rows(many(6, {}, 'B'));
    await ar.rows(many(7, {}, 'D'));
    expect(ar.sentences()[2]).toBe('13 new or escalated incidents, the worst high.');
    await ar.rows(many(7, { status: 'closed' }, 'D'));
    expect(ar.sentences()[2]).toBe('6 new or escalated incidents, the worst high.');
    expect(ar.siren().sequence).toBe(sequence + 2);
  });

  it('counts what came while it was away, and what was restored, as it is now', async () => {
    const ar = createAlarmRig();
    await ar.restore(many(3));
    await ar.feature.start(null);
    ar.phase('first');
    await ar.rows(many(8, {}, 'P'), 0);
    ar.phase('rolling');
    await ar.rows(many(2, { status: 'closed' }, 'P'));
    expect(ar.sentences()).toEqual([
      '6 active incidents arrived while this console was away, 6 of them high.',
    ]);
  });

  it('is one alarm of the same type, place and minute, which is new with each incident', async () => {
    const ar = await running();
    const severity = 'critical';
    await ar.rows([
      record('a', { severity }),
      record('b', { severity }),
      record('f', { severity, incidentType: 'flood' }),
    ]);
    expect(ar.sentences()).toEqual([
      'Critical: fire, 531 km W of São Tomé, ST. 2 active incidents.',
      'Critical: flood, 531 km W of São Tomé, ST.',
    ]);
    const [both] = ar.alarms().active;
    await ar.clock.advance(minute - 1);
    await ar.rows([record('c', { severity })]);
    expect(ar.sentences()[0]).toBe('Critical: fire, 531 km W of São Tomé, ST. 3 active incidents.');
    expect(ar.alarms().active).toMatchObject([
      { count: 3, listed: 3, level: 3, kind: 'incident', incidentIds: ['c', 'a', 'b'] },
      { count: 1 },
    ]);
    expect((await ar.feature.acknowledge([both?.id ?? ''])).ok).toBe(false);
    await ar.rows([record('a', { severity, status: 'closed' })]);
    expect(ar.sentences()[0]).toBe('Critical: fire, 531 km W of São Tomé, ST. 2 active incidents.');
    await ar.clock.advance(minute);
    await ar.rows([record('d', { severity })]);
    expect(ar.sentences()[0]).toBe('Critical: fire, 531 km W of São Tomé, ST.');
    expect(ar.alarms().active).toHaveLength(3);
  });

  it('keeps incidents apart that have no location, another severity or another place', async () => {
    const ar = await running();
    await ar.rows([
      ...many(2, { severity: 'critical', location: null }),
      record('high'),
      record('critical', { severity: 'critical' }),
      record('there', { location: { latitude: 50, longitude: 8, altitude: null } }),
    ]);
    expect(ar.alarms().active.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1]);
  });

  it('puts the first reading below a new incident of the same severity, though it sounded later', async () => {
    const ar = createAlarmRig();
    await ar.feature.start(null);
    ar.phase('first');
    await ar.rows(many(3, { severity: 'critical' }, 'C'), 0);
    await ar.rows([record('NEW', { severity: 'critical' })]);
    ar.phase('rolling');
    await ar.rows([record('high')]);
    expect(ar.alarms().active.map(({ kind, severity }) => [kind, severity])).toEqual([
      ['incident', 'critical'],
      ['summary', 'critical'],
      ['incident', 'high'],
    ]);
  });

  it('drops a summary when the last of its incidents is closed, and not while one was only dropped', async () => {
    const ar = await running();
    await ar.rows(many(6));
    await ar.rows(many(5, { status: 'closed' }));
    expect(ar.alarms().active).toMatchObject([{ level: 2, count: 6, listed: 6 }]);
    await ar.store.applyRows({ upserts: [], removals: ['INC-5'] });
    expect(ar.alarms().active).toMatchObject([{ level: 2 }]);
    await ar.rows(many(6, { status: 'closed' }));
    expect(ar.sentences()).toEqual(['6 incidents no longer active since 12:00 UTC.']);
  });

  it('does not repeat what was acknowledged: not when it comes back, falls and rises, or was gone', async () => {
    const ar = await running();
    await ar.rows([record('a', { severity: 'critical' }), record('b')]);
    await ar.feature.acknowledgeAll();
    await ar.rows([record('a', { severity: 'high' })]);
    await ar.feature.acknowledgeAll();
    const { sequence } = ar.siren();
    await ar.rows([record('a', { severity: 'critical' })]);
    await ar.store.applyRows({ upserts: [], removals: [], marks: [{ id: 'b', since: 1 }] });
    await ar.rows([record('b')]);
    await ar.store.applyRows({ upserts: [], removals: ['a', 'b'] });
    await ar.rows([record('a', { severity: 'critical' }), record('b')]);
    expect(ar.alarms().active).toEqual([]);
    expect(ar.siren()).toMatchObject({ sequence, unacknowledged: 0 });
  });

  it('does not take a known incident that was dropped for a new one when it comes back', async () => {
    const ar = createAlarmRig();
    await ar.feature.start(null);
    await ar.restore(many(10));
    ar.phase('rolling');
    await ar.store.applyRows({ upserts: [], removals: ['INC-1'] });
    await ar.rows([record('INC-1')]);
    expect(ar.alarms().active).toEqual([]);
  });

  it('follows the chosen severity and area from then on', async () => {
    const ar = await running();
    ar.feature.set({ least: 'critical' });
    await ar.rows([record('a')]);
    ar.feature.set({ least: 'none' });
    await ar.rows([record('b', { severity: 'critical' })]);
    expect(ar.alarms().active).toEqual([]);
    const area = { kind: 'view', west: 170, south: -10, east: -170, north: 10 } as const;
    ar.feature.set({ least: 'low', area });
    await ar.rows([
      record('c', { location: { latitude: 0, longitude: -175, altitude: null } }),
      record('d', { location: { latitude: 0, longitude: 0, altitude: null } }),
      record('e', { location: null }),
      record('f', { severity: 'unheard of', location: null }),
    ]);
    expect(
      ar
        .alarms()
        .active.map(({ incidentIds }) => incidentIds[0])
        .sort(),
    ).toEqual(['c', 'e', 'f']);
  });

  it('takes another spelling of a severity for the same, and one without a rank for as urgent as critical', async () => {
    const ar = await running([record('a', { severity: 'critical' }), record('b', { severity: 'low' })]);
    await ar.rows([record('a', { severity: ' CRITICAL' }), record('b', { severity: 'Minor' })]);
    expect(ar.alarms().active).toEqual([]);
    ar.feature.set({ least: 'critical' });
    await ar.rows([record('c', { severity: 'catastrophic' })]);
    expect(ar.alarms().active).toMatchObject([{ incidentIds: ['c'], level: 3 }]);
    await ar.rows([record('d', { severity: 'Extreme' })]);
    expect(ar.siren()).toMatchObject({ worstSeverity: 'critical', level: 3 });
  });

  it('goes by the ranking of the deployment file', async () => {
    const ar = await running();
    ar.store.patch('app', {
      severities: [
        { name: 'catastrophic', synonyms: ['black'] },
        { name: 'low', synonyms: ['green'] },
      ],
    });
    await ar.rows([record('a', { severity: 'GREEN' })]);
    expect(ar.alarms().active).toEqual([]);
    await ar.rows([record('b', { severity: 'critical' }), record('c', { severity: 'Black' })]);
    expect(
      ar
        .alarms()
        .active.map(({ severity }) => severity)
        .sort(),
    ).toEqual(['catastrophic', 'critical']);
    expect(ar.siren().worstSeverity).toBe('catastrophic');
  });

  it('keeps the siren free of ids, names and places', async () => {
    const ar = await running();
    await ar.rows([record('CANARY-ID', { incidentType: 'CANARY-TYPE' })]);
    expect(JSON.stringify(ar.alarms())).toContain('CANARY-ID');
    expect(JSON.stringify(ar.siren())).not.toContain('CANARY');
    expect(ar.siren()).toMatchObject({ severity: 'high', worstSeverity: 'high', level: 2 });
  });

  it('looks at 100,000 rows of one change without holding up the loop for long', async () => {
    const ar = await running();
    const rows = many(100_000, { severity: 'high' });
    await ar.store.applyRows({ upserts: rows.slice(0, 1).map(upsertOf), removals: [] });
    // Rows are looked at in turns of the loop: on a busy machine this one is looked at after its change.
    while (ar.alarms().active.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await ar.feature.acknowledgeAll();
    expect(ar.alarms().active).toEqual([]);
    const writing = ar.store.applyRows({ upserts: rows.map(upsertOf), removals: [] });
    await writing;
    let [longest, yielding] = [0, 0];
    const cpu = process.cpuUsage();
    const begun = performance.now();
    let last = begun;
    while (ar.alarms().active.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      yielding += 1;
    }
    const { user } = process.cpuUsage(cpu);
    process.stdout.write(
      `alarms, 100,000 new rows at once: ${(last - begun).toFixed(0)} ms in ${String(yielding)} turns ` +
        `(longest ${longest.toFixed(0)} ms; ${(user / 1_000).toFixed(0)} ms of the processor)\n`,
    );
    expect(ar.alarms().active).toMatchObject([{ count: 99_999, kind: 'summary' }]);
    expect(yielding).toBeGreaterThan(1);
  });
});

describe('what is no incident', () => {
  it('alarms when a known integration goes down, and says when it recovered', async () => {
    const ar = await running();
    ar.integrations({ ai: 'ok', ipfs: 'down', text: 'unknown' });
    expect(ar.alarms().active).toEqual([]);
    ar.integrations({ ai: 'down', ipfs: 'down', text: 'down' });
    expect(ar.sentences()).toEqual(['Label of ai is down.']);
    expect(ar.siren()).toMatchObject({ kind: 'integration', level: 2, severity: null });
    // The service cannot be reached: what was said last stays, and nothing alarms.
    ar.store.patch('health', { checking: true });
    ar.integrations({ ai: 'unknown', ipfs: 'down', text: 'down' });
    expect(ar.sentences()).toEqual(['Label of ai is down.']);
    await ar.clock.advance(4 * minute);
    ar.integrations({ ai: 'ok', ipfs: 'ok', text: 'down' });
    expect(ar.sentences()[0]).toMatch(/^Label of ai was down from 12:0\d UTC and recovered at 12:0\d UTC\.$/);
    const { sequence } = ar.siren();
    ar.integrations({ ai: 'down', ipfs: 'ok', text: 'down' });
    expect(ar.sentences()).toEqual(['Label of ai is down.']);
    expect(ar.alarms().active).toMatchObject([{ level: 2, recoveredAt: null }]);
    expect(ar.siren().sequence).toBe(sequence);
  });

  it('clears an integration that has stayed up for five minutes, and alarms when it goes down after that', async () => {
    const ar = await running();
    ar.integrations({ ai: 'ok' });
    ar.integrations({ ai: 'down' });
    ar.integrations({ ai: 'ok' });
    await ar.clock.advance(5 * minute - 1);
    expect(ar.alarms().active).toMatchObject([{ level: 1 }]);
    expect(ar.siren().unacknowledged).toBe(0);
    await ar.clock.advance(1);
    expect(ar.alarms().active).toEqual([]);
    expect(ar.alarms().past[0]).toMatchObject({ kind: 'integration', acknowledgedAt: null });
    const { sequence } = ar.siren();
    ar.integrations({ ai: 'down' });
    expect(ar.siren().sequence).toBe(sequence + 1);
  });

  it('does not repeat an integration that comes and goes within five minutes of an acknowledgement', async () => {
    const ar = await running();
    ar.integrations({ ai: 'ok' });
    ar.integrations({ ai: 'down' });
    await ar.feature.acknowledgeAll();
    for (let time = 0; time < 4; time += 1) {
      ar.integrations({ ai: 'ok' });
      await ar.clock.advance(minute);
      ar.integrations({ ai: 'down' });
      await ar.clock.advance(10_000);
    }
    expect(ar.alarms().active).toEqual([]);
    ar.integrations({ ai: 'ok' });
    await ar.clock.advance(minute);
    ar.integrations({ ai: 'down' });
    expect(ar.sentences()).toEqual(['Label of ai is down.']);
  });

  it('alarms when the session ends, not when a password is wrong, and says when it is back', async () => {
    const ar = await running();
    const failure = { code: 'session-rejected' } as never;
    ar.store.patch('session', { session: { state: 'renewing', expiresAt: 1 } });
    ar.store.patch('session', { session: { state: 'rejected', failure } });
    expect(ar.alarms().active).toMatchObject([{ kind: 'session', level: 3 }]);
    expect(ar.sentences()[0]).toContain('Sign in to resume');
    expect(ar.siren()).toMatchObject({ sequence: 1, kind: 'session', level: 3 });
    ar.store.patch('session', { session: { state: 'signing-in' } });
    ar.store.patch('session', { session: { state: 'rejected', failure } });
    expect(ar.siren().sequence).toBe(1);
    ar.store.patch('session', { session: { state: 'active', expiresAt: 2 } });
    expect(ar.sentences()[0]).toContain('live again');
    expect(ar.alarms().active).toMatchObject([{ level: 1, recoveredAt: ar.clock.wallNow() }]);
    await ar.clock.advance(minute);
    expect(ar.alarms().active).toEqual([]);
  });

  it('never stands above an unacknowledged critical incident once it has passed', async () => {
    const ar = await running();
    ar.store.patch('session', { session: { state: 'active', expiresAt: 1 } });
    ar.store.patch('session', {
      session: { state: 'rejected', failure: { code: 'session-rejected' } as never },
    });
    await ar.rows([record('low', { severity: 'low' }), record('a', { severity: 'critical' })]);
    expect(ar.alarms().active.map(({ kind }) => kind)).toEqual(['incident', 'session']);
    ar.store.patch('session', { session: { state: 'active', expiresAt: 2 } });
    await ar.rows([record('b', { severity: 'critical', location: null })]);
    expect(ar.alarms().active.map(({ kind }) => kind)).toEqual(['incident', 'incident', 'session']);
    expect(ar.siren()).toMatchObject({ unacknowledged: 2, worstSeverity: 'critical' });
  });

  it('clears what had passed before a restart, once its time is over', async () => {
    const records = new MemoryRecords();
    const ar = createAlarmRig();
    await ar.feature.start(records);
    ar.needDecision(1);
    ar.needDecision(0);
    await ar.feature.stop();
    await ar.clock.advance(30_000);
    const next = ar.again();
    await next.start(records);
    expect(ar.sentences()).toEqual(['The uploads that needed a decision are settled.']);
    await ar.clock.advance(30_000);
    expect(ar.sentences()).toEqual([]);
    await next.stop();
    expect(ar.clock.pending()).toBe(0);
  });

  it('alarms when more uploads need a decision, not because the outbox was opened', async () => {
    const records = new MemoryRecords();
    const ar = createAlarmRig();
    await ar.feature.start(records);
    ar.needDecision(2);
    expect(ar.alarms().active).toMatchObject([{ kind: 'upload', level: 2, count: 2 }]);
    ar.needDecision(3);
    expect(ar.alarms().active).toMatchObject([{ kind: 'upload', count: 3 }]);
    expect(ar.siren().sequence).toBe(2);
    await ar.feature.acknowledgeAll();
    ar.needDecision(0, false);
    await ar.feature.stop();
    const next = ar.again();
    await next.start(records);
    ar.needDecision(3);
    expect(ar.alarms().active).toEqual([]);
    ar.needDecision(4);
    expect(ar.sentences()[0]).toContain('4 uploads need a decision');
    ar.needDecision(0);
    expect(ar.sentences()).toEqual(['The uploads that needed a decision are settled.']);
    await next.stop();
  });

  it('is silent about what was switched off', async () => {
    const ar = await running();
    ar.feature.set({ integrations: false, session: false, uploads: false });
    ar.integrations({ ai: 'ok' });
    ar.integrations({ ai: 'down' });
    ar.needDecision(3);
    ar.store.patch('session', { session: { state: 'rejected', failure: {} as never } });
    expect(ar.alarms().active).toEqual([]);
  });
});

describe('an acknowledgement', () => {
  it('is kept with its note, and can be taken back for eight seconds without a sound', async () => {
    const records = new MemoryRecords();
    const ar = createAlarmRig();
    await ar.feature.start(records);
    ar.phase('rolling');
    await ar.rows([record('a', { severity: 'critical' }), record('b')]);
    const [alarm] = ar.alarms().active;
    const { sequence } = ar.siren();
    await ar.feature.acknowledge([alarm?.id ?? ''], '  Crew 4 goes ');
    expect(ar.alarms().past).toMatchObject([{ note: 'Crew 4 goes' }]);
    expect(ar.alarms().undo).toEqual({ count: 1, until: ar.clock.wallNow() + 8_000 });
    await ar.clock.advance(7_999);
    expect((await ar.feature.undo()).ok).toBe(true);
    expect(ar.alarms().active[0]).toEqual(alarm);
    expect(ar.alarms()).toMatchObject({ past: [], undo: null });
    expect(ar.siren()).toMatchObject({ sequence, unacknowledged: 2 });
    const text = said(alarm?.sentence) ?? '';
    expect(ar.told).toEqual([`${text} Crew 4 goes`, `undone: ${text}`]);
    expect(await ar.feature.undo()).toMatchObject({ ok: false, failure: { code: 'not-found' } });
    await ar.feature.acknowledgeAll();
    expect(ar.alarms().undo?.count).toBe(2);
    await ar.clock.advance(8_000);
    expect(ar.alarms().undo).toBeNull();
    expect((await ar.feature.undo()).ok).toBe(false);
    await ar.feature.stop();
    expect(ar.clock.pending()).toBe(0);
  });

  it('is not taken back where a later alarm about the same waits', async () => {
    const ar = await running();
    await ar.rows([record('a', { severity: 'high' })]);
    await ar.feature.acknowledgeAll();
    await ar.rows([record('a', { severity: 'critical' })]);
    expect((await ar.feature.undo()).ok).toBe(false);
    expect(ar.alarms().active).toHaveLength(1);
    expect(ar.alarms().past).toHaveLength(1);
  });
});

describe('a snooze', () => {
  it('puts an alarm behind those that call, in silence, until its time; over a restart too', async () => {
    const records = new MemoryRecords();
    const ar = createAlarmRig();
    await ar.feature.start(records);
    ar.phase('rolling');
    await ar.rows([record('a', { severity: 'critical' }), record('b')]);
    const [critical] = ar.alarms().active;
    expect(ar.feature.snooze(critical?.id ?? '', 15).ok).toBe(true);
    expect(ar.alarms().active.map(({ severity }) => severity)).toEqual(['high', 'critical']);
    expect(ar.siren()).toMatchObject({ unacknowledged: 1, worstSeverity: 'high' });
    await ar.feature.stop();
    const next = ar.again();
    await next.start(records);
    const { sequence } = ar.siren();
    await ar.clock.advance(15 * minute - 1);
    expect(ar.siren().sequence).toBe(sequence);
    await ar.clock.advance(1);
    expect(ar.alarms().active[0]).toEqual(critical);
    expect(ar.siren()).toMatchObject({ sequence: sequence + 1, level: 3, unacknowledged: 2 });
    expect(next.snooze('unknown', 15).ok).toBe(false);
    await next.stop();
  });

  it('ends early where it is asked for', async () => {
    const ar = await running();
    await ar.rows([record('a')]);
    const id = ar.alarms().active[0]?.id ?? '';
    ar.feature.snooze(id, 60);
    ar.feature.snooze(id, null);
    expect(ar.alarms().active).toMatchObject([{ snoozedUntil: null }]);
    expect(ar.siren().unacknowledged).toBe(1);
  });
});

describe('rules', () => {
  it('of a type hold in place of the severity for all, in whatever spelling', async () => {
    const ar = await running();
    ar.feature.set({
      types: [
        { type: 'Flood', least: 'low' },
        { type: 'drill', least: 'none' },
      ],
    });
    await ar.rows([
      record('a', { severity: 'low', incidentType: 'FLOOD' }),
      record('b', { severity: 'critical', incidentType: 'Drill' }),
      record('c', { severity: 'medium' }),
    ]);
    expect(ar.sentences()).toEqual(['Low: FLOOD, 531 km W of São Tomé, ST.']);
  });

  it('make an emergency of an alarm without an acknowledgement for the set time, once', async () => {
    const ar = await running();
    ar.feature.set({ escalateAfterMs: 5 * minute });
    await ar.rows([record('a')]);
    await ar.rows([record('b', { location: null })]);
    ar.feature.snooze(ar.alarms().active[0]?.id ?? '', 15);
    const { sequence } = ar.siren();
    await ar.clock.advance(5 * minute - 1);
    expect(ar.alarms().active.map(({ level }) => level)).toEqual([2, 2]);
    await ar.clock.advance(1);
    expect(ar.alarms().active).toMatchObject([{ level: 3, escalatedAt: ar.clock.wallNow() }, { level: 2 }]);
    expect(ar.siren()).toMatchObject({ sequence: sequence + 1, level: 3 });
    await ar.rows([record('a', { status: 'closed' })]);
    expect(ar.alarms().active.at(-1)).toMatchObject({ level: 1 });
    await ar.clock.advance(4 * minute);
    expect(ar.siren().sequence).toBe(sequence + 1);
  });

  it('of quiet hours let emergencies alone be heard, over midnight too', async () => {
    const ar = await running();
    const now = new Date(ar.clock.wallNow());
    const minuteNow = now.getHours() * 60 + now.getMinutes();
    const { sequence } = ar.siren();
    const quietHours = { from: minuteNow, to: (minuteNow + 1_439) % 1_440 };
    expect(quietHours.to).toBeLessThan(quietHours.from);
    ar.feature.set({ quietHours });
    await ar.rows([record('a')]);
    expect(ar.alarms().active).toHaveLength(1);
    expect(ar.siren().sequence).toBe(sequence);
    await ar.rows([record('b', { severity: 'critical' })]);
    expect(ar.siren()).toMatchObject({ sequence: sequence + 1, level: 3 });
    ar.feature.set({ quietHours: { from: minuteNow + 1, to: minuteNow + 2 } });
    await ar.rows([record('c')]);
    expect(ar.siren().sequence).toBe(sequence + 2);
  });

  it('are as usual where what was stored cannot be read', async () => {
    const settings = { least: 'low', area: { kind: 'everywhere' }, sound: false };
    const stored = { ...settings, types: 'all', quietHours: { from: -1, to: 0 } };
    const text = JSON.stringify({ version: 1, settings: stored, active: [{ alarm: {} }], past: [] });
    const ar = createAlarmRig();
    await ar.feature.start(new MemoryRecords(new Map([['alarms', text]])));
    expect(ar.alarms()).toMatchObject({ settings: { ...alarmsAtStart.settings, ...settings }, active: [] });
    await ar.feature.stop();
  });
});

describe('a mute', () => {
  it('keeps the siren silent and the alarms visible, for as long as it was asked for', async () => {
    const ar = await running();
    ar.feature.mute(5);
    const { mutedUntil } = ar.siren();
    expect(mutedUntil).toBe(ar.clock.wallNow() + 5 * minute);
    await ar.rows([record('a', { severity: 'critical' })]);
    expect(ar.siren()).toMatchObject({ sequence: 0, unacknowledged: 1, worstSeverity: 'critical' });
    await ar.clock.advance(5 * minute + 1);
    expect(ar.siren().mutedUntil).toBeNull();
    await ar.rows([record('b', { severity: 'critical' })]);
    expect(ar.siren().sequence).toBe(1);
    ar.feature.mute(60);
    ar.feature.mute(null);
    expect(ar.siren().mutedUntil).toBeNull();
    await ar.rows([record('c', { severity: 'critical' })]);
    expect(ar.siren().sequence).toBe(2);
  });

  it('outlives a restart, and not a clock that was a day ahead', async () => {
    const records = new MemoryRecords();
    const ar = createAlarmRig();
    await ar.feature.start(records);
    ar.feature.mute(30);
    const { mutedUntil } = ar.siren();
    await ar.feature.stop();
    expect(ar.siren().mutedUntil).toBeNull();
    const next = ar.again();
    await next.start(records);
    expect(ar.siren().mutedUntil).toBe(mutedUntil);
    ar.clock.setWall(ar.clock.wallNow() - 86_400_000);
    ar.store.patch('time', { serverNow: ar.clock.wallNow() });
    expect(ar.siren().mutedUntil).toBeNull();
    await next.stop();
  });
});

describe('what is stored', () => {
  it('is all there after a restart, and what was acknowledged stays so', async () => {
    const records = new MemoryRecords();
    const ar = createAlarmRig();
    await ar.feature.start(records);
    ar.phase('rolling');
    ar.feature.set({ least: 'low', sound: false });
    await ar.rows([record('a', { severity: 'critical' }), record('b')]);
    await ar.feature.acknowledge([ar.alarms().active[0]?.id ?? '']);
    // What can be undone is not kept.
    const before = { ...ar.alarms(), undo: null };
    expect(before.active).toHaveLength(1);
    const { sequence } = ar.siren();
    await ar.feature.stop();
    expect(ar.alarms()).toEqual(alarmsAtStart);
    expect(ar.siren()).toEqual({ ...sirenAtStart, sequence });
    ar.store.beginEpoch();
    const next = ar.again();
    await next.start(records);
    expect(ar.alarms()).toEqual(before);
    expect(ar.siren()).toMatchObject({ sequence, unacknowledged: 1, sound: false });
    // The cache was lost with all rows, and the service returns them as new.
    await ar.rows([record('a', { severity: 'critical' }), record('b')]);
    expect(ar.alarms()).toEqual(before);
    await next.stop();
  });

  it('of an acknowledgement is a row, which is on the disk when it is answered', async () => {
    const records = new MemoryRecords();
    const ar = createAlarmRig();
    await ar.feature.start(records);
    ar.phase('rolling');
    await ar.rows([record('a', { severity: 'critical' }), record('b')]);
    await ar.clock.advance(1_000);
    const [alarm, other] = ar.alarms().active;
    const { length } = records.calls;
    expect(await ar.feature.acknowledge([alarm?.id ?? ''], 'Crew 4 goes')).toEqual(ok(null));
    expect(records.calls.slice(length)).toEqual(['write alarms']);
    // Killed now: the document has the alarm as an active one.
    const killed = createAlarmRig();
    await killed.feature.start(records.copy());
    expect(killed.alarms()).toEqual({ ...ar.alarms(), undo: null });
    expect(killed.alarms().past).toMatchObject([{ id: alarm?.id, note: 'Crew 4 goes' }]);
    await killed.feature.stop();

    expect(await ar.feature.undo()).toEqual(ok(null));
    const undone = createAlarmRig();
    await undone.feature.start(records.copy());
    expect(undone.alarms().active).toEqual([alarm, other]);
    await undone.feature.stop();

    // The next document says it too.
    await ar.feature.acknowledgeAll();
    expect(records.tables.alarms.size).toBe(2);
    ar.feature.set({ sound: false });
    await ar.feature.stop();
    expect(records.tables.alarms.size).toBe(0);
    const next = ar.again();
    await next.start(records);
    expect(ar.alarms()).toMatchObject({ active: [], past: [{}, {}] });
    await next.stop();
  });

  it('of an alarm that no document had yet is there after a kill, and does not alarm again', async () => {
    const records = new MemoryRecords();
    const ar = createAlarmRig();
    await ar.feature.start(records);
    ar.phase('rolling');
    await ar.rows([record('a')]);
    await ar.rows([record('b', { severity: 'critical' })]);
    await ar.feature.acknowledgeAll();
    const killed = createAlarmRig();
    await killed.feature.start(records.copy());
    killed.phase('rolling');
    await killed.rows([record('a'), record('b', { severity: 'critical' })]);
    expect(killed.alarms()).toMatchObject({ active: [], past: [{}, {}] });
    await killed.feature.stop();
    await ar.feature.stop();
  });

  it('of an acknowledgement that could not be written is answered so, and written later', async () => {
    const records = new MemoryRecords();
    const ar = createAlarmRig();
    await ar.feature.start(records);
    ar.phase('rolling');
    await ar.rows([record('a', { severity: 'critical' })]);
    await ar.clock.advance(1_000);
    records.refuses = () => true;
    const answer = await ar.feature.acknowledgeAll();
    expect(answer).toMatchObject({ ok: false, failure: { code: 'storage-failed' } });
    expect(ar.alarms()).toMatchObject({ active: [], past: [{}] });
    expect(ar.siren().unacknowledged).toBe(0);
    records.refuses = () => false;
    await ar.clock.advance(30_000);
    const killed = createAlarmRig();
    await killed.feature.start(records.copy());
    expect(killed.alarms()).toMatchObject({ active: [], past: [{}] });
    await killed.feature.stop();
    await ar.feature.stop();
  });

  it('is written at once, then at most once a second, and at the stop', async () => {
    const records = new MemoryRecords();
    const ar = createAlarmRig();
    await ar.feature.start(records);
    for (let time = 0; time < 50; time += 1) {
      ar.feature.set({ sound: time % 2 === 0 });
      await flush();
    }
    expect(records.writes).toBe(1);
    await ar.clock.advance(1_000);
    expect(records.writes).toBe(2);
    ar.feature.set({ notifications: 'brief' });
    await ar.feature.stop();
    expect(records.writes).toBe(3);
    expect(records.documents.get('alarms')).toContain('"notifications":"brief"');
  });

  it('is tried again when it could not be written, and never stops the desk', async () => {
    const records = new MemoryRecords();
    records.refuses = () => true;
    const ar = createAlarmRig();
    await ar.feature.start(records);
    expect(ar.feature.set({ sound: false }).ok).toBe(true);
    await flush();
    expect(ar.logger.lines.some(({ event }) => event === 'document-not-kept')).toBe(true);
    records.refuses = () => false;
    await ar.clock.advance(31_000);
    expect(records.documents.get('alarms')).toContain('"sound":false');
    await ar.feature.stop();
  });

  it('starts empty from a document with anything else', async () => {
    const records = new MemoryRecords(new Map([['alarms', '{"version":1,"settings":7,"past":"x"}']]));
    const ar = createAlarmRig();
    await ar.feature.start(records);
    expect(ar.alarms()).toEqual(alarmsAtStart);
    await ar.feature.stop();
  });
});

describe('the end', () => {
  it('is final: nothing is watched, nothing is changed, and what was still being read changes nothing', async () => {
    const records = new MemoryRecords();
    const ar = createAlarmRig();
    const hold = Promise.withResolvers<void>();
    records.ready = hold.promise;
    const started = ar.feature.start(records);
    let isStopped = false;
    const stopped = ar.feature.stop().then(() => (isStopped = true));
    await flush();
    // The actions are still being read: whoever waits for the stop would close them.
    expect(isStopped).toBe(false);
    hold.resolve();
    await Promise.all([stopped, started]);
    await ar.rows([record('a', { severity: 'critical' })]);
    ar.integrations({ ai: 'ok' });
    ar.integrations({ ai: 'down' });
    expect(ar.alarms()).toEqual(alarmsAtStart);
    expect(ar.siren()).toEqual(sirenAtStart);
    expect(ar.clock.pending()).toBe(0);
  });

  it('of a session that is forgotten sounds on the sign-in page, and that of one that was signed out does not', async () => {
    for (const [ended, muted] of [
      ['forgotten', false],
      ['forgotten', true],
      ['signed-out', false],
    ] as const) {
      const ar = await running();
      await ar.rows([record('a')]);
      if (muted) ar.feature.mute(60);
      const { sequence } = ar.siren();
      // The vault is left first, then the session says how it ended.
      const stopped = ar.feature.stop();
      expect(ar.siren().unacknowledged).toBe(0);
      ar.store.set('session', { vault: 'closed', session: { state: 'none', ended }, username: null });
      await stopped;
      expect(ar.alarms()).toEqual(alarmsAtStart);
      if (ended === 'signed-out') expect(ar.siren()).toEqual({ ...sirenAtStart, sequence });
      else {
        expect(ar.siren()).toMatchObject({ kind: muted ? null : 'session', unacknowledged: 1 });
        expect(ar.siren().sequence).toBe(muted ? sequence : sequence + 1);
      }
      // The next operator has nothing of it.
      const next = ar.again();
      await next.start(null);
      expect(ar.siren().unacknowledged).toBe(0);
      await next.stop();
    }
  });
});
