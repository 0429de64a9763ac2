import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import { useAlarms } from '../../features/alarms/alarmsStore.ts';
import { useMarked } from '../../features/incidents/markedStore.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';
import { useWatch } from '../../features/notes/notesStore.ts';
import type { Action } from './action.ts';

/** What is done to the incidents that are selected: those that are marked in the list, else the open one. */
export function selectionActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const ui = useUi();
  const alarms = useAlarms();
  const desk = useWatch();
  const marked = useMarked();

  return computed(() => {
    void mirror.tableRevision;
    const open = ui.selected === null ? -1 : mirror.table.indexOfKey(ui.selected);
    const several = marked.rows.length > 0;
    const rows = several ? [...marked.rows] : open < 0 ? [] : [open];
    const ids = rows.map((row) => mirror.table.idAt(row));
    const [first] = ids;
    const none = first === undefined ? t('commands.why.nothingSelected') : null;
    const theirs = ids.length === 0 ? [] : alarms.alone(new Set(ids));
    const base = { group: 'work', ofSelection: true, unavailable: none } as const;
    const openId = open < 0 ? null : mirror.table.idAt(open);
    const isPinned = ids.length > 0 && ids.every((id) => desk.pinnedIds.has(id));
    return [
      {
        ...base,
        id: 'acknowledge-selected',
        name: t('commands.selection.acknowledge'),
        unavailable: none ?? (theirs.length === 0 ? t('commands.why.noAlarms') : null),
        run: () => void alarms.acknowledgeThese(theirs.map(({ id }) => id)),
      },
      {
        ...base,
        id: 'open-selected',
        name: t('commands.selection.open'),
        unavailable: none ?? (rows[0] === open ? t('commands.why.isSo') : null),
        run: () => {
          ui.select(mirror.table.columns.key[rows[0] ?? -1] ?? null);
        },
      },
      {
        ...base,
        id: 'copy-message',
        name: t('incidents.marked.copy'),
        run: () => void marked.copy(rows),
      },
      {
        ...base,
        id: 'pin',
        name: t('commands.work.pin'),
        on: isPinned,
        run: () => {
          if (several && !isPinned) void marked.pin();
          else if (first !== undefined) void desk.pin(first, !isPinned);
        },
      },
      {
        ...base,
        id: 'note',
        name: t('commands.work.note'),
        unavailable:
          ui.pane === 'map'
            ? t('commands.why.noDetails')
            : openId === null
              ? t('commands.why.nothingSelected')
              : null,
        run: () => {
          if (openId !== null) desk.askForNote(openId);
        },
      },
      {
        ...base,
        id: 'copy-link',
        name: t('incidents.marked.link'),
        run: () => {
          if (rows[0] !== undefined) void marked.copyLink(rows[0]);
        },
      },
    ] satisfies readonly Action[];
  });
}
