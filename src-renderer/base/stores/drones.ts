import { defineStore } from 'pinia';
import { computed, markRaw, onScopeDispose, shallowRef, watch } from 'vue';
import { droneSilentMs } from '../../../src-preload/contract/index.ts';
import { paced } from '../pace.ts';
import { useBridge } from './bridge.ts';
import { useClock } from './clock.ts';
import { useMirror } from './mirror.ts';
import { useUi } from './ui.ts';
import { DroneTable, type Drone } from '../../table/droneTable.ts';
import type { DroneSort } from '../droneOrder.ts';

/** What changed is read this often at most, in milliseconds, however often the console says that something did. */
const readEveryMs = 200;
/** Close enough to see where a drone is. */
const nearZoom = 13;

/**
 * The drones as this page shows them: where they are, which one is chosen and which one the map follows. Positions
 * are read when the console says that some changed, one reading at a time; they lie outside of Vue's reactivity.
 */
export const useDrones = defineStore('drones', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const clock = useClock();
  const ui = useUi();

  const table = markRaw(new DroneTable());
  /** Counts the changes of the table, and of which drones are in it. */
  const revision = shallowRef(0);
  const members = shallowRef(0);
  const chosenId = shallowRef<string | null>(null);
  const followedId = shallowRef<string | null>(null);
  const sort = shallowRef<DroneSort>('name');

  /** What the table holds; null before the first reading. */
  let held: { readonly epoch: string | null; readonly version: number } | null = null;
  let reading = false;
  const state = computed(() => mirror.drones);
  const isBehind = (): boolean =>
    state.value !== undefined &&
    mirror.link.state === 'up' &&
    (state.value.known > 0 || table.size > 0) &&
    (held === null || held.epoch !== mirror.epoch || held.version !== state.value.version);

  async function read(): Promise<void> {
    if (reading || !isBehind()) return;
    reading = true;
    try {
      let more = true;
      while (more) {
        const { epoch } = mirror;
        const since = held !== null && held.epoch === epoch ? held.version : null;
        const result = await verbs.readDrones({ since });
        if (!result.ok || disposed) return;
        // Versions of one epoch mean nothing in the next.
        if (epoch !== mirror.epoch) continue;
        held = { epoch, version: result.value.version };
        more = result.value.more;
        if (table.apply(result.value)) members.value += 1;
        revision.value += 1;
      }
    } finally {
      reading = false;
    }
    // Told while it was read.
    if (isBehind()) reads.ask();
  }
  const reads = paced({ leastMs: () => readEveryMs, restMs: () => 0 }, () => void read());
  let disposed = false;
  onScopeDispose(() => {
    disposed = true;
    reads.drop();
  });
  watch(
    [() => state.value?.version, () => mirror.epoch, () => mirror.link.state],
    () => {
      if (isBehind()) reads.ask();
    },
    { immediate: true },
  );
  watch(members, () => {
    if (chosenId.value !== null && table.get(chosenId.value) === undefined) chosenId.value = null;
    if (followedId.value !== null && table.get(followedId.value) === undefined) followedId.value = null;
  });

  /** Whether nothing was heard of it for so long that what is shown may be wrong. */
  const isSilent = ({ at }: Drone): boolean => clock.serverNow() - at >= droneSilentMs;

  /** Brings a drone to the middle of the map, once. */
  function goTo(id: string): void {
    const drone = table.get(id);
    if (drone === undefined) return;
    const { longitude, latitude } = drone;
    const zoom = Math.max(ui.camera?.zoom ?? 0, nearZoom);
    ui.look({ longitude, latitude, zoom }, { fly: true });
  }

  /** Shows a drone in its panel, which takes the room of an incident's details on a narrow window. */
  function open(id: string): void {
    chosenId.value = id;
    ui.select(null);
    ui.panel = 'drones';
  }

  return {
    state,
    table,
    revision,
    members,
    chosenId,
    followedId,
    sort,
    isSilent,
    goTo,
    open,
    follow: (id: string | null) => {
      followedId.value = id;
    },
  };
});
