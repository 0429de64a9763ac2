import { useTimeoutFn } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { linkToIncident } from '../../../src-preload/contract/index.ts';
import { copyText } from '../../base/clipboard.ts';
import { groupAt } from '../../table/groups.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useNearby } from './nearbyStore.ts';
import { useUi } from '../../base/stores/ui.ts';
import { useNotes } from '../notes/index.ts';
import { t } from '../../i18n/index.ts';
import type { IncidentTable } from '../../table/table.ts';
import { formatPosition } from '../../base/coordinates/index.ts';
import { moment } from '../../base/format.ts';
import { severityInLine, typeWord } from '../../base/severities.ts';

const onOneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

/**
 * One incident in one line for radio or chat: type, severity, place, MGRS, time in UTC, id. Line breaks of the service
 * become blanks: a message of another shape could be taken for two.
 *
 * @param name the place in words; without it the message has decimal degrees.
 */
export function messageOf(table: IncidentTable, row: number, name: string | null): string {
  const { type, severity, createdAt, place } = table.factsAt(row);
  return [
    typeWord(onOneLine(type)),
    severityInLine(severity),
    ...(place === null
      ? [t('incidents.row.noLocation')]
      : [name || formatPosition(place, 'dd'), formatPosition(place, 'mgrs')]),
    moment(createdAt, 'utc'),
    table.idAt(row),
  ]
    .map(onOneLine)
    .join(', ');
}

/** Several rows of the list, to be pinned, exported or copied together; one alone is `ui.selected`. */
export const useMarked = defineStore('marked', () => {
  const mirror = useMirror();
  const ui = useUi();
  const notes = useNotes();
  const nearby = useNearby();
  const keys = shallowRef<ReadonlySet<number>>(new Set());
  /** From where a stretch of rows is marked. */
  let anchor: number | null = null;

  /** Those that are still known, in the order of the table. */
  const rows = computed(() => {
    void mirror.tableRevision;
    const known = [...keys.value].map((key) => mirror.table.indexOfKey(key)).filter((row) => row >= 0);
    return Uint32Array.from(known).sort();
  });

  function clear(): void {
    keys.value = new Set();
    anchor = null;
  }
  /** Marks a row or takes its mark away. The first takes what is open with it, as it looks selected already. */
  function toggle(key: number): void {
    const next = new Set(keys.value);
    if (next.size === 0 && ui.selected !== null && ui.selected !== key) next.add(ui.selected);
    if (!next.delete(key)) next.add(key);
    anchor = key;
    keys.value = next;
  }
  /** Marks every row from the last marked one up to this one. `order`: the rows of the list as they stand. */
  function extend(key: number, order: Uint32Array): void {
    const { key: keyOf } = mirror.table.columns;
    const placeOf = (one: number | null): number =>
      one === null ? -1 : order.indexOf(mirror.table.indexOfKey(one));
    const to = placeOf(key);
    const from = placeOf(anchor ?? ui.selected);
    anchor ??= ui.selected ?? key;
    if (to < 0) return;
    const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
    // Headers of groups lie among the rows.
    const stretch = order.subarray(first, last + 1).filter((row) => groupAt(row) === null);
    keys.value = new Set(Array.from(stretch, (row) => keyOf[row] ?? 0));
  }

  const ids = computed(() => Array.from(rows.value, (row) => mirror.table.idAt(row)));
  async function messages(some: Iterable<number>): Promise<string> {
    const keys = Array.from(some, (row) => mirror.table.columns.key[row] ?? 0);
    await nearby.load(keys);
    return keys
      .map((key) => [key, mirror.table.indexOfKey(key)] as const)
      .filter(([, row]) => row >= 0)
      .map(([key, row]) => messageOf(mirror.table, row, nearby.nameOf(key)))
      .join('\n');
  }

  async function pin(): Promise<void> {
    for (const id of ids.value) if (!notes.pinnedIds.has(id)) await notes.pin(id, true);
  }

  // Keys hold within one epoch.
  watch(() => mirror.epoch, clear, { flush: 'sync' });

  /** What came of the last copy, said for two seconds. */
  const said = shallowRef<'copied' | 'failed' | null>(null);
  const { start: unsay } = useTimeoutFn(
    () => {
      said.value = null;
    },
    2_000,
    { immediate: false },
  );
  async function put(text: string): Promise<void> {
    said.value = (await copyText(text)) ? 'copied' : 'failed';
    unsay();
  }
  /** @param some rows of the table; those that are marked when left out. */
  async function copy(some: Iterable<number> = rows.value): Promise<void> {
    await put(await messages(some));
  }

  return {
    keys,
    rows,
    ids,
    said,
    clear,
    toggle,
    /** Marks this row alone. */
    only: (key: number) => {
      keys.value = new Set([key]);
    },
    extend,
    pin,
    copy,
    copyLink: (row: number) => put(linkToIncident(mirror.table.idAt(row))),
  };
});
