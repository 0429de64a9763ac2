import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import type {
  Camera,
  Columns,
  GroupBy,
  Overlays,
  PanelName,
  Position,
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
 * Which incidents the list shows: all that pass the filters; of these, the ones without a location or the ones that the
 * service no longer returns; or what changed since the operator last looked, whatever the filters say.
 */
export type ListPart = 'all' | 'unlocated' | 'not-returned' | 'changed';

export interface CameraWish {
  readonly camera: Camera | null;
  readonly fly: boolean;
  /** What is to be in view, in place of the camera. */
  readonly places?: readonly Position[];
}

/** A span of time in Unix ms, both ends inclusive. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** What this page shows of the workspace: all of it, or one half in a separate window. */
export type Pane = 'all' | 'map' | 'list';

const plainOverlays: Overlays = { graticule: false, mgrsGrid: false };

/** Filters that this page applies in place of the console's. */
export type Lens = Pick<SavedView, 'range' | 'severities' | 'statuses' | 'types' | 'openOnly'>;

/** Which panel stands open, which incident is selected, and whether its details are shown. */
function selectionState() {
  const panel = shallowRef<PanelName>('incidents');
  /** The selected incident's key; keys hold within the console's epoch only. */
  const selected = shallowRef<number | null>(null);
  /** Where it was selected: the map flies only to what was not chosen on it. */
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

  function select(key: number | null, on: 'list' | 'map' = 'list'): void {
    selectedOn.value = on;
    selected.value = key;
    givesWay.value = false;
  }
  function resetSelection(): void {
    panel.value = 'incidents';
    select(null);
  }
  return { panel, selected, selectedOn, detailed, select, resetSelection };
}

/** Which incidents the list shows, in which order and form. */
function listState() {
  const sortBy = shallowRef<SortColumn>('severity');
  const sortDirection = shallowRef<SortDirection>('descending');
  /** What the list is grouped by. */
  const groupBy = shallowRef<GroupBy>('none');
  const listPart = shallowRef<ListPart>('all');
  /** Null for the usual list of two lines a row. */
  const columns = shallowRef<Columns>(null);
  /** What is shown in place of the console's own query; null for that. */
  const lens = shallowRef<Lens | null>(null);
  /** The part of the chosen range that the brush or the replay leaves; null for all of it. */
  const timeWindow = shallowRef<TimeWindow | null>(null);
  /** What the search box holds. */
  const search = shallowRef('');

  function sort(by: SortColumn, direction: SortDirection): void {
    sortBy.value = by;
    sortDirection.value = direction;
  }
  /** In a separate task: to order 100,000 rows in that of the press would hold up the frame that shows it. */
  function askSort(by: SortColumn, direction: SortDirection): void {
    setTimeout(sort, 0, by, direction);
  }
  function resetList(): void {
    sort('severity', 'descending');
    groupBy.value = 'none';
    listPart.value = 'all';
    columns.value = null;
    lens.value = null;
    timeWindow.value = null;
    search.value = '';
  }
  return {
    sortBy,
    sortDirection,
    groupBy,
    listPart,
    columns,
    lens,
    timeWindow,
    search,
    sort,
    askSort,
    resetList,
  };
}

/** Where the map looks and what lies over it. */
function mapState() {
  /** A wish for where the map is to look, null for all incidents; another object for each. */
  const cameraWish = shallowRef<CameraWish | null>(null);
  /** Where the operator brought the map; null while it follows the incidents. */
  const camera = shallowRef<Camera | null>(null);
  const overlays = shallowRef<Overlays>(plainOverlays);
  const showsDrones = shallowRef(true);
  /** Map packages that this page shows in place of those that are switched on; null for those. */
  const packages = shallowRef<SavedView['packages']>(null);
  /** Whether the histogram over time is open. */
  const timeline = shallowRef(false);
  /** Counts the wishes to bring the selected incident into view. */
  const shows = shallowRef(0);

  function look(at: Camera | null, { fly }: { readonly fly: boolean }): void {
    camera.value = at;
    cameraWish.value = { camera: at, fly };
  }
  /** Wishes to see all of these places at once. */
  function lookAt(places: readonly Position[]): void {
    camera.value = null;
    cameraWish.value = { camera: null, fly: true, places };
  }
  function resetMap(): void {
    camera.value = null;
    cameraWish.value = null;
    overlays.value = plainOverlays;
    showsDrones.value = true;
    packages.value = null;
    timeline.value = false;
    shows.value = 0;
  }
  return { cameraWish, camera, overlays, showsDrones, packages, timeline, shows, look, lookAt, resetMap };
}

/** What stands open around and over the panels. */
function frameState() {
  const drawer = shallowRef<DrawerName | null>(null);
  const signingInAgain = shallowRef(false);
  /** The storage problem that the operator read and closed; null for none. */
  const storageProblemRead = shallowRef<string | null>(null);
  /** CSS pixels; null for the width that fits the window. */
  const detailsWidth = shallowRef<number | null>(null);
  /** The dialog over everything; one at a time. */
  const overlay = shallowRef<Overlay | null>(null);
  /** Ids of the actions that were used last, the last one first. */
  const recentActions = shallowRef<readonly string[]>([]);

  function toggleDrawer(name: DrawerName): void {
    drawer.value = drawer.value === name ? null : name;
  }
  function resetFrame(): void {
    drawer.value = null;
    signingInAgain.value = false;
    storageProblemRead.value = null;
    detailsWidth.value = null;
    overlay.value = null;
    recentActions.value = [];
  }
  return {
    drawer,
    signingInAgain,
    storageProblemRead,
    detailsWidth,
    overlay,
    recentActions,
    toggleDrawer,
    resetFrame,
  };
}

/** What this page shows of the console: selection, order, panels. Nothing that the console knows. */
export const useUi = defineStore('ui', () => {
  const { resetSelection, ...selection } = selectionState();
  const { resetList, ...list } = listState();
  const { resetMap, ...map } = mapState();
  const { resetFrame, ...frame } = frameState();
  const pane = shallowRef<Pane>('all');
  /**
   * Whether the console was ended from this page: nothing comes after that. `asked`: the console was gone
   * before it could say so.
   */
  const ended = shallowRef<'no' | 'asked' | 'yes'>('no');

  /** Back to how a page starts: nothing of one operator's work stays for the next. */
  function reset(): void {
    resetSelection();
    resetList();
    resetMap();
    resetFrame();
  }

  return { ...selection, ...list, ...map, ...frame, pane, ended, reset };
});
