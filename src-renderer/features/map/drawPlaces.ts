import { computed, watch, type ShallowRef } from 'vue';
import { t } from '../../i18n/index.ts';
import { graticule } from '../../base/coordinates/graticule.ts';
import { mgrsGrid } from '../../base/coordinates/mgrsGrid.ts';
import { geodesicPath } from '../../base/geodesy.ts';
import type { GridView } from '../../map/gridOverlay.ts';
import type { IncidentMap } from '../../map/index.ts';
import type { Corner } from '../../map/ring.ts';
import { useCoordinates } from '../../base/stores/coordinates.ts';
import { useMapTools } from './mapToolsStore.ts';
import { useStation } from '../../base/stores/station.ts';
import { useUi } from '../../base/stores/ui.ts';

/** A geodesic bends on the map; pieces of this many metres look smooth on any screen. */
const pieceMetres = 100_000;

/** The geodesic between two corners, its longitudes running on from the first. */
function join(from: Corner, to: Corner): readonly Corner[] {
  const path = geodesicPath(
    { latitude: from[1], longitude: from[0] },
    { latitude: to[1], longitude: to[0] },
    pieceMetres,
  );
  let before = from[0];
  const middle = path.slice(1, -1).map(({ latitude, longitude }): Corner => {
    before = longitude + Math.round((before - longitude) / 360) * 360;
    return [before, latitude];
  });
  // On the far side of the world the shortest way may go round the other way than it was drawn.
  const last = to[0] + Math.round((before - to[0]) / 360) * 360;
  return [from, ...middle, [last, to[1]]];
}

/** Draws on a map what is neither an incident nor an area: grids, the station, the goal, what is measured. */
export function drawPlaces(map: Readonly<ShallowRef<IncidentMap | null>>): void {
  const ui = useUi();
  const coordinates = useCoordinates();
  const station = useStation();
  const tools = useMapTools();

  watch([() => map.value, () => coordinates.units], () => map.value?.scaleBar.setUnits(coordinates.units));
  watch([() => map.value, () => station.position, () => t('coordinates.map.stationMark')], ([, at, name]) => {
    map.value?.places.set('station', at === null ? null : [at.longitude, at.latitude], name);
  });
  const goalName = computed(() => t('coordinates.goTo.goal', { name: tools.goal?.name ?? '' }));
  watch([() => map.value, () => tools.goal, () => goalName.value], ([, goal, name]) => {
    map.value?.places.set('goal', goal === null ? null : [goal.longitude, goal.latitude], name);
  });
  watch([() => map.value, () => ui.overlays, () => coordinates.format], ([, overlays, format]) => {
    map.value?.grids.setMakers({
      graticule: overlays.graticule ? (view: GridView) => graticule(view, format) : null,
      'mgrs-grid': overlays.mgrsGrid ? mgrsGrid : null,
    });
  });

  const hands = { onCorner: tools.add, onUndo: tools.drop, onFinish: tools.finish, onCancel: tools.end };
  const draft = computed(() => (tools.kind === null ? null : tools.corners));
  watch(
    [() => map.value, () => draft.value, () => tools.running, () => tools.label],
    ([, corners, running, label]) => {
      map.value?.measure.setDraft(corners, running ? hands : null, {
        join,
        closed: tools.kind === 'area',
        label,
      });
    },
  );
}
