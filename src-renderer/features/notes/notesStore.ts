import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import {
  failed,
  handoverReportSchema,
  ok,
  type Handover,
  type Result,
  type VerbReply,
} from '../../../src-preload/contract/index.ts';
import { fetchFile, saveFile } from '../../base/bridge/getFile.ts';
import { useCommand } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import { language } from '../../i18n/index.ts';
import { IdKeys } from '../../table/idKeys.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { useCoordinates } from '../../base/stores/coordinates.ts';
import { useMapPicture } from '../../base/stores/mapPicture.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';
import { isUnknown, lineWords } from './logText.ts';

const notSaved = pageFailure('bridge-lost', 'notes.notSaved', 'notes.notSavedRemedy');
const noDraft: Pick<Handover, 'summary' | 'successor'> = { summary: '', successor: '' };

/**
 * What this page does about notes, pins and the shift. Words that were typed and not saved are here and
 * nowhere else: they outlast another selection, and go with the operator.
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
  const { failure, run, clear } = useCommand();
  const { busy: handingOver, alone } = useCommand(failure);
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

  /** Writes the report and gives it to the browser. @returns whether that is done. */
  async function saveReport(
    { exportId, fileName }: NonNullable<VerbReply<'handOver'>['report']>,
    map: Blob | null,
  ): Promise<boolean> {
    try {
      const facts = await fetchFile(bridge, `export/${exportId}`);
      if (facts === null) return false;
      const report = handoverReportSchema.parse(JSON.parse(await facts.text()));
      const { dataAddress, handoverPaper, paperDocument } = await import('../../print/index.ts');
      const paper = handoverPaper({
        report,
        zone: mirror.zone,
        coordinates: coordinates.format === 'dd' ? 'mgrs' : coordinates.format,
        picture: map && (await dataAddress(map)),
        deed: (entry) => ({ text: lineWords(entry), isUnknown: isUnknown(entry) }),
      });
      saveFile(await paperDocument(paper), fileName);
      return true;
    } catch {
      return false;
    }
  }

  /** Hands over and gives the report to the browser. @returns whether all of that is done; else `failure` says why. */
  async function handOver(): Promise<boolean> {
    const handed = await alone(handOverNow);
    if (handed?.ok === true) handoverDraft.value = noDraft;
    return handed?.ok === true;
  }
  async function handOverNow(): Promise<Result<null>> {
    reportSaved.value = false;
    // As it is while the operator hands over; a report without its map is better than none.
    const map = mirror.policy?.exports === false ? null : await mapPicture.take();
    const handed = await verbs.handOver({ ...handoverDraft.value, language: language.value });
    if (!handed.ok) return handed;
    const { report, notStored } = handed.value;
    reportSaved.value = report !== null && (await saveReport(report, map));
    if (report !== null && !reportSaved.value) return failed(notSaved);
    return notStored === null ? ok(null) : failed(notStored);
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
    beginShift: () => run(verbs.beginShift({})),
    noteWish,
    askForNote: (incidentId: string) => {
      noteWish.value = incidentId;
    },
    /** Keys work wherever the operator looks, so that a failure is said above everything. */
    pin: async (incidentId: string, pinned: boolean) => {
      const result = await verbs.pinIncident({ incidentId, pinned });
      if (!result.ok) commands.report('page', result.failure);
    },
    unpin: (incidentId: string) => run(verbs.pinIncident({ incidentId, pinned: false })),
    clear,
  };
});
