import { watch, type ShallowRef } from 'vue';
import type { IncidentMap } from '../../map/index.ts';
import { viewArea } from '../../map/ring.ts';
import { useAlarms } from './alarmsStore.ts';

/** Draws on a map the area whose incidents raise an alarm, and the one that is being drawn, corner by corner. */
export function drawArea(map: Readonly<ShallowRef<IncidentMap | null>>): void {
  const alarms = useAlarms();
  watch([() => map.value, () => alarms.ring], ([made, ring]) => made?.area.setRing(ring));
  watch(
    () => alarms.viewWish,
    (wish) => {
      const view = map.value?.camera.view() ?? null;
      if (wish && view) void alarms.setArea({ kind: 'view', ...viewArea(view) });
    },
  );
  const hands = {
    onCorner: alarms.addCorner,
    onUndo: alarms.dropCorner,
    onFinish: alarms.finish,
    onCancel: alarms.cancelDrawing,
  };
  watch(
    () => alarms.draft,
    (draft) => map.value?.area.setDraft(draft, draft === null ? null : hands),
  );
}
