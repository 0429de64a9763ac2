import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import type { Failure, Handover, Result } from '../../../src-preload/contract/index.ts';
import { getFile } from '../../base/bridge/getFile.ts';
import { putFile } from '../../base/bridge/putFile.ts';
import { pageFailure } from '../../base/failure.ts';
import { wordingOf } from '../../base/wording.ts';
import { IdKeys } from '../../table/idKeys.ts';
import { positionsOf } from '../../table/positions.ts';
import { worstOpen } from '../../table/worstOpen.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { useCoordinates } from '../../base/stores/coordinates.ts';
import { useMapPicture } from '../../base/stores/mapPicture.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';

const noDraft: Pick<Handover, 'summary' | 'successor'> = { summary: '', successor: '' };

/**
 * What this page does about notes, pins and the shift. Words that were typed and not saved are here and
 * nowhere else: they outlast another selection and a lock, and go with the operator.
 */
export const useWatch = defineStore('watch', () => {
  const bridge = useBridge();
  const { verbs } = bridge;
  const mirror = useMirror();
  const ui = useUi();
  const commands = useCommands();
  const coordinates = useCoordinates();
  const mapPicture = useMapPicture();
  /** By incident, or by note where one is being changed. */
  const drafts = shallowRef<Readonly<Record<string, string>>>({});
  /** Why the last wish about the shift was not met. */
  const failure = shallowRef<Failure | null>(null);
  const handingOver = shallowRef(false);
  /** Whether the report of the last handover was saved, whatever else went wrong. */
  const reportSaved = shallowRef(false);
  /** What is being typed for the next operator. */
  const handoverDraft = shallowRef(noDraft);
  /** The incident whose note the keyboard is wanted in, until its details are there and have taken it. */
  const noteWish = shallowRef<string | null>(null);

  function setDraft(of: string, text: string | null): void {
    const { [of]: _old, ...others } = drafts.value;
    drafts.value = text === null || text === '' ? others : { ...others, [of]: text };
  }

  // Nothing of one operator's words stays for the next; a lock is not a farewell.
  let typist: string | null = null;
  watch(
    () => [mirror.opened, mirror.locked, mirror.session?.username ?? null] as const,
    ([opened, locked, username]) => {
      if (locked) return;
      if (opened && typist === username) return;
      typist = opened ? username : null;
      drafts.value = {};
      handoverDraft.value = noDraft;
      failure.value = null;
      noteWish.value = null;
    },
    // Not while a push is being applied: session and lock change one after the other.
    { immediate: true },
  );

  // A wish for a note is about the incident that was looked at.
  watch(
    () => ui.selected,
    () => {
      noteWish.value = null;
    },
    { flush: 'sync' },
  );

  const pins = computed(() => mirror.watch?.pins ?? []);
  const noted = computed(() => mirror.watch?.noted ?? []);
  const pinnedIds = computed(() => new Set(pins.value));
  const [pinKeys, noteKeys] = [new IdKeys(), new IdKeys()];
  /** Keys of pinned incidents by id, of those that are known here. */
  const keyOfPin = computed(() => {
    void mirror.tableRevision;
    return pinKeys.update(mirror.table, mirror.epoch, pins.value);
  });
  const pinnedKeys = computed(() => new Set(keyOfPin.value.values()));
  const notedKeys = computed(() => {
    void mirror.tableRevision;
    return new Set(noteKeys.update(mirror.table, mirror.epoch, noted.value).values());
  });

  async function settle(result: Promise<Result<unknown>>): Promise<boolean> {
    const settled = await result;
    failure.value = settled.ok ? null : settled.failure;
    return settled.ok;
  }

  /** Selects an incident on the map and in the list. @returns whether it is known here. */
  function show(incidentId: string): boolean {
    const row = mirror.table.indexOfId(incidentId);
    const key = row < 0 ? undefined : mirror.table.columns.key[row];
    if (key === undefined) return false;
    ui.select(key);
    return true;
  }

  // One that was opened before this page began is not opened again by it.
  watch(
    () => mirror.workspace?.linked,
    (linked, before) => {
      if (linked && before !== undefined && linked.times !== before?.times) show(linked.incidentId);
    },
  );

  /** Sends the map's picture for the report. @returns its id; a report without its map is better than none. */
  async function sendPicture(): Promise<{ pictureId?: string }> {
    const picture = mirror.policy?.exports === false ? null : await mapPicture.take();
    if (picture === null) return {};
    const announced = await verbs.announceMapPicture({});
    if (!announced.ok) return {};
    const { pictureId } = announced.value;
    return (await putFile(bridge, `spool/${pictureId}`, picture)) ? { pictureId } : {};
  }

  /** Hands over and gives the report to the browser. @returns whether all of that is done; else `failure` says why. */
  async function handOver(): Promise<boolean> {
    if (handingOver.value) return false;
    handingOver.value = true;
    reportSaved.value = false;
    const { table } = mirror;
    // What is pinned comes first: of what is open the report lists a hundred, and these are more.
    const rows = [...keyOfPin.value.values()].map((key) => table.indexOfKey(key)).filter((row) => row >= 0);
    const places = positionsOf(table, [...rows, ...worstOpen(table, 100)]);
    const wording = wordingOf(null, coordinates.format, places);
    const handed = await verbs.handOver({ ...handoverDraft.value, wording, ...(await sendPicture()) });
    if (!handed.ok) failure.value = handed.failure;
    else {
      const { report, notStored } = handed.value;
      failure.value = notStored;
      reportSaved.value =
        report !== null && (await getFile(bridge, `export/${report.exportId}`, report.fileName));
      if (report !== null && !reportSaved.value)
        failure.value = pageFailure('bridge-lost', 'notes.notSaved', 'notes.notSavedRemedy');
      if (failure.value === null) handoverDraft.value = noDraft;
    }
    handingOver.value = false;
    return failure.value === null;
  }

  return {
    drafts,
    failure,
    handingOver,
    reportSaved,
    handoverDraft,
    pins,
    pinnedIds,
    keyOfPin,
    pinnedKeys,
    notedKeys,
    setDraft,
    show,
    handOver,
    state: computed(() => mirror.watch ?? null),
    beginShift: () => settle(verbs.beginShift({})),
    noteWish,
    askForNote: (incidentId: string) => {
      noteWish.value = incidentId;
    },
    /** Keys work wherever the operator looks, so that a failure is said above everything. */
    pin: async (incidentId: string, pinned: boolean) => {
      const result = await verbs.pinIncident({ incidentId, pinned });
      if (!result.ok) commands.report('page', result.failure);
    },
    unpin: (incidentId: string) => settle(verbs.pinIncident({ incidentId, pinned: false })),
    clear: () => {
      failure.value = null;
    },
  };
});
