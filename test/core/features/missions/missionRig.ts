import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import type { Deployment } from '../../../../src-main/core/features/deployments/schema.ts';
import { Missions } from '../../../../src-main/core/features/missions/missions.ts';
import type { ActionAnswer, DecisionCall } from '../../../../src-main/core/service/api/coordination.ts';
import type { CallOptions, ServiceAnswer } from '../../../../src-main/core/service/api/infrastructure.ts';
import type { VaultRecords } from '../../../../src-main/core/vault/records.ts';
import {
  failed,
  missionsSchema,
  ok,
  type Failure,
  type FailureCode,
  type LiveEvent,
  type Mission,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { accountLife } from '../../accountLife.ts';
import { createFeatureRig } from '../../featureRig.ts';
import { MemoryRecords } from '../../memoryRecords.ts';
import { english } from '../../../../src-main/core/base/messages/message.ts';

export const took = (body: unknown = { status: 'approved' }, status = 200): ActionAnswer => ({
  result: ok({ body, status, requestId: 'req-done', responseMs: 1, linkCursor: null }),
  left: true,
});

export const refusedWith = (
  status: number,
  code: FailureCode,
  parts: Partial<Failure> = {},
): ActionAnswer => ({
  result: failed(makeFailure({ code, at: 0, status, requestId: 'req-no', words: 'own words', ...parts })),
  left: true,
});

export const cut = (left = true): ActionAnswer => ({
  result: failed(makeFailure({ code: 'unreachable', at: 0 })),
  left,
});

export const paths: Deployment['missions'] = {
  approvePath: '/admin/missions/approve',
  rejectPath: '/admin/missions/reject',
  pendingPath: '/admin/missions/pending',
  idField: 'mission_id',
  reasonField: null,
};

export interface MissionRigOptions {
  readonly missions?: Partial<Deployment['missions']>;
  readonly hasEvents?: boolean;
  readonly records?: MemoryRecords;
}

export function createMissionRig(options: MissionRigOptions = {}) {
  const parts = createFeatureRig();
  const records = options.records ?? new MemoryRecords();
  const decided: DecisionCall[] = [];
  const listed: (CallOptions | undefined)[] = [];
  const log: string[] = [];
  const rig = {
    decide: (_call: DecisionCall): ActionAnswer | Promise<ActionAnswer> => took(),
    list: (): unknown => [],
    listFailure: null as Failure | null,
    blocked: null as Failure | null,
  };
  const feature = accountLife(
    parts,
    (opening) =>
      new Missions(
        {
          ...parts,
          ...opening,
          coordination: {
            decide: async (call) => {
              decided.push(call);
              return rig.decide(call);
            },
            pendingMissions: async (_path, call): Promise<Result<ServiceAnswer>> => {
              listed.push(call);
              if (rig.listFailure !== null) return failed(rig.listFailure);
              return ok({ body: await rig.list(), requestId: 'req-list', responseMs: 1, linkCursor: null });
            },
          },
          deployment: {
            missions: { ...paths, ...options.missions },
            eventsPath: options.hasEvents === true ? '/events' : null,
            pollIntervals: { incidentsMs: 15_000, healthMs: 15_000 },
          },
        },
        () => rig.blocked,
      ),
  );
  parts.on('shift-line', ({ subject, outcome }) => {
    log.push(`${String(subject)} ${String(outcome).replace(/^[a-z]+-/, '')}`);
  });
  const slice = () => missionsSchema.parse(parts.store.slice('missions'));
  return Object.assign(rig, {
    ...parts,
    records,
    decided,
    listed,
    /** What the shift log is told. */
    log,
    feature,
    slice,
    mission: (id: string): Mission | undefined => slice().missions.find((mission) => mission.id === id),
    start: (open: VaultRecords | null = records) => feature.start(open, 'canary'),
    approve: (missionId: string, again = false) => feature.decide({ missionId, decision: 'approve', again }),
    reject: (missionId: string, reason?: string) =>
      feature.decide({ missionId, decision: 'reject', again: false, reason }),
    events: () => feature.readAudit(0, 200).entries.map(({ event }) => english(event)),
    audit: () =>
      feature
        .readAudit(0, 200)
        .entries.map(({ missionId, decision, outcome }) => [missionId, decision, outcome].join(' ')),
  });
}

/** The same disk and the same moment, after the console ended. */
export async function restarted(
  rig: ReturnType<typeof createMissionRig>,
  options: MissionRigOptions & { readonly laterMs?: number } = {},
) {
  const next = createMissionRig({ ...options, records: rig.records.copy() });
  await next.clock.advance(rig.clock.wallNow() - next.clock.wallNow() + (options.laterMs ?? 0));
  await next.start();
  return next;
}

export const eventOf = (kind: string, data: unknown, at: number): LiveEvent => ({
  number: 1,
  at,
  kind,
  text: typeof data === 'string' ? data : JSON.stringify(data),
  incidentId: null,
  missionId: null,
});
