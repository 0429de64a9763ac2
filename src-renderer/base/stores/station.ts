import { defineStore } from 'pinia';
import { computed } from 'vue';
import type { Position } from '../../../src-preload/contract/index.ts';
import { useCommand } from '../command.ts';
import { distancesFrom } from '../geodesy.ts';
import { useBridge } from './bridge.ts';
import { useMirror } from './mirror.ts';

/** Where the station stands, and how far everything is from it. */
export const useStation = defineStore('station', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  /** Why the station's place could not be kept, until it could or it is closed. */
  const { failure, run, clear } = useCommand();

  /** The same object as long as the place is the same: the workspace changes with each step of the camera. */
  const position = computed<Position | null>((before) => {
    const now = mirror.workspace?.station ?? null;
    const same = now?.latitude === before?.latitude && now?.longitude === before?.longitude;
    return before !== undefined && same ? before : now;
  });

  /**
   * Metres from the station for every row of the table, Infinity without a location; null without a station.
   * Made at the first read, and again when the table or the station has changed since.
   */
  const distances = computed<Float64Array | null>(() => {
    void mirror.tableRevision;
    if (position.value === null) return null;
    const { latitude, longitude } = mirror.table.columns;
    return distancesFrom(position.value, latitude, longitude);
  });

  /** @param to Null for nowhere: range and bearing are no longer shown. */
  async function place(to: Position | null): Promise<void> {
    await run(verbs.setStation({ position: to }));
  }

  return {
    position,
    distances,
    failure,
    place,
    clear,
  };
});
