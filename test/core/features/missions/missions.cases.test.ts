import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { casesOf } from '../../../support/campaign.ts';
import { flush, turns } from '../../../support/clock.ts';
import { readPendingMissions } from '../../../../src-main/core/features/missions/pendingList.ts';
import { createMissionRig, cut, eventOf, took } from './missionRig.ts';

const ids = (rig: ReturnType<typeof createMissionRig>): string[] => rig.slice().missions.map(({ id }) => id);

describe('the list of missions', () => {
  it('is read tolerantly: ids by the configured field, else id or mission_id, or bare', async () => {
    const rig = createMissionRig({ missions: { idField: 'ref' } });
    rig.list = () => ({
      missions: [
        { ref: 'a', id: 'x', note: { deep: 1 } },
        { id: 'b' },
        { mission_id: 'c' },
        'd',
        7,
        { ref: '' },
        null,
        { name: 'no id' },
        { ref: 'bad\u0000id' },
        { ref: 'a' },
        { id: 'e', status: 'approved' },
        { status: 'approved' },
      ],
    });
    await rig.start();
    await flush();
    expect(ids(rig)).toEqual(['a', 'b', 'c', 'd', '7']);
    expect(rig.mission('a')).toMatchObject({
      source: 'list',
      fields: [
        { name: 'ref', json: '"a"' },
        { name: 'id', json: '"x"' },
        { name: 'note', json: '{"deep":1}' },
      ],
    });
    expect(rig.slice().withoutId).toBe(4);
    expect(rig.slice()).toMatchObject({ hasList: true, failure: null, freshness: 'fresh', reading: false });
  });

  const now = Date.UTC(2026, 10, 20, 14);
  const hourAgo = new Date(now - 3_600_000).toISOString();
  it.each([
    [{ requested_at: hourAgo }, true],
    [{ createdAt: hourAgo }, true],
    [{ 'Submitted-At': hourAgo.slice(0, -1) }, true],
    [{ creation_time: hourAgo.replace('T', ' ') }, true],
    [{ pending_since: (now - 3_600_000) / 1_000 }, true],
    [{ request: { time: now - 3_600_000 } }, true],
    [{ timestamp: hourAgo }, true],
    [{ created_at: new Date(now - 7_200_000).toISOString(), requested_at: hourAgo }, true],
    [{ requested_at: 'an hour ago', created_at: hourAgo }, true],
    [{ updated_at: hourAgo, starts_at: hourAgo, requested_by: hourAgo, time: hourAgo }, false],
    [{ drone: { created_at: hourAgo }, request_id: now - 3_600_000 }, false],
    [{ requested_at: new Date(now + 3_600_000).toISOString() }, false],
    [{ requested_at: '0001-01-01T00:00:00Z', created: 7, opened: null, requested: true }, false],
  ])('names when a mission was requested, or not: %j', (fields, names) => {
    const list = [{ mission_id: 'm-1', ...fields }];
    const reading = readPendingMissions(list, null, { idField: 'mission_id', now });
    expect(reading?.missions[0]?.requestedAt).toBe(names ? now - 3_600_000 : null);
  });

  it('shows 500 at most', async () => {
    const rig = createMissionRig();
    rig.list = () => Array.from({ length: 800 }, (_, index) => ({ mission_id: String(index) }));
    await rig.start();
    await flush();
    expect(rig.slice().missions).toHaveLength(500);
    rig.decide = () => cut();
    await rig.approve('unlisted');
    expect(ids(rig)[0]).toBe('unlisted');
  });

  it.each([
    ['not-found', 404],
    ['not-granted', 403],
  ] as const)('says %s', async (code, status) => {
    const rig = createMissionRig();
    rig.listFailure = makeFailure({ code, at: 1, status });
    await rig.start();
    await rig.clock.advance(1_000);
    expect(rig.slice().failure).toMatchObject({ code, status });
    await rig.clock.advance(3_600_000);
    if (status === 403) expect(rig.listed).toHaveLength(1);
    else expect(rig.listed.length).toBeGreaterThan(1);
    rig.listFailure = null;
    expect(await rig.feature.refresh()).toEqual({ ok: true, value: null });
    expect(rig.slice().failure).toBeNull();
  });

  it('drops what is no longer pending, and keeps what was decided here', async () => {
    const rig = createMissionRig();
    rig.list = () => [{ mission_id: 'a' }, { mission_id: 'b' }, { mission_id: 'c' }];
    await rig.start();
    await flush();
    await rig.approve('b');
    rig.list = () => [{ mission_id: 'c' }];
    await rig.feature.refresh();
    expect(ids(rig)).toEqual(['c', 'b']);
    expect(rig.mission('b')?.fields).toEqual([{ name: 'mission_id', json: '"b"' }]);
  });

  it('is not asked for where none is configured', async () => {
    const rig = createMissionRig({ missions: { pendingPath: null } });
    await rig.start();
    await rig.clock.advance(600_000);
    expect(rig.listed).toHaveLength(0);
    expect(rig.slice()).toMatchObject({ hasList: false, freshness: 'none', failure: null });
    expect(await rig.feature.refresh()).toMatchObject({ failure: { code: 'not-found' } });
  });

  it('takes ids that are typed', async () => {
    const rig = createMissionRig({ missions: { pendingPath: null } });
    await rig.start();
    expect(rig.feature.lookUp('m-1').ok).toBe(true);
    expect(rig.feature.lookUp('m-1').ok).toBe(true);
    expect(rig.mission('m-1')).toMatchObject({ source: 'typed', fields: [], decided: null });
    for (let number = 0; number < 1_000; number += 1) rig.feature.lookUp(`x-${String(number)}`);
    expect(rig.slice().missions.length).toBeLessThanOrEqual(200);
  });
});

