import { defineStore } from 'pinia';
import { shallowRef, watch } from 'vue';
import {
  neighbourByDistance,
  neighbourTowards,
  offsetBetween,
  type CompassPoint,
  type Direction,
  type Spot,
} from '../../table/neighbours.ts';
import { useMapTools } from './mapToolsStore.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useRows } from '../incidents/index.ts';
import { useUi } from '../../base/stores/ui.ts';

/** What a step came to: an incident and where it lies from the last place, or that nothing lies that way. */
export type WalkStep =
  | {
      readonly kind: 'there';
      readonly key: number;
      readonly type: string;
      readonly severity: string;
      readonly metres: number;
      readonly point: CompassPoint | null;
    }
  | { readonly kind: 'none'; readonly way: Direction | 'outwards' | 'inwards' };

/** Walking from incident to incident with keys, on the map or by distance. */
export const useWalk = defineStore('walk', () => {
  const mirror = useMirror();
  const rows = useRows();
  const ui = useUi();
  const tools = useMapTools();
  /** The last step, to be shown and said; another object for each. */
  const step = shallowRef<WalkStep | null>(null);
  /** Where the walk by distance began. */
  let origin: Spot | null = null;
  let walked: number | null = null;

  // Whatever else chooses an incident ends the walk.
  watch(
    () => ui.selected,
    (key) => {
      if (key === walked) return;
      walked = null;
      origin = null;
      step.value = null;
    },
  );

  const placeOf = (key: number | null): Spot | null =>
    key === null ? null : mirror.table.factsAt(mirror.table.indexOfKey(key)).place;
  const here = (): Spot => placeOf(ui.selected) ?? tools.centre() ?? { latitude: 0, longitude: 0 };

  function go(row: number, way: Extract<WalkStep, { kind: 'none' }>['way']): void {
    const { key, type, severity, place: to } = mirror.table.factsAt(row);
    if (row < 0 || to === null) {
      step.value = { kind: 'none', way };
      return;
    }
    const from = here();
    walked = key;
    ui.select(key);
    step.value = {
      kind: 'there',
      key,
      type,
      severity,
      ...offsetBetween(from, to),
    };
  }

  function towards(direction: Direction): void {
    origin = null;
    go(neighbourTowards(mirror.table, rows.mapRows, here(), direction), direction);
  }

  function byDistance(way: 'outwards' | 'inwards'): void {
    // From the selected incident, or from what the map shows: the first step is to the nearest.
    origin ??= here();
    const at = placeOf(ui.selected) === null ? null : ui.selected;
    go(neighbourByDistance(mirror.table, rows.mapRows, origin, at, way), way);
  }

  /** Opens what is selected; where nothing is, the nearest to the middle of the map. */
  function open(): void {
    if (ui.selected === null) byDistance('outwards');
  }

  return { step, towards, byDistance, open };
});
