import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { Failure, MissionDecision, Result } from '../../../src-preload/contract/index.ts';
import { savePrepared } from '../../base/bridge/getFile.ts';
import { useCommand } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';

const notSaved = pageFailure('bridge-lost', 'failures.auditNotSaved', 'failures.auditNotSavedRemedy');

/**
 * What this page does about missions: which one is chosen, and the decisions that are on their way. What
 * the console knows of them is in the mirror.
 */
export const useMissions = defineStore('missions', () => {
  const bridge = useBridge();
  const { verbs } = bridge;
  const mirror = useMirror();
  const chosenId = shallowRef<string | null>(null);
  /** Missions that something was just asked about, so that a second click asks nothing. */
  const asking = shallowRef<ReadonlySet<string>>(new Set());
  /** Why the last wish about a mission was not met; by mission. */
  const failures = shallowRef<Readonly<Record<string, Failure>>>({});
  /** Why the list was not read, an id not looked up, or the audit list not exported. */
  const { failure, run, clear } = useCommand();
  const { busy: exporting, alone } = useCommand(failure);

  const missions = computed(() => mirror.missions?.missions ?? []);
  const chosen = computed(() => missions.value.find(({ id }) => id === chosenId.value) ?? null);

  async function about(missionId: string, ask: () => Promise<Result<unknown>>): Promise<void> {
    if (asking.value.has(missionId)) return;
    asking.value = new Set([...asking.value, missionId]);
    const { [missionId]: _old, ...others } = failures.value;
    failures.value = others;
    const result = await ask();
    asking.value = new Set([...asking.value].filter((id) => id !== missionId));
    if (!result.ok) failures.value = { ...failures.value, [missionId]: result.failure };
  }

  /** @returns whether the mission is there to be decided on. */
  async function lookUp(missionId: string): Promise<boolean> {
    const { ok } = await run(verbs.lookUpMission({ missionId }));
    if (ok) chosenId.value = missionId;
    return ok;
  }

  return {
    chosenId,
    chosen,
    missions,
    asking,
    failures,
    failure,
    exporting,
    lookUp,
    exportAudit: () => alone(() => savePrepared(bridge, verbs.exportAudit({}), notSaved)),
    refresh: () => run(verbs.refreshMissions({})),
    /** `again`: the same decision after an unknown outcome. */
    decide: (missionId: string, decision: MissionDecision, again: boolean, reason?: string) =>
      about(missionId, () => verbs.decideMission({ missionId, decision, again, reason })),
    check: (missionId: string) => about(missionId, () => verbs.checkDecision({ missionId })),
    clear,
  };
});
