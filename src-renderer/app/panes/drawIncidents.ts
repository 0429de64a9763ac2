import { onBeforeUnmount, watch } from 'vue';
import { paced } from '../../base/pace.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';
import { useRows } from '../../features/incidents/index.ts';
import { useNotes } from '../../features/notes/index.ts';
import type { PaneMap } from './incidentMap.ts';

/** Draws on a map what the list shows, which of it is selected and pinned, and looks where the page asks it to. */
export function drawIncidents({ map, restMs }: Pick<PaneMap, 'map' | 'restMs'>): void {
  const mirror = useMirror();
  const rows = useRows();
  const ui = useUi();
  const notes = useNotes();

  // In a separate task: filtering, sorting and the map's copy of 100,000 rows in one would hold up a frame. And
  // not for each move of a brush: what the hand moves would wait for the map's redraw. Where that takes long, as
  // without a graphics card, the map waits until the hand rests.
  const mapRows = paced({ leastMs: () => 100, restMs }, () => {
    map.value?.setRows(mirror.table, rows.mapRows);
  });
  watch([() => map.value, () => rows.mapRows, () => mirror.tableRevision], mapRows.ask);
  onBeforeUnmount(mapRows.drop);

  watch([() => map.value, () => notes.pinnedKeys], ([made, keys]) => made?.pins.setKeys(keys));
  watch([() => map.value, () => ui.selected], () => {
    map.value?.select(ui.selected, { fly: ui.selectedOn === 'list' });
  });
  watch(
    () => ui.shows,
    () => map.value?.select(ui.selected, { fly: true }),
  );
  watch([() => map.value, () => ui.cameraWish], () => {
    const wish = ui.cameraWish;
    if (wish?.places)
      map.value?.camera.showPlaces(wish.places.map(({ longitude, latitude }) => [longitude, latitude]));
    else if (wish !== null) map.value?.camera.look(wish.camera, wish);
  });
}
