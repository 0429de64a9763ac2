import { defineStore } from 'pinia';
import { computed } from 'vue';
import type {
  Failure,
  IncidentQuery,
  Preferences,
  Result,
  TrainingSwitches,
} from '../../../src-preload/contract/index.ts';
import { useCommand, type Command } from '../command.ts';
import { useBridge } from './bridge.ts';
import { useMirror } from './mirror.ts';

/** Where on the page a command's failure is shown. */
export type Area = 'incidents' | 'integrations' | 'training' | 'page';

/**
 * Commands of a panel that have no form. A failure is kept until a command of the
 * same area succeeds or the operator closes it; the sign-in form and the dialogs show their own.
 */
export const useCommands = defineStore('commands', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const areas: Readonly<Record<Area, Command>> = {
    incidents: useCommand(),
    integrations: useCommand(),
    training: useCommand(),
    page: useCommand(),
  };
  const run = (area: Area, result: Promise<Result<unknown>>) => areas[area].run(result);

  /** What was asked for and is not yet mirrored, so that quick changes do not undo each other. */
  let wanted: IncidentQuery | null = null;

  async function changeQuery(change: Partial<IncidentQuery>): Promise<void> {
    const base = wanted ?? mirror.incidents?.query;
    if (base === undefined) return;
    const query = { ...base, ...change };
    wanted = query;
    await run('incidents', verbs.setIncidentQuery(query));
    if (wanted === query) wanted = null;
  }

  return {
    failures: computed(() => ({
      incidents: areas.incidents.failure.value,
      integrations: areas.integrations.failure.value,
      training: areas.training.failure.value,
      page: areas.page.failure.value,
    })),
    changeQuery,
    refresh: () => run('incidents', verbs.refreshIncidents({})),
    checkHealth: () => run('integrations', verbs.checkHealth({})),
    setPreferences: (change: Partial<Preferences>) =>
      run('page', mirror.askPreferences(change, verbs.setPreferences(change))),
    setTraining: (change: Partial<TrainingSwitches>) => run('training', verbs.setTraining(change)),
    signOut: () => run('page', verbs.signOut({})),
    renewSession: () => run('page', verbs.renewSession({})),
    seeAllChanges: () => run('incidents', verbs.seeAllChanges({ last: mirror.changes?.last ?? 0 })),
    readMissions: () => run('page', verbs.refreshMissions({})),
    lock: () => run('page', verbs.lock({})),
    dismissStorageNotice: () => run('page', verbs.dismissStorageNotice({})),
    restart: () => run('page', verbs.restart({})),
    retryGraphics: () => run('page', verbs.retryGraphics({})),
    report: (area: Area, failure: Failure) => {
      areas[area].failure.value = failure;
    },
    clear: (area: Area) => {
      areas[area].clear();
    },
    /** What one operator asked for is not told to the next. */
    reset: () => {
      wanted = null;
      for (const area of Object.values(areas)) area.clear();
    },
  };
});
