import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import type { ActionAnswer } from '../../../../src-main/core/service/api/coordination.ts';
import { decidedSchema } from '../../../../src-preload/contract/index.ts';
import { flush } from '../../../support/clock.ts';
import { LargeGate } from '../../service/transport/largeGate.ts';
import { createMissionRig, cut, eventOf, refusedWith, restarted, took } from './missionRig.ts';
import { said, saying } from '../../../support/messages.ts';

const hour = 3_600_000;

it('a large list is held while it is read, and no longer', async () => {
  const rig = createMissionRig();
  const gate = new LargeGate();
  const answer = (body: unknown) => async () => {
    await gate.enter(rig.listed.at(-1));
    expect(await gate.isFree()).toBe(false);
    return body;
  };
  rig.list = answer(['m-1']);
  await rig.start();
  await flush();
  expect(rig.mission('m-1')?.id).toBe('m-1');
  expect(await gate.isFree()).toBe(true);
  rig.list = answer('no list');
  expect(await rig.feature.refresh()).toMatchObject({ failure: { code: 'unreadable-answer' } });
  expect(await gate.isFree()).toBe(true);
});

describe('a decision', () => {
  it('is written down with its entry before it leaves, and with its answer after', async () => {
    const rig = createMissionRig();
    await rig.start();
    const kept: (string | undefined)[] = [];
    rig.decide = () => {
      kept.push([...rig.records.tables.decisions.values()][0]);
      expect(rig.mission('m-1')?.decided?.outcome).toBe('sending');
      expect(rig.audit()).toEqual(['m-1 approve sending']);
      return took({ state: 'approved' });
    };
    const answer = await rig.approve('m-1');
    expect(answer).toMatchObject({
      ok: true,
      value: { outcome: 'done', requestId: 'req-done', answer: '{"state":"approved"}', failure: null },
    });
    if (answer.ok) decidedSchema.parse(answer.value);
    const [call] = rig.decided;
    expect(call).toMatchObject({
      path: '/admin/missions/approve',
      operation: 'approve_mission',
      missionId: 'm-1',
      body: '{"mission_id":"m-1"}',
    });
    expect(call?.key).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.parse(kept[0] ?? '')).toMatchObject({
      missionId: 'm-1',
      decision: 'approve',
      key: call?.key,
      body: call?.body,
      username: 'canary',
      outcome: 'sending',
      anchor: rig.clock.wallNow(),
    });
    expect(rig.audit()).toEqual(['m-1 approve done', 'm-1 approve sending']);
    expect(rig.feature.readAudit(0, 1).entries[0]).toMatchObject({
      requestId: 'req-done',
      username: 'canary',
    });
  });

  it('rejects where a path is configured, under another name', async () => {
    const rig = createMissionRig({ missions: { idField: 'id' } });
    await rig.start();
    await rig.reject('m-1');
    expect(rig.decided[0]).toMatchObject({
      path: '/admin/missions/reject',
      operation: 'reject_mission',
      body: '{"id":"m-1"}',
    });
    const without = createMissionRig({ missions: { rejectPath: null } });
    await without.start();
    expect(await without.reject('m-1')).toMatchObject({ failure: { code: 'bad-request' } });
    expect(without.decided).toHaveLength(0);
    expect(without.slice().canReject).toBe(false);
  });

  it('says why it is rejected where the service takes a reason, to the service and in the audit list', async () => {
    const rig = createMissionRig({ missions: { reasonField: 'reason' } });
    await rig.start();
    expect(rig.slice().takesReason).toBe(true);
    await rig.reject('m-1', ' No landing place. ');
    expect(rig.decided[0]?.body).toBe('{"reason":"No landing place.","mission_id":"m-1"}');
    expect(rig.feature.readAudit(0, 9).entries.map(({ event }) => said(event))).toContain(
      'Asked the service to reject the mission. Reason given: No landing place.',
    );
    const without = createMissionRig();
    await without.start();
    expect(without.slice().takesReason).toBe(false);
    await without.reject('m-1', 'No landing place.');
    expect(without.decided[0]?.body).toBe('{"mission_id":"m-1"}');
  });

  it('is one request for calls made at once, and refused after it was done', async () => {
    const rig = createMissionRig();
    await rig.start();
    const answers = await Promise.all([rig.approve('m-1'), rig.approve('m-1'), rig.approve('m-1', true)]);
    expect(rig.decided).toHaveLength(1);
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toEqual(answers[2]);
    expect(await rig.approve('m-1')).toMatchObject({
      failure: { code: 'conflict', sentence: saying('This mission is already approved.') },
    });
    expect(await rig.reject('m-1')).toMatchObject({ failure: { code: 'conflict' } });
    expect(rig.decided).toHaveLength(1);
  });

  it('refuses the other decision while one is under way', async () => {
    const rig = createMissionRig();
    await rig.start();
    const [first, other] = await Promise.all([rig.approve('m-1'), rig.reject('m-1')]);
    expect(first.ok).toBe(true);
    expect(other).toMatchObject({ failure: { code: 'conflict' } });
    expect(rig.decided.map(({ operation }) => operation)).toEqual(['approve_mission']);
  });

  it('is never queued: it is refused while decisions are blocked', async () => {
    const rig = createMissionRig();
    await rig.start();
    rig.blocked = makeFailure({ code: 'unreachable', at: 1 });
    rig.feature.review();
    expect(rig.slice().blocked).toMatchObject({ code: 'unreachable' });
    expect(await rig.approve('m-1')).toMatchObject({ failure: { code: 'unreachable' } });
    rig.blocked = null;
    rig.feature.review();
    await rig.clock.advance(60_000);
    expect(rig.decided).toHaveLength(0);
    expect(rig.audit()).toEqual([]);
  });

  it('is refused where nothing can be kept', async () => {
    const rig = createMissionRig();
    await rig.start(null);
    expect(rig.slice()).toMatchObject({ blocked: { code: 'storage-failed' }, audit: { state: 'unknown' } });
    expect(await rig.approve('m-1')).toMatchObject({ failure: { code: 'storage-failed' } });
    expect(await rig.feature.exportAudit()).toMatchObject({ failure: { code: 'storage-failed' } });
    expect(rig.decided).toHaveLength(0);
  });

  it('is not sent when it cannot be written down, and can be given again', async () => {
    const rig = createMissionRig();
    await rig.start();
    rig.records.refuses = (rows) => rows !== 'head';
    expect(await rig.approve('m-1')).toMatchObject({ failure: { code: 'storage-failed' } });
    expect(rig.decided).toHaveLength(0);
    expect(rig.mission('m-1')?.decided).toBeNull();
    rig.records.refuses = () => false;
    expect(await rig.approve('m-1')).toMatchObject({ value: { outcome: 'done' } });
  });

  it('keeps its outcome when only the audit entry cannot be written', async () => {
    const rig = createMissionRig();
    await rig.start();
    rig.decide = () => {
      rig.records.refuses = (rows) => rows === 'head' || rows.some(({ table }) => table === 'audit');
      return took();
    };
    expect(await rig.approve('m-1')).toMatchObject({ value: { outcome: 'done' } });
    rig.records.refuses = () => false;
    const later = await restarted(rig);
    expect(later.mission('m-1')?.decided?.outcome).toBe('done');
  });
});

