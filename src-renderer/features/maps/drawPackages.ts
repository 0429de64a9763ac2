import { computed, watch, type ShallowRef } from 'vue';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';
import type { IncidentMap } from '../../map/index.ts';
import { packagesOfView } from '../views/index.ts';
import { useMaps } from './mapsStore.ts';

/** Draws on a map the packages that the view shows, and shows the extent of one on request. */
export function drawPackages(map: Readonly<ShallowRef<IncidentMap | null>>): void {
  const mirror = useMirror();
  const ui = useUi();
  const maps = useMaps();
  // Of the whole slice only the packages matter here: it changes with each step of an import's progress.
  const packages = computed(() => {
    const known = mirror.maps?.packages ?? [];
    const found = packagesOfView(ui.packages, known);
    return found === null ? known : known.map((one) => ({ ...one, visible: found.shown.has(one.id) }));
  });
  const packagesKey = computed(() => JSON.stringify(packages.value));
  watch([() => map.value, () => packagesKey.value], () => map.value?.packages.set(packages.value));
  watch(
    () => maps.extentWish,
    (wish) => {
      if (wish) map.value?.camera.showExtent(wish.bounds);
    },
  );
}
