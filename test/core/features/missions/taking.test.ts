import { describe, expect, it } from 'vitest';
import { takingOf } from '../../../../src-main/core/features/missions/answerState.ts';
import { flush } from '../../../support/clock.ts';
import { createMissionRig, eventOf, took } from './missionRig.ts';
import { said } from '../../../support/messages.ts';

const about = { missionId: 'm-1', idField: 'mission_id' };
const readAs = (body: unknown, status = 200, decision: 'approve' | 'reject' = 'approve'): string => {
  const taking = takingOf({ status, body }, decision, about);
  if (taking.kind === 'unclear') return taking.why;
  return taking.kind === 'settled' ? taking.found.state : taking.kind;
};

describe('a 2xx answer to an approval', () => {
  it.each([
    [{ mission_id: 'm-1', status: 'approved' }],
    [{ missionId: 'm-1', state: 'APPROVED', error: null, errors: [] }],
    [{ data: { id: 'm-1', approved: true, rejected: false } }],
    [{ success: true, code: 200, message: 'Done' }],
    [{ ok: true, error: '' }],
    [{ status: 'ok', error_code: 0 }],
    [{ status: '200', result: 'success' }],
    [{ mission_id: 'm-1', status: 'dispatched' }],
    [{ state: 'In flight' }],
    [{ id: 'req-7', mission: { mission_id: 'm-1', decision: 'approve' } }],
    [
      {
        results: [
          { id: 'm-1', status: 'approved' },
          { id: 'm-2', status: 'pending' },
        ],
      },
    ],
    ['OK'],
    [undefined],
    [null],
    [{}],
    [[]],
    [{ operator: 'canary', at: '2026-11-27T12:00:00Z' }],
  ])('is none the less for %j', (body) => {
    expect(readAs(body)).toBe('done');
  });

  it.each([
    [{ missionId: 'm-1', status: 'rejected' }, 'reject'],
    [{ success: true, mission: { mission_id: 'm-1', state: 'Denied' } }, 'reject'],
    [{ rejected: true }, 'reject'],
    ['rejected', 'reject'],
    [{ data: { attributes: { approval_status: 'declined' } } }, 'reject'],
    [{ status: 'expired' }, 'other'],
    [{ isCancelled: true }, 'other'],
  ])('finds another state in %j', (body, state) => {
    expect(readAs(body)).toBe(state);
  });

  it.each([
    [{ approved: false, error: 'not yours' }],
    [{ error: 'mission expired' }],
    [{ approved: false }],
    [{ isApproved: 'false' }],
    [{ approved: 0 }],
    [{ success: 'False' }],
    [{ ok: 0 }],
    [{ status: false }],
    [false],
    [{ errors: [{ message: 'no' }] }],
    [{ data: { errors: { mission: ['gone'] } } }],
    [{ hasErrors: true }],
    [{ code: 403, message: 'no' }],
    [{ statusCode: '409' }],
    [{ code: -1 }],
    [{ code: 'MISSION_INVALID' }],
    [{ status: 'error' }],
    [{ status: 'validation_failed' }],
    [{ status: 'on hold' }],
    [{ state: 'not approved' }],
    [{ status: 'approved', state: 'rejected' }],
    [{ status: 'approved', error: 'quota exceeded' }],
    [{ approved: true, status: 'cancelled' }],
    [{ status: 'rejected', error: 'rate limited' }],
    [{ mission_id: 'm-1', status: { code: 500, message: 'no' } }],
  ])('is contradicted by %j', (body) => {
    expect(readAs(body)).toBe('contradicted');
  });

  it.each([
    [{ status: 'queued' }, 200],
    [{ state: 'pending' }, 200],
    [{ state: 'awaiting approval' }, 200],
    [{ status: 'In progress' }, 200],
    [{ status: 'accepted', decision: 'approve' }, 201],
    [{ pending: true }, 200],
    [{ code: 202 }, 200],
    [undefined, 202],
    [{}, 202],
    // A body raises nothing.
    [{ mission_id: 'm-1', status: 'approved' }, 202],
  ])('is to be carried out later by %j with %i', (body, status) => {
    expect(readAs(body, status)).toBe('taken');
  });

  it.each([
    [{ mission_id: 'm-2', status: 'approved' }],
    [{ missionId: 7 }],
    [{ data: [{ id: 'm-2' }, { id: 'm-3' }] }],
  ])('is about another mission in %j', (body) => {
    expect(readAs(body)).toBe('other-mission');
  });

  it('to a rejection is read the other way round', () => {
    expect(readAs({ approved: false, status: 'rejected' }, 200, 'reject')).toBe('done');
    expect(readAs({ approved: true }, 200, 'reject')).toBe('approve');
    expect(readAs({ rejected: false }, 200, 'reject')).toBe('contradicted');
    expect(readAs({ status: 'active' }, 200, 'reject')).toBe('contradicted');
  });
});

