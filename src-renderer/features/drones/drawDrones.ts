import { computed, onBeforeUnmount, watch, type ShallowRef } from 'vue';
import { paced } from '../../base/pace.ts';
import { useClock } from '../../base/stores/clock.ts';
import type { IncidentMap } from '../../map/index.ts';
import { useDrones } from '../../base/stores/drones.ts';
import { useUi } from '../../base/stores/ui.ts';

/** The map is given the drones this often at most, in milliseconds: many of them twice a second. */
export const drawDronesEvery = (count: number): number => (count > 200 ? 500 : 200);

/** Draws the drones on a map and keeps it at the one that is followed. */
export function drawDrones(map: Readonly<ShallowRef<IncidentMap | null>>): void {
  const drones = useDrones();
  const clock = useClock();
  const ui = useUi();

  const draws = paced({ leastMs: () => drawDronesEvery(drones.table.size), restMs: () => 0 }, () => {
    const { table, chosenId, followedId, isSilent } = drones;
    map.value?.drones.set(
      (ui.showsDrones ? [...table.all()] : []).map((drone) => ({
        id: drone.id,
        longitude: drone.longitude,
        latitude: drone.latitude,
        heading: drone.heading,
        silent: isSilent(drone),
        chosen: drone.id === chosenId,
        trail: drone.trail,
      })),
    );
    const followed = followedId === null ? undefined : table.get(followedId);
    map.value?.camera.follow(followed === undefined ? null : [followed.longitude, followed.latitude]);
  });
  /** While there are some: one falls silent without anything that comes. */
  const second = computed(() => {
    void drones.members;
    return drones.table.size === 0 ? 0 : Math.floor(clock.second / 1_000);
  });
  watch(
    [
      () => map.value,
      () => drones.revision,
      () => drones.chosenId,
      () => drones.followedId,
      () => second.value,
      () => ui.showsDrones,
    ],
    draws.ask,
    { immediate: true },
  );
  onBeforeUnmount(draws.drop);
}
