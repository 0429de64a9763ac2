import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import type { IncidentChange } from '../../../src-preload/contract/index.ts';
import { IdKeys } from '../../table/ids.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';

export type News = 'new' | IncidentChange;

/** What changed of incidents, or came, since the operator last opened their details. */
export const useChanges = defineStore('changes', () => {
  const mirror = useMirror();
  const ui = useUi();
  const ids = new IdKeys();
  /** By key of an incident that the list has: the change that says most of it, or that it is new. */
  const news = computed<ReadonlyMap<number, News>>(() => {
    void mirror.tableRevision;
    const { changed, fresh } = mirror.changes ?? { changed: [], fresh: [] };
    const byId = new Map<string, News>([
      ...changed.map(({ id, change }) => [id, change] as const),
      ...fresh.map((id) => [id, 'new'] as const),
    ]);
    const keys = [...ids.update(mirror.table, mirror.epoch, [...byId.keys()])];
    return new Map(
      keys.flatMap(([id, key]) => {
        const what = byId.get(id);
        return what === undefined || mirror.table.indexOfKey(key) < 0 ? [] : [[key, what] as const];
      }),
    );
  });

  /** What the list shows: one that is opened there is seen, and stays until the list is left. */
  const listed = shallowRef<ReadonlySet<number>>(new Set());
  watch(
    [() => ui.listPart, () => news.value, () => mirror.epoch],
    ([part, , epoch], before) => {
      const kept = part === 'changed' && before[0] === part && before[2] === epoch ? listed.value : [];
      listed.value = new Set(part === 'changed' ? [...kept, ...news.value.keys()] : []);
    },
    { flush: 'sync' },
  );

  return {
    listed,
    count: computed(() => news.value.size),
    of: (key: number): News | null => news.value.get(key) ?? null,
  };
});