describe('an answer', () => {
  const cases: readonly [string, ActionAnswer, string, string | null][] = [
    ['what never left', cut(false), 'not-sent', 'Nothing was sent.'],
    ['401 after the renewal', refusedWith(401, 'session-rejected'), 'refused', null],
    ['400', refusedWith(400, 'bad-request'), 'refused', null],
    ['404', refusedWith(404, 'not-found'), 'refused', null],
    ['422', refusedWith(422, 'bad-request'), 'refused', null],
    ['407, which a proxy gives', refusedWith(407, 'refused-by-service'), 'unknown', null],
    ['408', refusedWith(408, 'timed-out'), 'unknown', null],
    ['425', refusedWith(425, 'refused-by-service'), 'unknown', null],
    ['409', refusedWith(409, 'conflict'), 'conflict', 'state does not allow this'],
    ['429', refusedWith(429, 'too-many-requests'), 'refused', null],
    ['500', refusedWith(500, 'service-error'), 'unknown', 'may or may not'],
    ['503', refusedWith(503, 'service-error'), 'unknown', null],
    ['302', refusedWith(302, 'answered-by-something-else'), 'unknown', null],
    ['a 200 that cannot be read', refusedWith(200, 'unreadable-answer'), 'unknown', null],
    ['a cut', cut(), 'unknown', 'may or may not'],
  ];

  it.each(cases)('of %s', async (_name, given, outcome, words) => {
    const rig = createMissionRig();
    await rig.start();
    rig.decide = () => given;
    const answer = await rig.approve('m-1');
    expect(answer).toMatchObject({ ok: true, value: { outcome } });
    expect(rig.mission('m-1')).toMatchObject({ notGranted: null, decided: { outcome } });
    if (words !== null) expect(said(rig.mission('m-1')?.decided?.failure?.sentence)).toContain(words);
    expect(rig.audit()[0]).toBe(`m-1 approve ${outcome}`);
    // Nothing is repeated by itself, whatever came.
    await rig.clock.advance(3 * hour);
    rig.feature.connectionReturned();
    rig.feature.wake();
    rig.feature.tokenChanged();
    await rig.clock.advance(60_000);
    expect(rig.decided).toHaveLength(1);
    // Another decision is a new one, unless it is not known what became of this.
    rig.decide = () => took();
    const next = await rig.approve('m-1');
    if (outcome === 'unknown') expect(next).toMatchObject({ failure: { code: 'outcome-unknown' } });
    else {
      expect(next).toMatchObject({ value: { outcome: 'done' } });
      expect(rig.decided[1]?.key).not.toBe(rig.decided[0]?.key);
    }
  });

  it('of 403 takes the action of this mission away until the next token', async () => {
    const rig = createMissionRig();
    rig.list = () => [{ mission_id: 'm-1' }, { mission_id: 'm-2' }];
    await rig.start();
    await flush();
    rig.decide = () => refusedWith(403, 'not-granted');
    expect(await rig.approve('m-1')).toMatchObject({ value: { outcome: 'refused' } });
    expect(rig.mission('m-1')?.notGranted).toMatchObject({
      code: 'not-granted',
      status: 403,
      words: 'own words',
      requestId: 'req-no',
    });
    expect(said(rig.mission('m-1')?.notGranted?.remedy)).toContain('Ask an administrator');
    expect(rig.mission('m-2')?.notGranted).toBeNull();
    expect(await rig.approve('m-1')).toMatchObject({ failure: { code: 'not-granted' } });
    expect(await rig.reject('m-1')).toMatchObject({ failure: { code: 'not-granted' } });
    rig.decide = () => took();
    expect(await rig.approve('m-2')).toMatchObject({ value: { outcome: 'done' } });
    rig.feature.tokenChanged();
    expect(rig.mission('m-1')?.notGranted).toBeNull();
    expect(await rig.approve('m-1')).toMatchObject({ value: { outcome: 'done' } });
    expect(rig.decided).toHaveLength(3);
  });

  it('of 429 says when to try, and nothing is sent before', async () => {
    const rig = createMissionRig();
    await rig.start();
    const retryAt = rig.clock.wallNow() + 90_000;
    rig.decide = () => refusedWith(429, 'too-many-requests', { retryAt });
    expect(await rig.approve('m-1')).toMatchObject({ value: { outcome: 'refused', failure: { retryAt } } });
    expect(await rig.approve('m-1')).toMatchObject({ failure: { code: 'too-many-requests', retryAt } });
    await rig.clock.advance(91_000);
    rig.decide = () => took();
    expect(await rig.approve('m-1')).toMatchObject({ value: { outcome: 'done' } });
    expect(rig.decided).toHaveLength(2);
  });

  it.each([
    ['still pending', [{ mission_id: 'm-1' }], 'It is still listed as pending.'],
    ['gone', [{ mission_id: 'm-2' }], 'It is no longer listed as pending.'],
    ['rejected', [{ mission_id: 'm-1', status: 'rejected' }], 'It was rejected.'],
  ])('of 409 is read again: %s', async (_name, list, sentence) => {
    const rig = createMissionRig();
    rig.list = () => [{ mission_id: 'm-1' }, { mission_id: 'm-2' }];
    await rig.start();
    await flush();
    rig.decide = () => {
      rig.list = () => list;
      return refusedWith(409, 'conflict');
    };
    const answer = await rig.approve('m-1');
    expect(answer).toMatchObject({ value: { outcome: 'conflict', failure: { status: 409 } } });
    expect(rig.listed).toHaveLength(2);
    expect(said(rig.mission('m-1')?.decided?.failure?.sentence)).toContain(sentence);
  });
});

