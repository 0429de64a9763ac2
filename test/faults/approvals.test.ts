import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Decided, Result } from '../../src-preload/contract/index.ts';
import type { RequestFault } from '../../src-main/training/index.ts';
import { flush } from '../support/clock.ts';
import { campaignTimeoutMs, casesOf, runCampaign } from '../support/campaign.ts';
import { signedInToTraining } from '../core/missions/trainingRig.ts';

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
const campaign = { name: 'approvals that are cut', whole: 1_000, part: 42 };

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
  switch (fault) {
    case 'none':
      return rig.drive(decide());
    case 'down': {
      await training.goDown();
      const answer = await rig.drive(decide());
      await training.comeUp();
      return answer;
    }
    case 'leave': {
      void decide();
      await flush(1);
      await rig.restart();
      return null;
    }
    default: {
      const takeBack = training.failNext(1, fault, '/admin/missions/approve');
      const answer = await rig.drive(decide(), 1_000);
      takeBack();
      return answer;
    }
  }
}

describe('an approval that is cut', () => {
  it(
    'has one effect at most, and becomes known without a second key',
    async () => {
      let expected = 0;
      const outcomes = await runCampaign(campaign, async (draw, index) => {
        const fault = faults[index % faults.length] ?? 'none';
        const missionId = rig.training.addMission();
        const first = await meet(missionId, fault);
        const before = first === null ? 'left' : outcomeOf(first);
        const shown = rig.slice().missions.find(({ id }) => id === missionId)?.decided ?? null;
        if (before === 'refused' || before === 'conflict') expect(effectsOn(missionId)).toEqual([]);
        if (before === 'done') expect(effectsOn(missionId)).toHaveLength(1);
        if (shown?.outcome === 'unknown') {
          // Neither another key nor the other decision leaves while it is unknown.
          const bare = await rig.missions.decide({ missionId, decision: 'approve', again: false });
          const other = await rig.missions.decide({ missionId, decision: 'reject', again: true });
          expect([outcomeOf(bare), outcomeOf(other)]).toEqual(['outcome-unknown', 'outcome-unknown']);
          if (draw.below(3) === 0) await rig.restart();
          const known = await (draw.below(2) === 0
            ? rig.drive(rig.missions.check(missionId))
            : rig.drive(rig.missions.decide({ missionId, decision: 'approve', again: true })));
          expect(['done', 'refused', 'conflict']).toContain(outcomeOf(known));
        }
        // Time enough for what the service asked to wait.
        await rig.clock.advance(5_000);
        const last = rig.slice().missions.find(({ id }) => id === missionId)?.decided ?? null;
        // Training meets a decision with 409 by letting somebody else be the first.
        const others = fault === 'conflict';
        if (last?.outcome !== 'done') {
          const decision = { missionId, decision: 'approve', again: false } as const;
          const again = await rig.drive(rig.missions.decide(decision));
          expect(outcomeOf(again)).toBe(others ? 'conflict' : 'done');
        }
        expect(effectsOn(missionId)).toHaveLength(others ? 0 : 1);
        expected += others ? 0 : 1;
        expect(rig.slice().audit).toMatchObject({ state: 'intact', problem: null });
        return `${fault}: ${before}`;
      });
      const effects = rig.training.decisions();
      process.stdout.write(
        `approvals: ${String(casesOf(campaign))} missions, ${String(effects.length)} effects, ` +
          `${String(new Set(effects.map(({ missionId }) => missionId)).size)} missions with one\n`,
      );
      expect(effects).toHaveLength(expected);
      expect(outcomes.size).toBeGreaterThanOrEqual(faults.length);
    },
    campaignTimeoutMs,
  );
});
