import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { Failure } from '../../../src-preload/contract/index.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';

/** What this page does about handovers of other operators, and of this one that were taken over. */
export const useHandovers = defineStore('handovers', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  /** Why the last handover could not be taken over. */
  const failure = shallowRef<Failure | null>(null);
  const busy = shallowRef(false);

  /** Never fails for the page: what could not be stored is shown once more. */
  async function see(id: string): Promise<void> {
    failure.value = null;
    await verbs.seeHandover({ id });
  }

  /** @returns whether it is done; else `failure` says why. */
  async function takeOver(id: string): Promise<boolean> {
    if (busy.value) return false;
    busy.value = true;
    const result = await verbs.takeOver({ id });
    busy.value = false;
    failure.value = result.ok ? null : result.failure;
    return result.ok;
  }

  return { failure, busy, see, takeOver, state: computed(() => mirror.handovers ?? null) };
});