describe('an approval whose 2xx answer contradicts it', () => {
  async function answered(body: unknown, status = 200) {
    const rig = createMissionRig();
    rig.list = () => [{ mission_id: 'm-1', state: 'pending' }];
    await rig.start();
    await flush();
    rig.decide = () => took(body, status);
    await rig.approve('m-1');
    return rig;
  }
  const shown = (rig: Awaited<ReturnType<typeof answered>>) => ({
    state: rig.mission('m-1')?.state,
    outcome: rig.mission('m-1')?.decided?.outcome,
    sentence: said(rig.mission('m-1')?.decided?.failure?.sentence),
    entry: rig.events()[0],
  });

  // The six of reviews/service.md, F20.
  it.each([
    [{ missionId: 'm-1', status: 'rejected' }, 200, 'conflict', 'The mission was rejected.'],
    [
      { approved: false, error: 'not yours' },
      200,
      'unknown',
      'The service’s answer contradicts the approval.',
    ],
    [{ error: 'mission expired' }, 200, 'unknown', 'The service’s answer contradicts the approval.'],
    [
      { mission_id: 'm-9', status: 'approved' },
      200,
      'unknown',
      'The service’s answer is about another mission.',
    ],
    [
      { status: 'queued' },
      202,
      'unknown',
      'The service took the approval, but does not say that it is done.',
    ],
  ])('%j with %i is no approval', async (body, status, outcome, sentence) => {
    const rig = await answered(body, status);
    expect(shown(rig)).toEqual({
      state: outcome === 'conflict' ? 'reject' : 'pending',
      outcome,
      sentence,
      entry: `The service did not confirm the approval. ${sentence} It answered: ${JSON.stringify(body)}`,
    });
    expect(rig.mission('m-1')?.decided).toMatchObject({
      requestId: 'req-done',
      answer: JSON.stringify(body),
      failure: { status },
    });
    expect(rig.audit()[0]).toBe(`m-1 approve ${outcome}`);
    // Whatever became of it, the console gives no second decision under another key.
    expect(await rig.approve('m-1')).toMatchObject({ ok: false });
    expect(rig.decided).toHaveLength(1);
  });

  it('with 204 is one: the status says so, and nothing contradicts it', async () => {
    expect(shown(await answered(undefined, 204))).toMatchObject({ state: 'approve', outcome: 'done' });
  });

  it('names the service’s word and its error', async () => {
    const other = await answered({ mission: { id: 'm-1', status: 'Expired' } });
    expect(shown(other)).toMatchObject({
      state: 'other',
      sentence: 'The service calls the mission Expired.',
    });
    const failing = await answered({ success: false, message: 'not your mission' });
    expect(failing.mission('m-1')?.decided?.failure?.words).toBe('not your mission');
  });

  it('is settled by an event, by the list, and by the answer to its repetition', async () => {
    const heard = await answered({ status: 'queued' });
    heard.feature.noteEvent('m-1', eventOf('mission.approved', {}, heard.clock.wallNow()));
    await heard.clock.advance(500);
    expect(shown(heard)).toMatchObject({ state: 'approve', outcome: 'done' });
    const listed = await answered({ status: 'queued' });
    listed.list = () => [{ mission_id: 'm-1', state: 'rejected' }];
    await listed.feature.check('m-1');
    expect(shown(listed)).toMatchObject({ state: 'reject', outcome: 'conflict' });
    const again = await answered({ status: 'queued' }, 202);
    again.decide = () => took({ status: 'approved' });
    await again.approve('m-1', true);
    expect(shown(again)).toMatchObject({ outcome: 'done' });
    expect(again.decided[1]).toEqual(again.decided[0]);
  });
});

describe('a mission that ended otherwise', () => {
  it.each(['expired', 'Cancelled', 'approved', 'closed'])('is not pending: %s', async (state) => {
    const rig = createMissionRig();
    rig.list = () => [
      { mission_id: 'm-1', state },
      { mission_id: 'm-2', state: 'urgent' },
    ];
    await rig.start();
    await flush();
    expect(rig.slice().missions.map(({ id }) => id)).toEqual(['m-2']);
  });

  it('in the list ends what was unknown, without saying who decided', async () => {
    const rig = createMissionRig();
    await rig.start();
    rig.decide = () => took({ status: 'queued' });
    await rig.approve('typed');
    rig.list = () => [{ mission_id: 'typed', status: 'expired' }];
    await rig.feature.check('typed');
    expect(rig.mission('typed')?.decided?.outcome).toBe('no-longer-listed');
    expect(rig.events()[0]).toMatch(/: the mission is no longer listed as pending\.$/);
  });

  it('by an event leaves those that only events named', async () => {
    const rig = createMissionRig({ missions: { pendingPath: null }, hasEvents: true });
    await rig.start();
    for (const kind of ['mission.requested', 'incident.closed']) {
      rig.feature.noteEvent('m-1', eventOf(kind, { status: kind.split('.')[1] }, 1));
      await rig.clock.advance(200);
      expect(rig.mission('m-1')?.id, kind).toBe('m-1');
    }
    rig.feature.noteEvent('m-1', eventOf('mission.updated', { status: 'expired' }, 1));
    await rig.clock.advance(200);
    expect(rig.mission('m-1')).toBeUndefined();
  });

  it('keeps the fields that name no state', async () => {
    const rig = createMissionRig();
    rig.list = () => [{ mission_id: 'm-1', status: 'urgent', state: 'awaiting approval', outcome: 7 }];
    await rig.start();
    await flush();
    await rig.approve('m-1');
    expect(rig.mission('m-1')?.fields).toEqual([
      { name: 'mission_id', json: '"m-1"' },
      { name: 'status', json: '"urgent"' },
      { name: 'state', json: '"approved"' },
      { name: 'outcome', json: '7' },
    ]);
  });
});
