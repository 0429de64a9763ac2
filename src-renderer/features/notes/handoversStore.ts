import { defineStore } from 'pinia';
import { computed } from 'vue';
import { useCommand } from '../../base/command.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';

/** What this page does about handovers of other operators, and of this one that were taken over. */
export const useHandovers = defineStore('handovers', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  /** Why the last handover could not be taken over. */
  const { failure, busy, alone, clear } = useCommand();

  /** Never fails for the page: what could not be stored is shown once more. */
  async function see(id: string): Promise<void> {
    clear();
    await verbs.seeHandover({ id });
  }

  /** @returns whether it is done; else `failure` says why. */
  async function takeOver(id: string): Promise<boolean> {
    return (await alone(() => verbs.takeOver({ id })))?.ok === true;
  }

  return { failure, busy, see, takeOver, state: computed(() => mirror.handovers ?? null) };
});
