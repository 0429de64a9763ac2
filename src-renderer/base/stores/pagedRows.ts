import { computed, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue';
import type { Failure } from '../../../src-preload/contract/index.ts';
import { PagedRows, type ReadRows, type RowKey } from '../pagedRows.ts';
import { useMirror } from './mirror.ts';

/** A list for base/PagedList.vue. */
export interface PagedSource<T> {
  readonly rows: PagedRows<T>;
  /** Counts up with every change of `rows`, which live outside Vue's reactivity. */
  readonly version: Readonly<ShallowRef<number>>;
  /** How many rows there are; null until the first answer. */
  readonly total: ComputedRef<number | null>;
  /** Why the last reading brought nothing. */
  readonly failure: ComputedRef<Failure | null>;
}

/**
 * Rows that are read by a verb, kept current with the slice that counts their changes. Call in a
 * component's setup.
 *
 * @param revision the slice's own count of changes; another value reads again what is in view.
 * @param list names which list it is; another one begins at the top.
 */
export function usePagedRows<T>({
  read,
  keyOf,
  revision,
  list = () => null,
}: {
  readonly read: ReadRows<T>;
  readonly keyOf: (row: T) => RowKey;
  readonly revision: () => unknown;
  readonly list?: () => unknown;
}): PagedSource<T> {
  const mirror = useMirror();
  const version = shallowRef(0);
  const rows = new PagedRows<T>({
    read,
    keyOf,
    onChange: () => {
      version.value += 1;
    },
  });
  // A link that was lost may have missed a change, and answered what was asked meanwhile with a failure.
  watch([() => revision(), () => mirror.link.state === 'up'], () => {
    rows.refresh();
  });
  // Keys of one epoch mean something else in the next.
  watch([() => list(), () => mirror.epoch], () => {
    rows.clear();
  });
  rows.refresh();
  const now = <V>(read: () => V) =>
    computed(() => {
      void version.value;
      return read();
    });
  return { rows, version, total: now(() => rows.total), failure: now(() => rows.failure) };
}
