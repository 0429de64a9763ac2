import { momentsOf } from '../../../../src-main/core/base/failure.ts';
import { createServerTime } from '../../../../src-main/core/base/serverTime.ts';
import { Evidence } from '../../../../src-main/core/features/evidence/evidence.ts';
import { Missions } from '../../../../src-main/core/features/missions/missions.ts';
import { startTraining } from '../../../support/training/index.ts';
import {
  evidenceSchema,
  missionsSchema,
  type TrainingSwitches,
} from '../../../../src-preload/contract/index.ts';
import { accountLife } from '../../accountLife.ts';
import { createFeatureRig } from '../../featureRig.ts';
import { MemoryRecords } from '../../memoryRecords.ts';
import { createTestLink } from '../../service/transport/service.ts';
import { paths } from './missionRig.ts';

/** The desks against a training service over real sockets, on one virtual clock. */
export async function signedInToTraining(switches: Partial<TrainingSwitches> = {}) {
  const closing: (() => Promise<void>)[] = [];
  const rig = createFeatureRig();
  const { clock, store } = rig;
  const training = await startTraining({
    clock,
    seed: 4,
    dataset: [],
    switches: { arrivals: false, integrationScript: false, ...switches },
  });
  closing.push(() => training.close());
  const serverTime = createServerTime({ clock });
  const link = createTestLink(rig, {
    url: training.infrastructureUrl,
    serverTime,
    address: {
      coordinationUrl: training.coordinationUrl,
      attemptTimeoutMs: 15_000,
      totalTimeoutMs: 45_000,
    },
  });
  closing.push(() => link.close());
  const { username, password } = training.credentials;
  const signed = await link.session.signIn(username, password);
  if (!signed.ok) throw new Error(signed.failure.code);
  let records = new MemoryRecords();
  const shared = { ...rig, ...momentsOf(serverTime.serverNow), serverTime };
  /** What the service answered to decisions; null where no answer came. */
  const answers: { readonly missionId: string; readonly status: number | null }[] = [];
  const missions = accountLife(
    rig,
    (opening) =>
      new Missions(
        {
          ...shared,
          ...opening,
          coordination: {
            decide: async (call) => {
              const answer = await link.coordination.decide(call);
              const { result } = answer;
              answers.push({ missionId: call.missionId, status: result.ok ? 200 : result.failure.status });
              return answer;
            },
            pendingMissions: (path, options) => link.coordination.pendingMissions(path, options),
          },
          deployment: {
            missions: paths,
            eventsPath: null,
            pollIntervals: { incidentsMs: 60_000, healthMs: 60_000 },
          },
        },
        () => null,
      ),
  );
  const revisions = { used: 0 };
  const evidence = accountLife(
    rig,
    (opening) =>
      new Evidence(
        {
          ...shared,
          ...opening,
          infrastructure: link.infrastructure,
          deployment: { gateways: [], pollIntervals: { incidentsMs: 15_000, healthMs: 60_000 } },
        },
        () => null,
        revisions,
      ),
  );
  await missions.start(records, username);
  closing.push(() => missions.stop());
  closing.push(() => evidence.stop());
  return {
    clock,
    training,
    link,
    answers,
    missions,
    evidence,
    startEvidence: () => evidence.start(records),
    /** Ends what was begun, the latest first. */
    close: async () => {
      for (const end of closing.splice(0).reverse()) await end();
    },
    /** As after a crash: what was under way is left, and the desk starts from what was kept. */
    restart: async () => {
      records = records.copy();
      await missions.stop();
      await missions.start(records, username);
    },
    drive: <T>(work: Promise<T>, stepMs = 50) => clock.drive(work, { stepMs }),
    slice: () => missionsSchema.parse(store.slice('missions')),
    evidenceSlice: () => evidenceSchema.parse(store.slice('evidence')),
    approve: (missionId: string, again = false) =>
      clock.drive(missions.decide({ missionId, decision: 'approve', again })),
    reject: (missionId: string) =>
      clock.drive(missions.decide({ missionId, decision: 'reject', again: false })),
  };
}