describe('how a mission stands', () => {
  const shown = (rig: ReturnType<typeof createMissionRig>) => {
    const { state, fields } = rig.mission('m-1') ?? {};
    return [state, fields?.find(({ name }) => name === 'state')?.json ?? null];
  };
  async function listed() {
    const rig = createMissionRig();
    rig.list = () => [{ mission_id: 'm-1', state: 'pending' }];
    await rig.start();
    await flush();
    expect(shown(rig)).toEqual(['pending', '"pending"']);
    return rig;
  }

  it.each([
    ['approve', { state: 'Approved' }, '"Approved"'],
    ['approve', null, '"approved"'],
    ['reject', { mission: { mission_id: 'm-1', status: 'denied' } }, '"denied"'],
    ['reject', undefined, '"rejected"'],
  ] as const)('is what the answer to %s says: %j', async (decision, body, word) => {
    const rig = await listed();
    rig.decide = () => took(body ?? null);
    await rig[decision]('m-1');
    expect(shown(rig)).toEqual([decision, word]);
    // A list that lags takes nothing back.
    await rig.feature.refresh();
    expect(shown(rig)).toEqual([decision, word]);
    expect(shown(await restarted(rig))).toEqual([decision, null]);
  });

  it.each([
    ['names another decision', { state: 'rejected' }, [], 'reject', '"rejected"', 'It was rejected.'],
    ['names the end', { mission: { status: 'Expired' } }, [], 'other', '"Expired"', 'calls it Expired.'],
    ['says nothing, and the list names it', {}, [{ id: 'm-1', status: 'rejected' }], 'reject', null, ''],
    ['says nothing, and the list lost it', {}, [], 'gone', null, 'no longer listed'],
    ['says nothing, and the list has it', {}, null, 'pending', '"pending"', 'still listed'],
    ['names another mission', { id: 'm-2', state: 'rejected' }, null, 'pending', '"pending"', ''],
  ] as const)('after a 409 that %s', async (_name, refusal, list, state, word, words) => {
    const rig = await listed();
    rig.decide = () => {
      if (list !== null) rig.list = () => list;
      return { ...refusedWith(409, 'conflict'), refusal };
    };
    await rig.approve('m-1');
    expect(rig.mission('m-1')?.state).toBe(state);
    expect(shown(rig)[1]).toBe(word ?? (state === 'reject' ? '"rejected"' : null));
    expect(said(rig.mission('m-1')?.decided?.failure?.sentence)).toContain(words);
    rig.decide = () => took();
    const next = await rig.approve('m-1');
    if (state === 'pending') expect(next).toMatchObject({ value: { outcome: 'done' } });
    else expect(next).toMatchObject({ failure: { code: 'conflict' } });
    expect(rig.decided).toHaveLength(state === 'pending' ? 2 : 1);
  });

  it('is pending again once a list that had lost it has it', async () => {
    const rig = await listed();
    rig.decide = () => {
      rig.list = () => [];
      return refusedWith(409, 'conflict');
    };
    await rig.approve('m-1');
    expect(shown(rig)).toEqual(['gone', null]);
    rig.list = () => [{ mission_id: 'm-1', state: 'pending' }];
    await rig.feature.refresh();
    expect(shown(rig)).toEqual(['pending', '"pending"']);
  });

  it('is open after a 409 where a list that never had it lacks it', async () => {
    const rig = createMissionRig();
    await rig.start();
    rig.decide = () => refusedWith(409, 'conflict');
    await rig.approve('typed');
    expect(rig.mission('typed')).toMatchObject({ state: 'pending', decided: { outcome: 'conflict' } });
  });
});

