import { defineStore } from 'pinia';
import { shallowRef, watch } from 'vue';
import type { Failure, Preferences, Result } from '../../../src-preload/contract/index.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';

/** Changes of settings, and the failure of the last one until another succeeds or it is closed. */
export const useSettings = defineStore('settings', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const failure = shallowRef<Failure | null>(null);

  async function settle(result: Promise<Result<unknown>>): Promise<void> {
    const settled = await result;
    failure.value = settled.ok ? null : settled.failure;
  }
  watch(
    () => mirror.opened,
    (opened) => {
      if (!opened) failure.value = null;
    },
    { flush: 'sync' },
  );

  return {
    failure,
    set: (change: Partial<Preferences>) =>
      settle(mirror.askPreferences(change, verbs.setPreferences(change))),
    setStartAtLogin: (on: boolean) => settle(verbs.setStartAtLogin({ on })),
    clear: () => {
      failure.value = null;
    },
  };
});