describe('an event', () => {
  it('adds its mission, and has the list read within 2 s', async () => {
    const rig = createMissionRig();
    await rig.start();
    await flush();
    rig.list = () => [{ mission_id: 'm-1', from: 'list' }];
    const at = rig.clock.wallNow();
    const requestedAt = at - 60_000;
    const told = { created_at: new Date(requestedAt).toISOString() };
    rig.feature.noteEvent('m-1', eventOf('mission.requested', told, at));
    await rig.clock.advance(200);
    expect(rig.mission('m-1')).toMatchObject({
      source: 'event',
      seenAt: at,
      requestedAt,
      fields: [{ name: 'created_at', json: JSON.stringify(told.created_at) }],
    });
    await rig.clock.advance(2_000);
    expect(rig.listed).toHaveLength(2);
    expect(rig.mission('m-1')).toMatchObject({ source: 'list', requestedAt });
  });

  it.each([
    ['mission.approved', {}, 'done'],
    ['missionRejected', {}, 'conflict'],
    ['mission', { status: 'approved' }, 'done'],
    ['mission', { decision: 'rejected' }, 'conflict'],
    ['mission.updated', {}, 'unknown'],
    ['mission.not-approved', {}, 'unknown'],
    ['mission.approve-requested', {}, 'unknown'],
    ['approval', 'free text, approved perhaps', 'unknown'],
  ])('%s %j makes an unknown outcome %s', async (kind, data, outcome) => {
    const rig = createMissionRig({ missions: { pendingPath: null }, hasEvents: true });
    await rig.start();
    rig.decide = () => cut();
    await rig.approve('m-1');
    expect(rig.mission('m-1')?.decided?.checkable).toBe(true);
    rig.feature.noteEvent('m-1', eventOf(kind, data, rig.clock.wallNow()));
    await rig.clock.advance(500);
    expect(rig.mission('m-1')?.decided?.outcome).toBe(outcome);
    expect(rig.audit()[0]).toBe(`m-1 approve ${outcome}`);
  });

  it('that comes before the connection is cut is not forgotten', async () => {
    const rig = createMissionRig({ missions: { pendingPath: null }, hasEvents: true });
    await rig.start();
    rig.decide = () => {
      rig.feature.noteEvent('m-1', eventOf('mission.approved', {}, rig.clock.wallNow()));
      return cut();
    };
    expect(await rig.approve('m-1')).toMatchObject({ value: { outcome: 'done' } });
    expect(rig.audit()).toHaveLength(3);
  });

  it('of a mission decided elsewhere takes it off the list', async () => {
    const rig = createMissionRig({ missions: { pendingPath: null }, hasEvents: true });
    await rig.start();
    rig.feature.noteEvent('m-1', eventOf('mission.requested', {}, 1));
    await rig.clock.advance(200);
    expect(ids(rig)).toEqual(['m-1']);
    rig.feature.noteEvent('m-1', eventOf('mission.approved', {}, 2));
    await rig.clock.advance(200);
    expect(ids(rig)).toEqual([]);
  });

  it('in a burst of 100,000 costs no more than 200 missions and a few reads', async () => {
    const rig = createMissionRig();
    await rig.start();
    await flush();
    let told = 0;
    rig.store.onChange(() => (told += 1));
    for (let number = 0; number < 100_000; number += 1) {
      rig.feature.noteEvent(`m-${String(number)}`, eventOf('mission.requested', {}, rig.clock.wallNow()));
    }
    await rig.clock.advance(3_000);
    expect(rig.slice().missions.length).toBeLessThanOrEqual(200);
    expect(rig.listed.length).toBeLessThanOrEqual(3);
    expect(told).toBeLessThan(20);
  });
});

describe('the audit list', () => {
  it('is exported as a file, once', async () => {
    const rig = createMissionRig();
    await rig.start();
    await rig.approve('m-1');
    const prepared = await rig.feature.exportAudit();
    if (!prepared.ok) throw new Error('not prepared');
    expect(prepared.value.exportId).toMatch(/^[0-9a-f]{32}$/);
    expect(prepared.value.fileName).toMatch(/^audit-[\d-]+\.jsonl$/);
    const text = new TextDecoder().decode(rig.downloads.take(prepared.value.exportId) ?? undefined);
    expect(text.trimEnd().split('\n')).toHaveLength(3);
    expect(rig.downloads.take(prepared.value.exportId)).toBeNull();
    expect(text).toContain(rig.decided[0]?.key ?? 'no key');
  });
});

describe('concurrent pairs', () => {
  const count = casesOf({ part: 100, whole: 1_000 });
  it('are one request each', async () => {
    const rig = createMissionRig({ missions: { pendingPath: null } });
    await rig.start();
    rig.decide = async () => {
      await turns(2);
      return took();
    };
    const pairs = Array.from({ length: count }, (_, index) => [
      rig.approve(`m-${String(index)}`),
      rig.approve(`m-${String(index)}`),
    ]);
    const answers = await Promise.all(pairs.map((pair) => Promise.all(pair)));
    for (const [one, other] of answers) {
      expect(one).toMatchObject({ ok: true, value: { outcome: 'done' } });
      expect(other).toEqual(one);
    }
    expect(rig.decided).toHaveLength(count);
    expect(new Set(rig.decided.map(({ key }) => key)).size).toBe(count);
    expect(rig.slice().audit).toEqual({ count: 2 * count, state: 'intact', problem: null });
  });
});
