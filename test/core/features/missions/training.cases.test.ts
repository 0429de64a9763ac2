import { afterEach, describe, expect, it } from 'vitest';
import type { TrainingSwitches } from '../../../../src-preload/contract/index.ts';
import { casesOf } from '../../../support/campaign.ts';
import { signedInToTraining } from './trainingRig.ts';
import { saying } from '../../../support/messages.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function signedIn(switches: Partial<TrainingSwitches> = {}) {
  const rig = await signedInToTraining(switches);
  closing.push(rig.close);
  return rig;
}

describe('against the training service', () => {
  it('a mission is listed, approved once, and gone', async () => {
    const rig = await signedIn();
    const id = rig.training.addMission({ purpose: 'Map the flood' });
    await rig.drive(rig.missions.refresh());
    const shown = rig.slice().missions.find((mission) => mission.id === id);
    expect(shown).toMatchObject({ source: 'list', decided: null });
    expect(shown?.fields.map(({ json }) => json)).toContain('"Map the flood"');
    const answer = await rig.approve(id);
    expect(answer).toMatchObject({ value: { outcome: 'done', requestId: expect.stringMatching(/./) } });
    expect(rig.training.missions().get(id)?.state).toBe('approved');
    expect(await rig.approve(id)).toMatchObject({ failure: { code: 'conflict' } });
    expect(rig.training.decisions()).toHaveLength(1);
    const other = rig.training.addMission();
    await rig.reject(other);
    expect(rig.training.decisions()[1]).toMatchObject({ missionId: other, decision: 'reject' });
    await rig.drive(rig.missions.refresh());
    expect(rig.slice().missions.find((mission) => mission.id === id)?.decided?.outcome).toBe('done');
  });

  it('a lost answer is unknown as long as the list lags, and until the mission left it', async () => {
    const rig = await signedIn({ missionFault: 'answer-lost', missionListLagMs: 600_000 });
    const id = rig.training.addMission();
    await rig.drive(rig.missions.refresh());
    expect(await rig.approve(id)).toMatchObject({ value: { outcome: 'unknown', checkable: true } });
    expect(rig.training.decisions()).toHaveLength(1);
    await rig.training.set({ missionFault: 'none' });
    for (let number = 1; number <= 3; number += 1) {
      expect(await rig.drive(rig.missions.check(id))).toMatchObject({
        value: { outcome: 'unknown', listCheck: { listed: true }, sameAgainUntil: expect.any(Number) },
      });
    }
    await rig.training.set({ missionListLagMs: 0 });
    expect(await rig.drive(rig.missions.check(id))).toMatchObject({
      value: { outcome: 'no-longer-listed' },
    });
  });

  it('a lost answer is sent again under its key, and is one effect', async () => {
    const rig = await signedIn({ missionFault: 'answer-lost' });
    const id = rig.training.addMission();
    await rig.approve(id);
    await rig.training.set({ missionFault: 'none' });
    expect(await rig.approve(id, true)).toMatchObject({ value: { outcome: 'done' } });
    expect(rig.training.decisions()).toHaveLength(1);
  });

  it('a request that is cut is unknown, was not done, and is done when it is sent again', async () => {
    const rig = await signedIn({ missionFault: 'cut-request' });
    const id = rig.training.addMission();
    expect(await rig.approve(id)).toMatchObject({ value: { outcome: 'unknown' } });
    expect(rig.training.decisions()).toHaveLength(0);
    await rig.training.set({ missionFault: 'none' });
    expect(await rig.drive(rig.missions.check(id))).toMatchObject({ value: { outcome: 'unknown' } });
    expect(await rig.approve(id)).toMatchObject({ failure: { code: 'outcome-unknown' } });
    expect(await rig.approve(id, true)).toMatchObject({ value: { outcome: 'done' } });
    expect(rig.training.decisions()).toHaveLength(1);
  });

  it('what cannot leave was not sent', async () => {
    const rig = await signedIn();
    const id = rig.training.addMission();
    await rig.training.goDown();
    expect(await rig.approve(id)).toMatchObject({
      value: {
        outcome: 'not-sent',
        failure: { sentence: saying(expect.stringContaining('Nothing was sent.')) },
      },
    });
    await rig.training.comeUp();
    expect(rig.training.decisions()).toHaveLength(0);
  });

  it('a missing scope takes the action away, with the service’s own words', async () => {
    const rig = await signedIn({ missionScope: false });
    const id = rig.training.addMission();
    expect(await rig.approve(id)).toMatchObject({ value: { outcome: 'refused' } });
    const shown = rig.slice().missions.find((mission) => mission.id === id);
    expect(shown?.notGranted).toMatchObject({
      status: 403,
      words: expect.stringContaining('missions:approve'),
    });
    expect(await rig.approve(id)).toMatchObject({ failure: { code: 'not-granted' } });
  });

  it('a conflict is read again', async () => {
    const rig = await signedIn({ missionFault: 'conflict' });
    const id = rig.training.addMission();
    const answer = await rig.approve(id);
    expect(answer).toMatchObject({ value: { outcome: 'conflict', failure: { status: 409 } } });
  });

  it('concurrent pairs are one request and one effect each', async () => {
    const pairs = casesOf({ part: 100, whole: 1_000 });
    const rig = await signedIn();
    const ids = Array.from({ length: pairs }, () => rig.training.addMission());
    const answers = await rig.drive(
      Promise.all(
        ids.flatMap((missionId, index) => {
          const first = rig.missions.decide({ missionId, decision: 'approve', again: false });
          const decision = index % 2 === 0 ? 'approve' : 'reject';
          return [first, rig.missions.decide({ missionId, decision, again: false })];
        }),
      ),
    );
    const done = answers.filter((answer) => answer.ok && answer.value.outcome === 'done');
    const refused = answers.filter((answer) => !answer.ok && answer.failure.code === 'conflict');
    const effects = rig.training.decisions();
    process.stdout.write(
      `missions: ${String(pairs)} concurrent pairs: ${String(effects.length)} effects, ` +
        `${String(done.length)} answers shared or own, ${String(refused.length)} other decisions refused\n`,
    );
    expect(effects).toHaveLength(pairs);
    expect(new Set(effects.map(({ missionId }) => missionId)).size).toBe(pairs);
    expect(new Set(effects.map(({ key }) => key)).size).toBe(pairs);
    expect(effects.every(({ decision }) => decision === 'approve')).toBe(true);
    expect([done.length, refused.length]).toEqual([1.5 * pairs, pairs / 2]);
    expect(rig.slice().audit).toEqual({ count: 2 * pairs, state: 'intact', problem: null });
  });

  it.each([true, false])('evidence is read to its end (with a cursor: %s)', async (evidenceWithCursor) => {
    const rig = await signedIn({ evidenceWithCursor });
    for (let number = 0; number < 433; number += 1) rig.training.addEvidence();
    await rig.startEvidence();
    await rig.drive(rig.evidence.refresh());
    const all = rig.training.evidence();
    expect(rig.evidenceSlice()).toMatchObject({
      count: all.length,
      withoutCid: 0,
      unreadable: 0,
      complete: evidenceWithCursor,
    });
    const newest = rig.evidence.read({ incidentId: null, from: 0, count: 1 }).items[0];
    expect(all.map((row) => row['cid'])).toContain(newest?.cid);
    expect(await rig.drive(rig.evidence.find([String(all[0]?.['cid'])]))).toBe('found');
    const never = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG';
    expect(await rig.drive(rig.evidence.find([never]))).toBe(evidenceWithCursor ? 'not-found' : 'unknown');
  });
});
