import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef } from 'vue';
import { openRule, scaleOf, type ConsoleState, type SliceName } from '../../../src-preload/contract/index.ts';
import type { LinkState } from '../bridge/bridge.ts';
import { openStatuses, severityScale } from '../severities.ts';
import { IncidentTable } from '../../table/table.ts';
import { askedPreferences } from './askedPreferences.ts';
import { useBridge } from './bridge.ts';
import { PushReader, type Applied } from './reader.ts';

/**
 * The read-only mirror of the console's state. Only pushes write it; commands go through the verbs
 * and come back as pushes. Preferences alone are shown before they came back (askedPreferences.ts).
 *
 * Each slice is replaced whole, so a shallow reactive object is enough. A slice is absent while the
 * console withholds it (before the first snapshot, and while locked). The rows live in an
 * IncidentTable outside Vue's reactivity; `tableRevision` says when they changed.
 */
export const useMirror = defineStore('mirror', () => {
  const bridge = useBridge();
  const slices = shallowReactive<Partial<ConsoleState>>({});
  const link = shallowRef<LinkState>({ state: 'connecting' });
  const table = shallowRef(new IncidentTable());
  const tableRevision = shallowRef(0);
  /** Keys of incidents hold within one epoch. */
  const epoch = shallowRef<string | null>(null);
  /** `performance.now()` at which `slices.time` came. */
  const timeReceivedAt = shallowRef(performance.now());

  function apply({ epoch: from, snapshot, slices: changed, frame }: Applied): void {
    epoch.value = from;
    if (snapshot) {
      for (const name of Object.keys(slices) as SliceName[]) if (!(name in changed)) delete slices[name];
      if (frame === null) dropRows();
    }
    if (changed.time !== undefined) timeReceivedAt.value = performance.now();
    Object.assign(slices, changed);
    severityScale.value = scaleOf(slices.app?.severities ?? null);
    openStatuses.value = openRule(slices.app?.closedStatuses);
    if (frame !== null) table.value.apply(frame);
    if (table.value.setScale(severityScale.value, openStatuses.value) || frame !== null)
      tableRevision.value += 1;
  }

  function dropRows(): void {
    if (table.value.length === 0) return;
    table.value = new IncidentTable();
    tableRevision.value += 1;
  }

  const reader = new PushReader();
  bridge.subscribe((push) => {
    const answer = reader.take(push, apply);
    if (answer !== null) bridge.answer(answer);
  });
  bridge.onLink((state) => {
    link.value = state;
  });

  const slice = <N extends SliceName>(name: N) => computed(() => slices[name]);
  const { preferences, ask: askPreferences } = askedPreferences(() => slices.preferences);

  const opened = computed(() => slices.session?.vault === 'open' && slices.lock?.locked !== true);

  return {
    link,
    epoch,
    table,
    tableRevision,
    timeReceivedAt,
    app: slice('app'),
    deployments: slice('deployments'),
    deploymentCheck: slice('deploymentCheck'),
    session: slice('session'),
    lock: slice('lock'),
    time: slice('time'),
    connection: slice('connection'),
    line: slice('line'),
    health: slice('health'),
    incidents: slice('incidents'),
    preferences,
    askPreferences,
    storage: slice('storage'),
    system: slice('system'),
    sync: slice('sync'),
    maps: slice('maps'),
    evidence: slice('evidence'),
    contents: slice('contents'),
    outbox: slice('outbox'),
    missions: slice('missions'),
    drones: slice('drones'),
    events: slice('events'),
    alarms: slice('alarms'),
    siren: slice('siren'),
    capabilities: slice('capabilities'),
    proxy: slice('proxy'),
    policy: slice('policy'),
    desktop: computed(() => slices.desktop ?? null),
    updates: slice('updates'),
    workspace: slice('workspace'),
    watch: slice('watch'),
    handovers: slice('handovers'),
    changes: slice('changes'),
    lastHour: slice('lastHour'),
    exports: slice('exports'),
    training: computed(() => slices.training ?? null),
    zone: computed(() => preferences.value?.zone ?? 'utc'),
    /** True once there is something to show instead of the start screen. */
    known: computed(() => slices.app !== undefined),
    locked: computed(() => slices.lock?.locked === true),
    /** The workspace is shown while the vault is open, whatever the session does meanwhile. */
    opened,
    /** Whose vault is open; null while none is. */
    account: computed(() => (opened.value ? (slices.session?.username ?? '') : null)),
  };
});
