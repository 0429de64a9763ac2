import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { Position } from '../../../src-preload/contract/index.ts';
import { wrapLongitude } from '../../base/coordinates/grid.ts';
import { inverse, lineLength, polygonArea } from '../../base/geodesy.ts';
import { t } from '../../i18n/index.ts';
import { bearingText } from '../../base/units.ts';
import type { IncidentMap } from '../../map/index.ts';
import { addCorner, dropCorner, type Corner } from '../../map/ring.ts';
import { useAlarms } from '../alarms/index.ts';
import { useCoordinates } from '../../base/stores/coordinates.ts';
import { useUi } from '../../base/stores/ui.ts';

export type MeasureKind = 'line' | 'area';

/** Where the operator went by name or by coordinates. */
export interface Goal extends Position {
  readonly name: string;
}

const placeOf = ([longitude, latitude]: Corner): Position => ({ latitude, longitude });
/** The map's projection ends here. */
const mostLatitude = 85;

/** What is done on the map beside looking at incidents: measuring, going somewhere, grids. */
export const useMapTools = defineStore('mapTools', () => {
  const ui = useUi();
  const alarms = useAlarms();
  const coordinates = useCoordinates();

  /** The map on the page, null while there is none. */
  const map = shallowRef<IncidentMap | null>(null);
  const goal = shallowRef<Goal | null>(null);
  /** Counts the wishes to type where to go. */
  const asked = shallowRef(0);
  const kind = shallowRef<MeasureKind | null>(null);
  const corners = shallowRef<readonly Corner[]>([]);
  /** Whether the next click adds a point; what was measured stays until it is closed. */
  const running = shallowRef(false);

  function goTo(to: Goal, zoom: number): void {
    goal.value = to;
    const latitude = Math.max(-mostLatitude, Math.min(mostLatitude, to.latitude));
    ui.look({ longitude: to.longitude, latitude, zoom }, { fly: true });
  }

  function measure(what: MeasureKind): void {
    alarms.cancelDrawing();
    kind.value = what;
    corners.value = [];
    running.value = true;
  }

  function end(): void {
    kind.value = null;
    corners.value = [];
    running.value = false;
  }

  function finish(): void {
    if (corners.value.length < 2) end();
    else running.value = false;
  }

  const result = computed(() => {
    const places = corners.value.map(placeOf);
    const [first, second] = places;
    if (kind.value === null || first === undefined || second === undefined) return '';
    if (kind.value === 'area') {
      const length = coordinates.length(lineLength([...places, first]));
      return t('coordinates.measure.area', { area: coordinates.area(polygonArea(places)), length });
    }
    const length = coordinates.length(lineLength(places));
    if (places.length > 2) return t('coordinates.measure.line', { length });
    return t('coordinates.measure.lineAndBearing', {
      length,
      bearing: bearingText(inverse(first, second).bearing),
    });
  });
  /** What is written on the map. */
  const label = computed(() => {
    const places = corners.value.map(placeOf);
    if (places.length < 2) return '';
    return kind.value === 'area'
      ? coordinates.area(polygonArea(places))
      : coordinates.length(lineLength(places));
  });

  return {
    map,
    goal,
    asked,
    kind,
    corners,
    running,
    result,
    label,
    goTo,
    forgetGoal: () => {
      goal.value = null;
    },
    /** Puts the keyboard into the box of places. */
    ask: () => {
      asked.value += 1;
    },
    measure,
    add: (corner: Corner) => {
      if (running.value) corners.value = addCorner(corners.value, corner);
    },
    drop: () => {
      corners.value = dropCorner(corners.value);
    },
    finish,
    end,
    /** Where the map looks; null without a map. */
    centre: (): Position | null => {
      const centre = map.value?.camera.centre() ?? null;
      if (centre === null) return null;
      return { latitude: centre[1], longitude: wrapLongitude(centre[0]) };
    },
  };
});
