import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import type {
  Camera,
  Columns,
  GroupBy,
  Overlays,
  PanelName,
  SavedView,
  SortColumn,
} from '../../../src-preload/contract/index.ts';
import type { SortDirection } from '../../table/sort.ts';

export type { PanelName };

/** What stands open over the map; one at a time. */
export type DrawerName = 'training' | 'sync' | 'storage' | 'events';

/** What stands over everything. */
export type Overlay = 'palette' | 'shortcuts' | 'tour' | 'words' | 'export' | 'hand-over' | 'take-over';

/**
 * Which incidents the list shows: all that pass the filters, those of them that no map shows, or those that are no
 * longer returned; or what changed since somebody looked, whatever the filters say.
 */
export type ListPart = 'all' | 'unlocated' | 'not-returned' | 'changed';

export interface CameraWish {
  readonly camera: Camera | null;
  readonly fly: boolean;
}

/** A span of time in Unix ms, both ends inclusive. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** What this page shows of the workspace: all of it, or one half in a window of its own. */
export type Pane = 'all' | 'map' | 'list';

const plainOverlays: Overlays = { graticule: false, mgrsGrid: false };

/** Filters that this page applies by itself. */
export type Lens = Pick<SavedView, 'range' | 'severities' | 'statuses' | 'types' | 'openOnly'>;

/** What this page shows of the console: selection, order, panels. Nothing that the console knows. */
export const useUi = defineStore('ui', () => {
  const panel = shallowRef<PanelName>('incidents');
  /** The selected incident's key; keys hold within the console's epoch only. */
  const selected = shallowRef<number | null>(null);
  /** Who selected last: the map flies only to what was not chosen on it. */
  const selectedOn = shallowRef<'list' | 'map'>('list');
  /** Whether the details of what was selected before make room for the missions, which are not about it. */
  const givesWay = shallowRef(false);
  /** The incident whose details are shown; what is selected while they give way stays marked. */
  const detailed = computed(() => (givesWay.value ? null : selected.value));
  watch(
    panel,
    (name) => {
      givesWay.value = name === 'missions';
    },
    { flush: 'sync' },
  );
  const sortBy = shallowRef<SortColumn>('severity');
  const sortDirection = shallowRef<SortDirection>('descending');
  /** What the list is parted by. */
  const groupBy = shallowRef<GroupBy>('none');
  const listPart = shallowRef<ListPart>('all');
  const drawer = shallowRef<DrawerName | null>(null);
  const signingInAgain = shallowRef(false);
  /** Which trouble of the storage was read and closed. */
  const storageProblemRead = shallowRef<string | null>(null);
  /** A wish for where the map is to look, null for all incidents; another object for each. */
  const cameraWish = shallowRef<CameraWish | null>(null);
  /** Where the operator brought the map; null while it follows the incidents by itself. */
  const camera = shallowRef<Camera | null>(null);
  /** What is shown in place of the console's own query; null for that. */
  const lens = shallowRef<Lens | null>(null);
  /** The part of the chosen range that the brush or the replay leaves; null for all of it. */
  const timeWindow = shallowRef<TimeWindow | null>(null);
  /** What the search box holds. */
  const search = shallowRef('');
  /** Null for the usual list of two lines a row. */
  const columns = shallowRef<Columns>(null);
  const overlays = shallowRef<Overlays>(plainOverlays);
  /** Map packages that this page shows in place of those that are switched on; null for those. */
  const packages = shallowRef<SavedView['packages']>(null);
  /** Whether the histogram over time is open. */
  const timeline = shallowRef(false);
  /** CSS pixels; null for the width that fits the window. */
  const detailsWidth = shallowRef<number | null>(null);
  const pane = shallowRef<Pane>('all');
  /** What stands over everything; one at a time. */
  const overlay = shallowRef<Overlay | null>(null);
  /**
   * Whether the console was ended from this page: nothing comes after that. `asked`: the console was gone
   * before it could say so.
   */
  const ended = shallowRef<'no' | 'asked' | 'yes'>('no');
  /** Ids of the actions that were used last, the last one first. */
  const recentActions = shallowRef<readonly string[]>([]);
  /** Counts the wishes to bring the selected incident into view. */
  const shows = shallowRef(0);

  function select(key: number | null, on: 'list' | 'map' = 'list'): void {
    selectedOn.value = on;
    selected.value = key;
    givesWay.value = false;
  }

  function toggleDrawer(name: DrawerName): void {
    drawer.value = drawer.value === name ? null : name;
  }

  function sort(by: SortColumn, direction: SortDirection): void {
    sortBy.value = by;
    sortDirection.value = direction;
  }
  /** In a task of its own: to order 100,000 rows in that of the press would hold up the frame that shows it. */
  function askSort(by: SortColumn, direction: SortDirection): void {
    setTimeout(sort, 0, by, direction);
  }

  function look(at: Camera | null, { fly }: { readonly fly: boolean }): void {
    camera.value = at;
    cameraWish.value = { camera: at, fly };
  }

  /** Back to how a page starts: nothing of one operator's work stays for the next. */
  function reset(): void {
    panel.value = 'incidents';
    select(null);
    sort('severity', 'descending');
    listPart.value = 'all';
    groupBy.value = 'none';
    drawer.value = null;
    signingInAgain.value = false;
    storageProblemRead.value = null;
    camera.value = null;
    cameraWish.value = null;
    lens.value = null;
    packages.value = null;
    timeWindow.value = null;
    search.value = '';
    columns.value = null;
    overlays.value = plainOverlays;
    timeline.value = false;
    detailsWidth.value = null;
    recentActions.value = [];
    shows.value = 0;
    overlay.value = null;
  }

  return {
    panel,
    selected,
    detailed,
    selectedOn,
    sortBy,
    sortDirection,
    listPart,
    groupBy,
    drawer,
    signingInAgain,
    storageProblemRead,
    shows,
    camera,
    cameraWish,
    lens,
    packages,
    timeWindow,
    search,
    columns,
    overlays,
    timeline,
    detailsWidth,
    recentActions,
    pane,
    overlay,
    ended,
    look,
    select,
    toggleDrawer,
    sort,
    askSort,
    reset,
  };
});
