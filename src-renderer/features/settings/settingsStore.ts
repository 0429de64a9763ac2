import { defineStore } from 'pinia';
import type { Preferences } from '../../../src-preload/contract/index.ts';
import { useCommand } from '../../base/command.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';

/** Changes of settings, and the failure of the last one until another succeeds or it is closed. */
export const useSettings = defineStore('settings', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const { failure, run, clear } = useCommand();

  return {
    failure,
    set: (change: Partial<Preferences>) => run(mirror.askPreferences(change, verbs.setPreferences(change))),
    setStartAtLogin: (on: boolean) => run(verbs.setStartAtLogin({ on })),
    clear,
  };
});
