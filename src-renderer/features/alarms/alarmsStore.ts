import { defineStore } from 'pinia';
import { computed, shallowRef, watch, type ComputedRef } from 'vue';
import {
  type Alarm,
  type AlarmArea,
  type AlarmSettings,
  type snoozeMinutes,
} from '../../../src-preload/contract/index.ts';
import { useCommand, type Command } from '../../base/command.ts';
import { addCorner, dropCorner, isArea, viewRing, type Corner } from '../../map/ring.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';

/** What this page does about alarms. */
export const useAlarms = defineStore('alarms', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const { failure, run, clear } = useCommand();
  /** Those that wait for somebody: not those whose cause has passed, nor those that are snoozed. */
  const calling = computed(() =>
    (mirror.alarms?.active ?? []).filter(
      ({ recoveredAt, snoozedUntil }) => recoveredAt === null && snoozedUntil === null,
    ),
  );
  const settings = computed(() => mirror.alarms?.settings ?? null);
  const set = (change: Partial<AlarmSettings>) => run(verbs.setAlarms(change));
  return {
    failure,
    settings,
    set,
    ...useArea(settings, set),
    ...useShownIncidents(run),
    active: computed(() => mirror.alarms?.active ?? []),
    /** How many wait for somebody: the list holds the most urgent of them, and what has passed besides. */
    waiting: computed(() => Math.max(calling.value.length, mirror.siren?.unacknowledged ?? 0)),
    past: computed(() => mirror.alarms?.past ?? []),
    calling,
    /** What an undo would take back; null for nothing. */
    undoable: computed(() => mirror.alarms?.undo ?? null),
    acknowledge: (id: string, note = '') => run(verbs.acknowledgeAlarm(note === '' ? { id } : { id, note })),
    undo: () => run(verbs.undoAcknowledgement({})),
    snooze: (id: string, minutes: (typeof snoozeMinutes)[number] | null) =>
      run(verbs.snoozeAlarm({ id, minutes })),
    acknowledgeAll: () => run(verbs.acknowledgeAlarms({})),
    /** Those that are about these incidents and no others. */
    alone: (incidents: ReadonlySet<string>): readonly Alarm[] =>
      calling.value
        .filter(({ incidentIds, count }) => incidentIds.length === count)
        .filter(({ incidentIds }) => incidentIds.every((id) => incidents.has(id))),
    acknowledgeThese: (ids: readonly string[]) => run(verbs.acknowledgeAlarms({ ids: ids.slice(0, 200) })),
    mute: (minutes: 5 | 30 | 60 | null) => run(verbs.muteAlarms({ minutes })),
    clear,
  };
});

/** The incidents of one alarm, which list and map show in place of what the filters let through. */
export interface AlarmIncidents {
  readonly ids: readonly string[];
  /** How many the alarm is about: it names 10,000 at most. */
  readonly count: number;
}

function useShownIncidents(run: Command['run']) {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const ui = useUi();
  const shown = shallowRef<AlarmIncidents | null>(null);

  const stopShowing = (): void => {
    shown.value = null;
  };
  // Whoever filters or searches asks for something else.
  watch([() => JSON.stringify(mirror.incidents?.query), () => ui.search, () => ui.timeWindow], stopShowing, {
    flush: 'sync',
  });

  /** Shows exactly the incidents of an alarm in list and map, and selects its only one. */
  async function show({ id, count }: Alarm): Promise<void> {
    const reading = await run(verbs.readAlarmIncidents({ id }));
    if (!reading.ok) return;
    ui.search = '';
    ui.timeWindow = null;
    ui.listPart = 'all';
    shown.value = { ids: reading.value.ids, count };
    ui.panel = 'incidents';
    ui.select(count === 1 ? mirror.table.keyOfId(reading.value.ids[0] ?? '') : null);
    ui.look(null, { fly: true });
  }
  return { shown, show, stopShowing };
}

/** The area that alarms are about, and its outline while it is being drawn on the map. */
function useArea(
  settings: ComputedRef<AlarmSettings | null>,
  set: (change: Partial<AlarmSettings>) => Promise<unknown>,
) {
  /** Corners drawn so far; null while nothing is drawn. */
  const draft = shallowRef<readonly Corner[] | null>(null);
  /** A wish to take what the map shows as the area; another object for each. */
  const viewWish = shallowRef<object | null>(null);
  const setArea = (area: AlarmArea) => set({ area });

  function finish(): void {
    const ring = draft.value;
    if (ring === null || !isArea(ring)) return;
    draft.value = null;
    void setArea({ kind: 'polygon', ring: ring.map(([longitude, latitude]) => [longitude, latitude]) });
  }

  /** The area's outline as the map shows it; null everywhere. */
  const ring = computed<readonly Corner[] | null>(() => {
    const area = settings.value?.area;
    if (area === undefined || area.kind === 'everywhere') return null;
    return area.kind === 'view' ? viewRing(area) : area.ring;
  });

  return {
    draft,
    viewWish,
    ring,
    setArea,
    wishView: () => {
      viewWish.value = {};
    },
    startDrawing: () => {
      draft.value = [];
    },
    addCorner: (corner: Corner) => {
      if (draft.value !== null) draft.value = addCorner(draft.value, corner);
    },
    dropCorner: () => {
      if (draft.value !== null) draft.value = dropCorner(draft.value);
    },
    cancelDrawing: () => {
      draft.value = null;
    },
    finish,
  };
}