describe('an unknown outcome', () => {
  async function unknown(options: Parameters<typeof createMissionRig>[0] = {}) {
    const rig = createMissionRig(options);
    rig.list = () => [{ mission_id: 'm-1' }, { mission_id: 'm-2' }];
    await rig.start();
    await flush();
    rig.decide = () => cut();
    const answer = await rig.approve('m-1');
    expect(answer).toMatchObject({ value: { outcome: 'unknown' } });
    rig.decide = () => took();
    return rig;
  }

  it('stays unknown while the mission is listed, and is sent again under its key and bytes', async () => {
    const rig = await unknown();
    const until = rig.clock.wallNow() + 23 * hour;
    expect(rig.mission('m-1')?.decided).toMatchObject({ checkable: true, listCheck: null });
    await rig.clock.advance(5_000);
    const at = rig.clock.wallNow();
    const checked = {
      outcome: 'unknown',
      failure: { code: 'unreachable' },
      listCheck: { at, listed: true },
      checkable: true,
      sameAgainUntil: until,
    };
    expect(await rig.feature.check('m-1')).toMatchObject({ value: checked });
    expect(rig.events()[0]).toMatch(/^Pending list read at .*: the mission is still listed\.$/);
    expect(rig.audit()[0]).toBe('m-1 approve unknown');
    // Neither a new key nor the other decision may follow from a list that may lag.
    expect(await rig.approve('m-1')).toMatchObject({ failure: { code: 'outcome-unknown' } });
    expect(await rig.reject('m-1')).toMatchObject({ failure: { code: 'outcome-unknown' } });
    const later = await restarted(rig);
    expect(later.mission('m-1')?.decided).toMatchObject(checked);
    expect(await later.approve('m-1', true)).toMatchObject({ value: { outcome: 'done', basis: 'answer' } });
    expect(later.decided).toEqual(rig.decided);
    expect(rig.log).toEqual(['m-1 unknown']);
  });

  it('is no longer listed once the mission left the list: nothing is said to be approved', async () => {
    const rig = await unknown();
    rig.list = () => [{ mission_id: 'm-2' }];
    const at = rig.clock.wallNow();
    expect(await rig.feature.check('m-1')).toMatchObject({
      value: {
        outcome: 'no-longer-listed',
        failure: null,
        listCheck: { at, listed: false },
        checkable: true,
        sameAgainUntil: null,
      },
    });
    expect(rig.events()[0]).toMatch(/: the mission is no longer listed as pending\.$/);
    expect(rig.audit()[0]).toBe('m-1 approve no-longer-listed');
    for (const again of [false, true]) {
      const answer = await rig.approve('m-1', again);
      expect(answer).toMatchObject({ failure: { code: 'outcome-unknown' } });
    }
    expect(rig.decided).toHaveLength(1);
    // It is listed once more, as by another copy of the list: it is unknown once more.
    rig.list = () => [{ mission_id: 'm-1' }];
    expect(await rig.feature.check('m-1')).toMatchObject({ value: { outcome: 'unknown' } });
    expect(await rig.approve('m-1', true)).toMatchObject({ value: { outcome: 'done' } });
    expect(rig.decided[1]).toEqual(rig.decided[0]);
  });

  it('becomes known by an event, also after the mission left the list', async () => {
    const rig = await unknown();
    rig.list = () => [];
    await rig.feature.check('m-1');
    rig.feature.noteEvent('m-1', eventOf('mission.approved', {}, rig.clock.wallNow()));
    await rig.clock.advance(500);
    expect(rig.mission('m-1')?.decided).toMatchObject({ outcome: 'done', basis: 'event' });
    expect(rig.events()[0]).toMatch(/^Event received at .*: it names the mission as approved\.$/);
  });

  it('stays unknown where the mission was never seen in the list that lacks it', async () => {
    const rig = createMissionRig();
    await rig.start();
    rig.decide = () => cut();
    await rig.approve('typed');
    const at = rig.clock.wallNow();
    expect(await rig.feature.check('typed')).toMatchObject({
      value: { outcome: 'unknown', listCheck: { at, listed: false }, sameAgainUntil: at + 23 * hour },
    });
    expect(rig.events()[0]).toMatch(/is not listed, and was not seen before\.$/);
    // It comes into the list late, and leaves it.
    rig.list = () => [{ mission_id: 'typed' }];
    await rig.feature.check('typed');
    rig.list = () => [];
    expect(await rig.feature.check('typed')).toMatchObject({ value: { outcome: 'no-longer-listed' } });
  });

  it('becomes what the list names, which is not who decided', async () => {
    const rig = await unknown();
    rig.list = () => [{ mission_id: 'm-1', status: 'Approved' }];
    expect(await rig.feature.check('m-1')).toMatchObject({
      value: { outcome: 'done', failure: null, basis: 'list' },
    });
    expect(rig.events()[0]).toMatch(/^Pending list read at .*: it names the mission as approved\.$/);
    const other = await unknown();
    other.list = () => [{ mission_id: 'm-1', state: 'rejected' }];
    expect(await other.feature.check('m-1')).toMatchObject({ value: { outcome: 'conflict', basis: 'list' } });
  });

  it('stays unknown where the list may go on, or cannot be read', async () => {
    const rig = await unknown();
    rig.list = () => Array.from({ length: 50 }, (_, index) => ({ mission_id: `x-${String(index)}` }));
    expect(await rig.feature.check('m-1')).toMatchObject({ failure: { code: 'outcome-unknown' } });
    rig.list = () => ({ missions: [], next_cursor: 'more' });
    expect(await rig.feature.check('m-1')).toMatchObject({ failure: { code: 'outcome-unknown' } });
    rig.listFailure = makeFailure({ code: 'unreachable', at: 0 });
    expect(await rig.feature.check('m-1')).toMatchObject({ failure: { code: 'unreachable' } });
    expect(rig.mission('m-1')?.decided?.outcome).toBe('unknown');
  });

  it('asks a list that was read after the question', async () => {
    const rig = await unknown();
    let give = (_list: unknown): void => undefined;
    rig.list = () => new Promise((resolve) => (give = resolve));
    const old = rig.feature.refresh();
    await flush();
    const checking = rig.feature.check('m-1');
    await flush();
    give([{ mission_id: 'm-1' }]);
    await old;
    expect(rig.mission('m-1')?.decided?.outcome).toBe('unknown');
    await flush();
    give([]);
    expect(await checking).toMatchObject({ value: { outcome: 'no-longer-listed' } });
  });

  it('can be sent again with the same key and bytes, for 23 hours', async () => {
    const rig = await unknown({ missions: { pendingPath: null } });
    const at = rig.clock.wallNow();
    expect(rig.mission('m-1')?.decided).toMatchObject({ checkable: false, sameAgainUntil: at + 23 * hour });
    expect(await rig.feature.check('m-1')).toMatchObject({ value: { outcome: 'unknown' } });
    expect(await rig.approve('m-1')).toMatchObject({ failure: { code: 'outcome-unknown' } });
    expect(await rig.feature.decide({ missionId: 'm-1', decision: 'reject', again: true })).toMatchObject({
      failure: { code: 'outcome-unknown' },
    });
    expect(rig.decided).toHaveLength(1);
    rig.decide = () => cut();
    await rig.clock.advance(22 * hour);
    expect(await rig.approve('m-1', true)).toMatchObject({
      value: { outcome: 'unknown', sameAgainUntil: at + 23 * hour },
    });
    expect(rig.decided[1]).toEqual(rig.decided[0]);
    await rig.clock.advance(hour);
    rig.feature.review();
    expect(rig.mission('m-1')?.decided?.sameAgainUntil).toBeNull();
    expect(await rig.approve('m-1', true)).toMatchObject({ failure: { code: 'outcome-unknown' } });
    expect(rig.decided).toHaveLength(2);
  });

  it('becomes known by sending it again', async () => {
    const rig = await unknown();
    expect(await rig.approve('m-1', true)).toMatchObject({ value: { outcome: 'done' } });
    expect(rig.decided[1]).toEqual(rig.decided[0]);
  });

  it.each([
    ['nothing left', cut(false)],
    ['429', refusedWith(429, 'too-many-requests')],
    ['403', refusedWith(403, 'not-granted')],
    ['404', refusedWith(404, 'not-found')],
    ['401', refusedWith(401, 'session-rejected')],
  ])('stays unknown when the repetition is refused: %s', async (_name, answer) => {
    const rig = await unknown();
    rig.decide = () => answer;
    expect(await rig.approve('m-1', true)).toMatchObject({ value: { outcome: 'unknown' } });
  });

  it.each([
    ['cannot be read', null, 'unknown'],
    ['still has the mission', [{ mission_id: 'm-1' }], 'unknown'],
    ['no longer has it', [], 'no-longer-listed'],
    ['names the same decision', [{ mission_id: 'm-1', state: 'approved' }], 'done'],
    ['names the other one', [{ mission_id: 'm-1', state: 'rejected' }], 'conflict'],
  ])('after a repetition that met 409 is what the list shows: it %s', async (_name, list, outcome) => {
    const rig = await unknown();
    rig.decide = () => refusedWith(409, 'conflict');
    if (list === null) rig.listFailure = makeFailure({ code: 'unreachable', at: 0 });
    else rig.list = () => list;
    expect(await rig.approve('m-1', true)).toMatchObject({ value: { outcome } });
    expect(rig.decided[1]).toEqual(rig.decided[0]);
  });

  it.each([
    ['no server time at the first attempt', false, 0, true],
    ['no server time now', true, 0, false],
    ['a clock that went back', true, -60_000, true],
  ])('cannot be sent again with %s', async (_name, before, move, after) => {
    const rig = createMissionRig();
    await rig.start();
    rig.time.verified = before;
    rig.decide = () => cut();
    await rig.approve('m-1');
    rig.time.verified = after;
    rig.clock.setWall(rig.clock.wallNow() + move);
    rig.feature.review();
    expect(rig.mission('m-1')?.decided?.sameAgainUntil).toBeNull();
    expect(await rig.approve('m-1', true)).toMatchObject({ failure: { code: 'outcome-unknown' } });
    expect(rig.decided).toHaveLength(1);
  });

  it('notices over a restart that the clock went back behind what was seen', async () => {
    const rig = await unknown();
    await rig.clock.advance(5 * hour);
    rig.feature.review();
    await flush();
    const later = createMissionRig({ records: rig.records.copy() });
    await later.start();
    expect(later.mission('m-1')?.decided).toMatchObject({ outcome: 'unknown', sameAgainUntil: null });
    await later.clock.advance(6 * hour);
    later.feature.review();
    expect(later.mission('m-1')?.decided?.sameAgainUntil).not.toBeNull();
  });

  it('cannot be repeated where there is none', async () => {
    const rig = createMissionRig();
    await rig.start();
    expect(await rig.approve('m-1', true)).toMatchObject({ failure: { code: 'conflict' } });
    expect(await rig.feature.check('m-1')).toMatchObject({ failure: { code: 'not-found' } });
    expect(rig.decided).toHaveLength(0);
  });
});

