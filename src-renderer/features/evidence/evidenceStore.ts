import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { useCommand } from '../../base/command.ts';
import { putAwaitedFile } from '../../base/bridge/putFile.ts';
import { pageFailure } from '../../base/failure.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';

const notRead = pageFailure('file-refused', 'failures.notRead', 'failures.notReadRemedy');

/** Which evidence this page shows, and the commands about it. The items are read page by page. */
export const useEvidence = defineStore('evidence', () => {
  const bridge = useBridge();
  const { verbs } = bridge;
  const mirror = useMirror();
  const ui = useUi();
  /** Only this incident's items are shown; null for all. */
  const incidentId = shallowRef<string | null>(null);
  /** Why the last command was not carried out. */
  const { failure, run, clear } = useCommand();
  /** An incident that an item names and that is not among those known here. */
  const unknownIncident = shallowRef<string | null>(null);

  async function refresh(): Promise<void> {
    const result = await verbs.refreshEvidence({});
    // What the reading met is in the list's own state.
    failure.value = result.ok || mirror.evidence?.failure ? null : result.failure;
  }

  /** Holds a file of this computer against a CID; its bytes are not kept. */
  async function verify(cid: string, file: File): Promise<void> {
    const fileName = file.name.slice(0, 1_024) || 'unnamed';
    const begun = await run(verbs.beginVerification({ cid, fileName, bytes: file.size }));
    if (!begun.ok) return;
    const { verificationId } = begun.value;
    const isAwaited = (): boolean => {
      const known = mirror.evidence?.verifications.find(({ id }) => id === verificationId);
      return known !== undefined && known.verdict === null && known.failure === null;
    };
    if ((await putAwaitedFile(bridge, `spool/${verificationId}`, file, isAwaited)) !== 'unreadable') return;
    await verbs.dismissVerification({ verificationId });
    failure.value = notRead;
  }

  /** Shows the items of one incident, or all. */
  function show(id: string | null): void {
    incidentId.value = id;
    unknownIncident.value = null;
    ui.panel = 'evidence';
  }

  /** Selects an incident that an item names; says so when it is not known here. */
  function showIncident(id: string): void {
    const key = mirror.table.keyOfId(id);
    unknownIncident.value = key === null ? id : null;
    if (key !== null) ui.select(key);
  }

  return {
    state: computed(() => mirror.evidence),
    incidentId,
    unknownIncident,
    failure,
    refresh,
    verify,
    open: (cid: string, gateway: string) => run(verbs.openInGateway({ cid, gateway })),
    show,
    showIncident,
    dismissVerification: (verificationId: string) => run(verbs.dismissVerification({ verificationId })),
    clear: () => {
      clear();
      unknownIncident.value = null;
    },
  };
});
