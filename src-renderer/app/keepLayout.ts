import { useDebounceFn, useEventListener } from '@vueuse/core';
import { watch } from 'vue';
import type { Layout } from '../../src-preload/contract/index.ts';
import { useBridge } from '../base/stores/bridge.ts';
import { useMirror } from '../base/stores/mirror.ts';
import { useUi, type Pane } from '../base/stores/ui.ts';

/** How long the map rests before its place is sent to the console, in milliseconds. */
const restMs = 1_000;

const members = [
  'camera',
  'panel',
  'sortBy',
  'sortDirection',
  'columns',
  'groupBy',
  'overlays',
  'timeline',
  'detailsWidth',
  'recentActions',
] as const satisfies readonly (keyof Layout)[];
const sorting = ['sortBy', 'sortDirection'] as const;

/** What of the layout a window speaks for: a half of the page knows nothing of the rest. */
const ownMembers: Readonly<Record<Pane, readonly (keyof Layout)[] | null>> = {
  all: null,
  map: ['overlays', 'timeline'],
  list: ['sortBy', 'sortDirection', 'columns', 'groupBy', 'detailsWidth'],
};

/**
 * Takes over the layout that a vault brought back, and then sends the page's layout to the console. What is
 * sent before would overwrite the stored layout with that of a new page. Call once, from the page's root.
 */
export function keepLayout(): void {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const ui = useUi();
  /** The restoration that this page stands on, and the one before the present sign-in; null before the first. */
  let [taken, past]: (number | null)[] = [null, null];
  let telling = false;
  /** Members that the operator changed after the sign-in and before the layout was there: those choices stay. */
  const chosen = new Set<keyof Layout>();
  watch(
    members.map((name) => () => ui[name]),
    (now, before) => {
      if (!mirror.opened || telling) return;
      for (const [at, name] of members.entries()) if (now[at] !== before[at]) chosen.add(name);
      // A direction means nothing without its column.
      for (const name of sorting) if (sorting.some((part) => chosen.has(part))) chosen.add(name);
    },
    { flush: 'sync' },
  );

  watch(
    [() => mirror.opened, () => mirror.workspace?.restored, () => mirror.policy?.kiosk],
    ([opened, restored, kiosk]) => {
      telling = false;
      // A wallboard has no layout to store.
      if (restored === undefined || kiosk === 'wallboard') return;
      if (!opened) {
        past = restored;
        chosen.clear();
        return;
      }
      const layout = mirror.workspace?.layout;
      if (restored === 0 || restored === past || layout === undefined) return;
      // Before the taking over, which is no choice.
      telling = true;
      if (restored !== taken) takeOver(layout);
      taken = restored;
      tell(Object.fromEntries([...chosen].map((name) => [name, ui[name]])));
      chosen.clear();
    },
    { immediate: true, flush: 'sync' },
  );

  function takeOver(layout: Layout): void {
    const free = (name: keyof Layout): boolean => !chosen.has(name);
    if (ui.pane === 'all' && free('panel')) ui.panel = layout.panel;
    if (free('columns')) ui.columns = layout.columns;
    if (free('groupBy')) ui.groupBy = layout.groupBy;
    if (free('overlays')) ui.overlays = layout.overlays;
    if (free('timeline')) ui.timeline = layout.timeline;
    if (free('detailsWidth')) ui.detailsWidth = layout.detailsWidth;
    if (free('recentActions')) ui.recentActions = layout.recentActions;
    if (free('sortBy')) ui.sort(layout.sortBy, layout.sortDirection);
    if (free('camera')) ui.look(layout.camera, { fly: false });
  }

  function tell(change: Partial<Layout>): void {
    const own = ownMembers[ui.pane];
    const changes = Object.entries(change).filter(
      ([name]) => own === null || own.includes(name as keyof Layout),
    );
    // A failure is the console's to say: the page stands as it stands.
    if (telling && changes.length > 0) void verbs.keepLayout(Object.fromEntries(changes) as Partial<Layout>);
  }

  watch([() => ui.panel, () => ui.sortBy, () => ui.sortDirection], ([panel, sortBy, sortDirection]) => {
    tell({ panel, sortBy, sortDirection });
  });

  watch(
    [() => ui.columns, () => ui.groupBy, () => ui.overlays, () => ui.timeline, () => ui.detailsWidth],
    ([columns, groupBy, overlays, timeline, detailsWidth]) => {
      tell({ columns, groupBy, overlays, timeline, detailsWidth });
    },
  );

  watch(
    () => ui.recentActions,
    (recentActions) => {
      tell({ recentActions: [...recentActions] });
    },
  );

  let isUnsent = false;
  const tellCamera = (): void => {
    if (isUnsent) tell({ camera: ui.camera });
    isUnsent = false;
  };
  const tellRested = useDebounceFn(tellCamera, restMs);
  watch(
    () => ui.camera,
    () => {
      isUnsent = telling;
      void tellRested();
    },
  );
  useEventListener('pagehide', tellCamera);
}
