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
import { useClock } from '../../base/stores/clock.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';

/** What this page does about alarms. */
export const useAlarms = defineStore('alarms', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const { failure, run, clear } = useCommand();
  /** Those that wait for an operator: not those whose cause has passed, nor those that are snoozed. */
  const calling = computed(() =>
    (mirror.alarms?.active ?? []).filter(
      ({ recoveredAt, snoozedUntil }) => recoveredAt === null && snoozedUntil === null,
    ),
  );
  const active = computed(() => mirror.alarms?.active ?? []);
  const settings = computed(() => mirror.alarms?.settings ?? null);
  const set = (change: Partial<AlarmSettings>) => run(verbs.setAlarms(change));
  return {
    failure,
    settings,
    set,
    ...useArea(settings, set),
    ...useLook(active, run),
    active,
    /** How many wait for an operator: the list holds the most urgent of them, and what has passed besides. */
    waiting: computed(() => Math.max(calling.value.length, mirror.siren?.unacknowledged ?? 0)),
    past: computed(() => mirror.alarms?.past ?? []),
    calling,
    /** What an undo would take back; null for nothing. */
    undoable: computed(() => mirror.alarms?.undo ?? null),
    undo: () => run(verbs.undoAcknowledgement({})),
    snooze: (id: string, minutes: (typeof snoozeMinutes)[number] | null) =>
      run(verbs.snoozeAlarm({ id, minutes })),
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
  readonly alarm: string;
  /** Since when they are shown, server time. */
  readonly since: number;
}

/** One alarm, with the note of its acknowledgement, or all. */
export interface Acknowledging {
  readonly alarm: Alarm | null;
  readonly note: string;
}
/** More incidents than these are not acknowledged unseen without a question. */
const mostUnseen = 10;

/** What is looked at before it is acknowledged. */
function useLook(active: ComputedRef<readonly Alarm[]>, run: Command['run']) {
  const { verbs } = useBridge();
  const ui = useUi();
  const shownIncidents = useShownIncidents(run);
  const { shown } = shownIncidents;
  /** The ids of the alarms that were shown on this page. */
  const seen = shallowRef<ReadonlySet<string>>(new Set());
  /** What is in question because it was not shown; null for nothing. */
  const asked = shallowRef<Acknowledging | null>(null);
  /** Whether the first alarm of the panel is to have the focus. */
  const focusWanted = shallowRef(false);

  /**
   * The alarm that stands before all others: of the most urgent ones the newest that was not shown. The one whose
   * incidents are shown stays until a newer one comes.
   */
  const front = computed<Alarm | null>(() => {
    const here = active.value.filter(({ snoozedUntil }) => snoozedUntil === null);
    const [first] = here;
    if (first === undefined) return null;
    const held = here.find(({ id }) => id === shown.value?.alarm);
    if (held !== undefined && (seen.value.has(first.id) || first.at <= (shown.value?.since ?? 0)))
      return held;
    const isEqual = ({ severity, level, recoveredAt }: Alarm): boolean =>
      severity === first.severity && level === first.level && recoveredAt === first.recoveredAt;
    return here.find((one) => isEqual(one) && !seen.value.has(one.id)) ?? first;
  });

  /** Its incidents in list and map; an alarm about none is shown in the panel. */
  async function show(alarm: Alarm): Promise<void> {
    seen.value = new Set([...seen.value, alarm.id]);
    if (alarm.listed > 0) await shownIncidents.show(alarm);
    else ui.panel = 'alarms';
  }
  /** Acknowledges one alarm, null for all; asks before that where many incidents were not shown. */
  async function acknowledge(alarm: Alarm | null, note = ''): Promise<void> {
    const unseen = (alarm === null ? active.value : [alarm]).filter(
      ({ id, severity, recoveredAt }) => severity !== null && recoveredAt === null && !seen.value.has(id),
    );
    if (unseen.reduce((sum, { count }) => sum + count, 0) > mostUnseen) asked.value = { alarm, note };
    else await send({ alarm, note });
  }
  const send = ({ alarm, note }: Acknowledging) =>
    alarm === null
      ? run(verbs.acknowledgeAlarms({}))
      : run(verbs.acknowledgeAlarm(note === '' ? { id: alarm.id } : { id: alarm.id, note }));
  async function answer(yes: boolean): Promise<void> {
    const question = asked.value;
    asked.value = null;
    if (yes && question !== null) await send(question);
  }

  return { ...shownIncidents, seen, asked, focusWanted, front, show, acknowledge, answer };
}

function useShownIncidents(run: Command['run']) {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const clock = useClock();
  const ui = useUi();
  const shown = shallowRef<AlarmIncidents | null>(null);

  const stopShowing = (): void => {
    shown.value = null;
  };
  // A new filter or search ends the list of one alarm.
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
    shown.value = { ids: reading.value.ids, count, alarm: id, since: clock.serverNow() };
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
