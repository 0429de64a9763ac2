import type { preferenceVerbs } from '../../../../src-preload/contract/index.ts';
import { given } from '../../base/json.ts';
import type { AppContext, VerbHandlers } from '../context.ts';
import type { PreferencesDocument } from './preferences.ts';

export { PreferencesDocument } from './preferences.ts';

export const preferenceHandlers = (
  { store, refuse }: AppContext,
  preferences: PreferencesDocument,
): VerbHandlers<typeof preferenceVerbs> => ({
  setPreferences: (change) => {
    const { fixed } = store.slice('policy');
    const isFixed =
      (change.idleLockMinutes !== undefined && fixed.includes('idleLock')) ||
      (change.saveData !== undefined && fixed.includes('saveData'));
    if (isFixed) return refuse({ code: 'policy-forbids' });
    store.patch('preferences', given(change));
    return preferences.save(store.slice('preferences'));
  },
});
