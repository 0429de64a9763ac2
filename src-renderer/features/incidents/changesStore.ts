import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { IdKeys } from '../../table/ids.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';

/** What changed of incidents, or came, since the operator last opened their details. */
export const useChanges = defineStore('changes', () => {
  const mirror = useMirror();
  const ui = useUi();
  const [changedIds, freshIds] = [new IdKeys(), new IdKeys()];
  const keysOf = (known: IdKeys, ids: readonly string[]): ReadonlySet<number> =>
    new Set(
      [...known.update(mirror.table, mirror.epoch, ids).values()].filter(
        (key) => mirror.table.indexOfKey(key) >= 0,
      ),
    );
  const changed = computed(() => {
    void mirror.tableRevision;
    return keysOf(changedIds, mirror.changes?.changed ?? []);
  });
  const fresh = computed(() => {
    void mirror.tableRevision;
    return keysOf(freshIds, mirror.changes?.fresh ?? []);
  });

  /** What the list shows: one that is opened there is seen, and stays until the list is left. */
  const listed = shallowRef<ReadonlySet<number>>(new Set());
  watch(
    [() => ui.listPart, () => changed.value, () => fresh.value, () => mirror.epoch],
    ([part, , , epoch], before) => {
      const kept = part === 'changed' && before[0] === part && before[3] === epoch ? listed.value : [];
      listed.value = new Set(part === 'changed' ? [...kept, ...changed.value, ...fresh.value] : []);
    },
    { flush: 'sync' },
  );

  return {
    listed,
    count: computed(() => changed.value.size + fresh.value.size),
    of: (key: number): 'new' | 'changed' | null =>
      fresh.value.has(key) ? 'new' : changed.value.has(key) ? 'changed' : null,
  };
});
