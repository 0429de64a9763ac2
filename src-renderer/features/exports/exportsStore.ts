import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import {
  failed,
  isPaperFormat,
  mostListedRows,
  ok,
  severitiesWorstFirst,
  type ExportFormat,
  type ExportJob,
  type Result,
  type SeverityName,
} from '../../../src-preload/contract/index.ts';
import { getFile } from '../../base/bridge/getFile.ts';
import { putFile } from '../../base/bridge/putFile.ts';
import { useCommand } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import type { Paper, PaperSize } from '../../print/paper.ts';
import type { Sheet, SheetRow } from '../../print/sheet.ts';
import type { IncidentTable } from '../../table/table.ts';
import { filterWords, isUnderWay, keysOf } from './exportText.ts';
import { sortRows } from '../../table/sort.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useCoordinates } from '../../base/stores/coordinates.ts';
import { useClock } from '../../base/stores/clock.ts';
import { useMapPicture } from '../../base/stores/mapPicture.ts';
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
  const mapPicture = useMapPicture();
  const station = useStation();
  const coordinates = useCoordinates();
  const clock = useClock();
  const { verbs } = bridge;

  const format = shallowRef<ExportFormat>('geojson');
  const byteOrderMark = shallowRef(true);
  const paper = shallowRef<PaperSize>('a4');
  /** Why the last wish was not fulfilled. */
  const { failure, run } = useCommand();
  /** While the picture is taken and the keys are sent. */
  const { busy: beginning, alone } = useCommand(failure);
  /** Exports that this page began: another page of the same console fetches its own. */
  const own = new Set<string>();

  const jobs = computed<readonly ExportJob[]>(() => mirror.exports?.jobs ?? []);
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

  async function paperOf(sorted: Uint32Array, words: string): Promise<Paper> {
    const { deployments, incidents, sync, zone } = mirror;
    const madeAt = clock.serverNow();
    const counted = sheetRows(mirror.table, sorted, mostListedRows);
    // A sheet without its map is better than none.
    const map = await mapPicture.take();
    const { dataAddress, sheetPaper } = await import('../../print/index.ts');
    return sheetPaper({
      ...counted,
      size: paper.value,
      zone,
      deployment: deployments?.known.find(({ id }) => id === deployments.chosen)?.name ?? '',
      account: mirror.session?.username ?? '',
      training: mirror.app?.training === true,
      madeAt,
      dataAsOf: incidents?.lastReadAt ?? null,
      completeness: incidents?.completeness ?? 'unknown',
      completeAsOf: sync?.completeAsOf ?? null,
      held: incidents?.count ?? 0,
      uncertainWindows: sync?.uncertain.count ?? 0,
      filters: words,
      coordinates: coordinates.format === 'dd' ? 'mgrs' : coordinates.format,
      picture: map && (await dataAddress(map)),
    });
  }

  async function begin(): Promise<Result<null>> {
    let begunId: string | null = null;
    try {
      const { table } = mirror;
      const distances = ui.sortBy === 'distance' ? station.distances : null;
      const sorted = sortRows(table, chosen.value, ui.sortBy, ui.sortDirection, distances);
      const keys = keysOf(table, sorted);
      const words = filters.value.slice(0, 2_000);
      const sheet = isPaperFormat(format.value) ? await paperOf(sorted, words) : null;
      const begun = await verbs.beginExport({
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
    // It may have ended by itself meanwhile, which its line says.
    return !result.ok && result.failure.code === 'not-found' ? ok(null) : result;
  }

  async function giveUp(jobId: string): Promise<void> {
    await verbs.cancelExport({ jobId });
    await verbs.dismissExport({ jobId });
  }

  // In the browser host the file waits for its page, whose browser asks where to.
  watch(jobs, (now) => {
    for (const { id, state, exportId, fileName } of now) {
      if (state !== 'ready' || exportId === null || !own.delete(id)) continue;
      void getFile(bridge, `export/${exportId}`, fileName);
    }
  });

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

/** What a sheet says of these rows: all of them counted, the first of them listed. */
function sheetRows(
  table: IncidentTable,
  rows: Uint32Array,
  mostListed: number,
): Pick<Sheet, 'incidents' | 'withoutLocation' | 'notReturned' | 'severities' | 'rows'> {
  const { columns, dictionaries, scale } = table;
  const marks = dictionaries.severity.map((severity) => scale.classOf(severity).mark);
  const severities = Object.fromEntries(severitiesWorstFirst.map((name) => [name, 0])) as Record<
    SeverityName,
    number
  >;
  const markOf = (row: number): SeverityName => marks[columns.severity[row] ?? -1] ?? 'unknown';
  let [withoutLocation, notReturned] = [0, 0];
  for (const row of rows) {
    severities[markOf(row)] += 1;
    if (Number.isNaN(columns.latitude[row])) withoutLocation += 1;
    if (columns.notReturned[row] === 1) notReturned += 1;
  }
  const listed = Array.from(rows.subarray(0, mostListed), (row): SheetRow => {
    const [latitude = Number.NaN, longitude = Number.NaN] = [columns.latitude[row], columns.longitude[row]];
    return {
      id: table.idAt(row),
      severity: dictionaries.severity[columns.severity[row] ?? -1] ?? '',
      mark: markOf(row),
      incidentType: dictionaries.type[columns.type[row] ?? -1] ?? '',
      status: dictionaries.status[columns.status[row] ?? -1] ?? '',
      createdAt: columns.createdAt[row] ?? Number.NaN,
      place: Number.isNaN(latitude) ? null : { latitude, longitude },
      notReturned: columns.notReturned[row] === 1,
    };
  });
  return { incidents: rows.length, withoutLocation, notReturned, severities, rows: listed };
}