describe('a console that ends', () => {
  it('while a request is under way leaves it unknown, under the same key', async () => {
    const rig = createMissionRig();
    await rig.start();
    rig.decide = () => new Promise(() => undefined);
    void rig.approve('m-1');
    await flush();
    const later = await restarted(rig, { laterMs: 60_000 });
    expect(later.mission('m-1')?.decided).toMatchObject({ outcome: 'unknown', checkable: true });
    expect(later.audit()).toEqual(['m-1 approve unknown', 'm-1 approve sending']);
    expect(await later.approve('m-1')).toMatchObject({ failure: { code: 'outcome-unknown' } });
    await later.approve('m-1', true);
    expect(later.decided).toEqual(rig.decided);
    expect(later.slice().audit.state).toBe('intact');
  });

  it('by leaving the vault answers at once, and leaves nothing in use', async () => {
    const rig = createMissionRig();
    await rig.start();
    rig.decide = () => new Promise(() => undefined);
    const answer = rig.approve('m-1');
    await flush();
    await rig.feature.stop();
    expect(await answer).toMatchObject({ failure: { code: 'outcome-unknown' } });
    expect(rig.records.using).toBe(0);
    expect(rig.slice()).toMatchObject({ missions: [], hasList: false });
    expect(rig.clock.pending()).toBe(0);
    const later = await restarted(rig);
    expect(later.mission('m-1')?.decided?.outcome).toBe('unknown');
  });

  it('before a request left sends nothing', async () => {
    const rig = createMissionRig();
    await rig.start();
    let open = (): void => undefined;
    rig.records.gate = () => new Promise((resolve) => (open = resolve));
    const answer = rig.approve('m-1');
    await flush();
    const stopped = rig.feature.stop();
    rig.records.gate = () => Promise.resolve();
    open();
    await stopped;
    expect(await answer).toMatchObject({
      value: {
        outcome: 'not-sent',
        failure: { code: 'cancelled', sentence: saying('Nothing was sent. The session ended.') },
      },
    });
    expect(rig.decided).toHaveLength(0);
    const later = await restarted(rig);
    expect(later.mission('m-1')?.decided?.outcome).toBe('not-sent');
  });

  it('and whose row is lost knows from the audit list that it may have sent it', async () => {
    const rig = createMissionRig();
    await rig.start();
    rig.decide = () => new Promise(() => undefined);
    void rig.approve('m-1');
    await flush();
    rig.records.tables.decisions.clear();
    rig.records.damaged = { decisions: 1 };
    const later = await restarted(rig);
    expect(later.mission('m-1')?.decided).toMatchObject({ outcome: 'unknown', sameAgainUntil: null });
    expect(await later.approve('m-1')).toMatchObject({ failure: { code: 'outcome-unknown' } });
    expect(await later.approve('m-1', true)).toMatchObject({ failure: { code: 'outcome-unknown' } });
    later.list = () => [{ mission_id: 'm-1' }];
    expect(await later.feature.check('m-1')).toMatchObject({ value: { outcome: 'unknown' } });
    later.list = () => [];
    expect(await later.feature.check('m-1')).toMatchObject({ value: { outcome: 'no-longer-listed' } });
  });

  it('knows what was done', async () => {
    const rig = createMissionRig();
    await rig.start();
    await rig.approve('m-1');
    const later = await restarted(rig);
    expect(later.mission('m-1')?.decided).toMatchObject({ outcome: 'done', requestId: 'req-done' });
    expect(await later.approve('m-1')).toMatchObject({ failure: { code: 'conflict' } });
    expect(later.slice().audit).toEqual({ count: 2, state: 'intact', problem: null });
  });

  it('is shown when the audit list was changed meanwhile', async () => {
    const rig = createMissionRig();
    await rig.start();
    await rig.approve('m-1');
    const [id = '', text = ''] = [...rig.records.tables.audit][0] ?? [];
    rig.records.tables.audit.set(id, text.replace('approve', 'reject_'));
    const later = await restarted(rig);
    expect(later.slice().audit.state).toBe('damaged');
    expect(later.slice().audit.problem).toContain('entry 1');
    expect(await later.approve('m-2')).toMatchObject({ value: { outcome: 'done' } });
  });
});
