import { failed, ok } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { given } from './given.ts';
import type { VerbContext, VerbTable } from './table.ts';

/** The operator's preferences, and the switches of the training deployment. */
export const settingVerbs = ({
  deploymentSwitch,
  store,
  preferences,
}: VerbContext): Pick<VerbTable, 'setPreferences' | 'setTraining'> => ({
  setPreferences: (change) => {
    if (change.idleLockMinutes !== undefined && store.slice('policy').fixed.includes('idleLock')) {
      return failed(makeFailure({ code: 'policy-forbids', at: deploymentSwitch.now() }));
    }
    store.patch('preferences', given(change));
    return preferences.save(store.slice('preferences'));
  },
  setTraining: async (change) => {
    if (!deploymentSwitch.training || !deploymentSwitch.inTraining) {
      return failed(makeFailure({ code: 'not-in-training', at: deploymentSwitch.now() }));
    }
    await deploymentSwitch.training.set(given(change));
    deploymentSwitch.tellTraining();
    return ok(null);
  },
});
