import { defineStore } from 'pinia';
import { computed, shallowRef, watch, type ComputedRef } from 'vue';
import {
  failed,
  isPaperFormat,
  ok,
  type ExportFormat,
  type ExportJob,
  type Result,
} from '../../../src-preload/contract/index.ts';
import { getFile } from '../../base/bridge/getFile.ts';
import { putFile } from '../../base/bridge/putFile.ts';
import { useCommand } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import type { PaperSize } from '../../print/paper.ts';
import { filterWords, isUnderWay, keysOf } from './exportText.ts';
import { useIncidentSheet } from './incidentSheet.ts';
import { sortRows } from '../../table/sort.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMarked, useRows } from '../incidents/index.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useStation } from '../../base/stores/station.ts';
import { useUi } from '../../base/stores/ui.ts';

/** What this page does about exports: it says which incidents and in which order, and fetches what is ready. */
export const useExports = defineStore('exports', () => {
  const bridge = useBridge();
  const mirror = useMirror();
  const ui = useUi();
  const rows = useRows();
  const marked = useMarked();
  const station = useStation();
  const sheetOf = useIncidentSheet();
  const { verbs } = bridge;

  const format = shallowRef<ExportFormat>('geojson');
  const byteOrderMark = shallowRef(true);
  const paper = shallowRef<PaperSize>('a4');
  /** Why the last wish was not fulfilled. */
  const { failure, run } = useCommand();
  /** While the picture is taken and the keys are sent. */
  const { busy: beginning, alone } = useCommand(failure);
  const jobs = computed<readonly ExportJob[]>(() => mirror.exports?.jobs ?? []);
  const own = useDownloads(jobs);
  const running = computed(() => jobs.value.filter(isUnderWay));

  /** What would be written: the rows that are marked, else what the list shows. */
  const chosen = computed<Uint32Array>(() => (marked.rows.length > 0 ? marked.rows : rows.filtered.rows));
  const filters = computed(() =>
    filterWords({
      query: rows.query,
      timeWindow: ui.timeWindow,
      search: ui.search,
      part: ui.listPart,
      marked: marked.rows.length,
      zone: mirror.zone,
    }),
  );

  /** Whether the browser prints what another host makes a PDF of. */
  const isPrintedHere = computed(() => mirror.app?.host === 'browser');

  async function begin(): Promise<Result<null>> {
    let begunId: string | null = null;
    try {
      const { table } = mirror;
      const distances = ui.sortBy === 'distance' ? station.distances : null;
      const sorted = sortRows(table, chosen.value, ui.sortBy, ui.sortDirection, distances);
      const keys = keysOf(table, sorted);
      const words = filters.value.slice(0, 2_000);
      const sheet = isPaperFormat(format.value) ? await sheetOf(sorted, paper.value, words) : null;
      const begun = await verbs.beginExport({
        subject: 'incidents',
        format: format.value,
        incidents: keys.length,
        filters: words,
        byteOrderMark: byteOrderMark.value,
      });
      if (!begun.ok) return begun;
      const { jobId } = begun.value;
      begunId = jobId;
      own.add(jobId);
      const { paperDocument, printPaper } = await import('../../print/index.ts');
      if (sheet !== null && format.value === 'pdf' && isPrintedHere.value) {
        await printPaper(sheet);
        return ok(null);
      }
      const file = sheet === null ? new Blob([keys]) : await paperDocument(sheet);
      return (await putFile(bridge, `spool/${jobId}`, file)) ? ok(null) : await cancelled(jobId);
    } catch {
      // Its line must not wait for rows, nor say that the browser has it.
      if (begunId !== null) await giveUp(begunId);
      return failed(pageFailure('internal', 'exports.notPrepared', 'exports.notPreparedRemedy'));
    }
  }

  async function cancelled(jobId: string): Promise<Result<null>> {
    const result = await verbs.cancelExport({ jobId });
    // It may have ended meanwhile, which its line says.
    return !result.ok && result.failure.code === 'not-found' ? ok(null) : result;
  }

  async function giveUp(jobId: string): Promise<void> {
    await verbs.cancelExport({ jobId });
    await verbs.dismissExport({ jobId });
  }

  return {
    format,
    byteOrderMark,
    paper,
    isPrintedHere,
    beginning,
    failure,
    jobs,
    running,
    chosen,
    filters,
    begin: () => alone(begin),
    cancel: (jobId: string) => run(cancelled(jobId)),
    dismiss: (jobId: string) => run(verbs.dismissExport({ jobId })),
  };
});

/**
 * Fetches each export that this page began once it is ready; another page of the same console fetches its own.
 *
 * @returns their ids, to which this page adds those that it begins.
 */
function useDownloads(jobs: ComputedRef<readonly ExportJob[]>): Set<string> {
  const bridge = useBridge();
  const own = new Set<string>();
  // In the browser host the file waits for its page, whose browser asks where to.
  watch(jobs, (now) => {
    for (const { id, state, exportId, fileName } of now) {
      if (state !== 'ready' || exportId === null || !own.delete(id)) continue;
      void getFile(bridge, `export/${exportId}`, fileName);
    }
  });
  return own;
}
