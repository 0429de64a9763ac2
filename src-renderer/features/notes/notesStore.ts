import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { useCommand } from '../../base/command.ts';
import { IdKeys } from '../../table/ids.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';
import { useHandOver } from './handOver.ts';

/**
 * What this page does about notes, pins and the shift. Words that were typed and not saved are here and
 * nowhere else: they outlast another selection, and go with the operator.
 */
export const useNotes = defineStore('watch', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const ui = useUi();
  const commands = useCommands();
  /** By incident, or by note where one is being changed. */
  const drafts = shallowRef<Readonly<Record<string, string>>>({});
  /** Why the last wish about the shift was not met. */
  const { failure, run, clear } = useCommand();

  /** Selects an incident on the map and in the list. @returns whether it is known here. */
  function show(incidentId: string): boolean {
    const key = mirror.table.keyOfId(incidentId);
    if (key !== null) ui.select(key);
    return key !== null;
  }

  // One that was opened before this page began is not opened again by it.
  watch(
    () => mirror.workspace?.linked,
    (linked, before) => {
      if (linked && before !== undefined && linked.times !== before?.times) show(linked.incidentId);
    },
  );

  return {
    drafts,
    setDraft: (of: string, text: string | null) => {
      const { [of]: _old, ...others } = drafts.value;
      drafts.value = text === null || text === '' ? others : { ...others, [of]: text };
    },
    failure,
    ...useHandOver(failure),
    ...useMarkedByNotes(),
    ...useNoteWish(),
    show,
    state: computed(() => mirror.watch ?? null),
    beginShift: () => run(verbs.beginShift({})),
    /** Keys work wherever the operator looks, so that a failure is said above everything. */
    pin: async (incidentId: string, pinned: boolean) => {
      const result = await verbs.pinIncident({ incidentId, pinned });
      if (!result.ok) commands.report('page', result.failure);
    },
    unpin: (incidentId: string) => run(verbs.pinIncident({ incidentId, pinned: false })),
    clear,
  };
});

/** The incidents that are pinned or have notes, by the keys under which list and map show them. */
function useMarkedByNotes() {
  const mirror = useMirror();
  const pins = computed(() => mirror.watch?.pins ?? []);
  const noted = computed(() => mirror.watch?.noted ?? []);
  const [pinKeys, noteKeys] = [new IdKeys(), new IdKeys()];
  /** Keys of pinned incidents by id, of those that are known here. */
  const keyOfPin = computed(() => {
    void mirror.tableRevision;
    return pinKeys.update(mirror.table, mirror.epoch, pins.value);
  });
  return {
    pins,
    pinnedIds: computed(() => new Set(pins.value)),
    keyOfPin,
    pinnedKeys: computed(() => new Set(keyOfPin.value.values())),
    notedKeys: computed(() => {
      void mirror.tableRevision;
      return new Set(noteKeys.update(mirror.table, mirror.epoch, noted.value).values());
    }),
  };
}

function useNoteWish() {
  const ui = useUi();
  /** The incident whose note the keyboard is wanted in, until its details are there and have taken it. */
  const noteWish = shallowRef<string | null>(null);
  // A wish for a note is about the incident that was looked at.
  watch(
    () => ui.selected,
    () => {
      noteWish.value = null;
    },
    { flush: 'sync' },
  );
  return {
    noteWish,
    askForNote: (incidentId: string) => {
      noteWish.value = incidentId;
    },
  };
}
