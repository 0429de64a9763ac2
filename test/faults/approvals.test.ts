import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestFault } from '../support/training/index.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import type { Decided, Result } from '../../src-preload/contract/index.ts';
import { signedInToTraining } from '../core/features/missions/trainingRig.ts';
import { campaignTimeoutMs, casesOf, runCampaign } from '../support/campaign.ts';
import { turns } from '../support/clock.ts';

/** Before, during and after the request. `down` and `leave` are done by hand. */
const faults: readonly (RequestFault | 'down' | 'leave' | 'none')[] = [
  'none',
  'down',
  'leave',
  'reset',
  'cut-request',
  'answer-lost',
  'truncated',
  'garbage',
  'hang',
  'error-500',
  'storm-503',
  'too-many-requests',
  'conflict',
  'captive-portal',
];
const campaign = { name: 'approvals that are cut', whole: 1_000, part: 21 };

/** The console shows so many missions at most: after fewer another console and service go on. */
const perRig = 250;
let rig: Awaited<ReturnType<typeof signedInToTraining>>;
beforeAll(async () => {
  rig = await signedInToTraining();
});
afterAll(() => rig.close());

const outcomeOf = (answer: Result<Decided>): string =>
  answer.ok ? answer.value.outcome : answer.failure.code;
const effectsOn = (missionId: string) =>
  rig.training.decisions().filter((decision) => decision.missionId === missionId);

/** Gives the decision and meets the fault. */
async function meet(missionId: string, fault: (typeof faults)[number]): Promise<Result<Decided> | null> {
  const { missions, training } = rig;
  const decide = () => missions.decide({ missionId, decision: 'approve', again: false });
  if (fault === 'none') return rig.drive(decide());
  if (fault === 'down') {
    await training.goDown();
    const answer = await rig.drive(decide());
    await training.comeUp();
    return answer;
  }
  if (fault === 'leave') {
    void decide();
    await turns(1);
    await rig.restart();
    return null;
  }
  const takeBack = training.failNext(1, fault, '/admin/missions/approve');
  const answer = await rig.drive(decide(), 1_000);
  takeBack();
  return answer;
}

/** A list may lag: what was decided stays in it, for longer than a case lasts. */
const lagMs = 900_000;
const shownOf = (missionId: string) =>
  rig.slice().missions.find(({ id }) => id === missionId)?.decided ?? null;

/**
 * Whatever the console states of a decision, on screen or in the audit list, the service answered. No event and
 * no list names a mission's state here, so that only an answer may.
 */
function expectOnlyWhatWasAnswered(missionId: string): void {
  const statuses = rig.answers.filter((answer) => answer.missionId === missionId).map(({ status }) => status);
  const refusals = statuses.filter((status) => status !== null && status >= 400 && status < 500);
  const { entries } = rig.missions.readAudit(0, 40);
  const stated = entries.filter((entry) => entry.missionId === missionId).map(({ outcome }) => outcome);
  stated.push(shownOf(missionId)?.outcome ?? null);
  if (stated.includes('done')) expect(statuses).toContain(200);
  if (stated.includes('refused') || stated.includes('conflict')) expect(refusals).not.toEqual([]);
}

/** The list, asked again and again, ends nothing while it has the mission; then the same decision is sent again. */
async function settle(missionId: string, draw: Seeded): Promise<void> {
  const check = () => rig.drive(rig.missions.check(missionId));
  const send = (again: boolean) =>
    rig.drive(rig.missions.decide({ missionId, decision: 'approve', again }), 1_000);
  if (draw.below(3) === 0) await rig.restart();
  await rig.training.set({ missionListLagMs: draw.below(2) * lagMs });
  const lags = rig.training.switches().missionListLagMs > 0;
  for (let checks = draw.below(4); checks > 0; checks -= 1) {
    const seen = outcomeOf(await check());
    const mayLeave = !lags && effectsOn(missionId).length > 0;
    expect(mayLeave ? ['unknown', 'no-longer-listed'] : ['unknown']).toContain(seen);
    expectOnlyWhatWasAnswered(missionId);
  }
  if (shownOf(missionId)?.outcome === 'no-longer-listed') {
    // Nothing is sent for a mission that left the list, unless the list has it once more.
    expect([outcomeOf(await send(false)), outcomeOf(await send(true))]).toEqual(
      Array(2).fill('outcome-unknown'),
    );
    await rig.training.set({ missionListLagMs: lagMs });
    expect(outcomeOf(await check())).toBe('unknown');
  }
  expect(outcomeOf(await send(true))).toBe('done');
}

describe('an approval that is cut', () => {
  it(
    'has one effect at most, and becomes known without a second key',
    async () => {
      let expected = 0;
      let effects = 0;
      const expectOneEach = (): void => {
        const decisions = rig.training.decisions();
        expect(decisions).toHaveLength(expected - effects);
        expect(new Set(decisions.map(({ missionId }) => missionId)).size).toBe(decisions.length);
        effects += decisions.length;
      };
      const outcomes = await runCampaign(campaign, async (draw, index) => {
        if (index > 0 && index % perRig === 0) {
          expectOneEach();
          await rig.close();
          rig = await signedInToTraining();
        }
        const fault = faults[index % faults.length] ?? 'none';
        const missionId = rig.training.addMission();
        if (draw.below(3) > 0) await rig.drive(rig.missions.refresh());
        const first = await meet(missionId, fault);
        const before = first === null ? 'left' : outcomeOf(first);
        const shown = shownOf(missionId);
        expectOnlyWhatWasAnswered(missionId);
        if (['refused', 'conflict', 'not-sent'].includes(before)) expect(effectsOn(missionId)).toEqual([]);
        if (before === 'done') expect(effectsOn(missionId)).toHaveLength(1);
        if (shown?.outcome === 'unknown') {
          // Neither another key nor the other decision leaves while it is unknown.
          const bare = await rig.missions.decide({ missionId, decision: 'approve', again: false });
          const other = await rig.missions.decide({ missionId, decision: 'reject', again: true });
          expect([outcomeOf(bare), outcomeOf(other)]).toEqual(['outcome-unknown', 'outcome-unknown']);
          await settle(missionId, draw);
        }
        // Time enough for what the service asked to wait.
        await rig.clock.advance(5_000);
        const last = shownOf(missionId);
        // Training meets a decision with 409 by letting somebody else be the first.
        const others = fault === 'conflict';
        if (last?.outcome !== 'done') {
          const decision = { missionId, decision: 'approve', again: false } as const;
          const again = await rig.drive(rig.missions.decide(decision));
          expect(outcomeOf(again)).toBe(others ? 'conflict' : 'done');
        }
        expect(effectsOn(missionId)).toHaveLength(others ? 0 : 1);
        expectOnlyWhatWasAnswered(missionId);
        expected += others ? 0 : 1;
        // The list has caught up before the next case: with fifty missions it might go on, and end no doubt.
        await rig.clock.advance(lagMs);
        expect(rig.slice().audit).toMatchObject({ state: 'intact', problem: null });
        return `${fault}: ${before}`;
      });
      expectOneEach();
      process.stdout.write(
        `approvals: ${String(casesOf(campaign))} missions, ${String(effects)} effects, none with two\n`,
      );
      expect(outcomes.size).toBeGreaterThanOrEqual(faults.length);
    },
    campaignTimeoutMs,
  );
});
