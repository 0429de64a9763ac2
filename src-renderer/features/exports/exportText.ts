import {
  isPaperFormat,
  type ExportFormat,
  type ExportJob,
  type IncidentQuery,
} from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import type { IncidentTable } from '../../table/table.ts';
import { count, listed, moment, type Zone } from '../../base/format.ts';
import { narrowing } from '../../base/query.ts';
import { bytesText } from '../../base/storage.ts';

/** In the order in which they are offered: first what keeps everything. */
export const formatsOffered: readonly ExportFormat[] = ['geojson', 'csv', 'kml', 'gpx', 'html', 'pdf'];

export const isUnderWay = ({ state }: ExportJob): boolean =>
  state === 'rows' || state === 'asking' || state === 'ready' || state === 'writing';

/** The keys of rows, in their order, as they are sent. */
export function keysOf(table: IncidentTable, rows: Uint32Array): Uint32Array<ArrayBuffer> {
  const { key } = table.columns;
  const keys = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) keys[at] = key[rows[at] as number] ?? 0;
  return keys;
}

/** Everything that narrows what is shown, for people who only have the file. */
export function filterWords(shown: {
  readonly query: IncidentQuery | undefined;
  readonly timeWindow: { readonly from: number; readonly to: number } | null;
  readonly search: string;
  readonly part: 'all' | 'unlocated' | 'not-returned' | 'changed';
  /** How many rows are marked and written alone; 0 for all that are shown. */
  readonly marked: number;
  readonly zone: Zone;
}): string {
  const { query, timeWindow, search, part, marked, zone } = shown;
  if (marked > 0) return t('exports.filter.marked', {}, marked);
  if (part === 'changed') return t('exports.filter.changed');
  const clauses = query === undefined ? [] : narrowing(query);
  if (timeWindow !== null) {
    const { from, to } = timeWindow;
    clauses.push(t('exports.filter.window', { from: moment(from, zone), to: moment(to, zone) }));
  }
  if (search.trim() !== '') clauses.push(t('exports.filter.search', { words: search.trim() }));
  if (part === 'unlocated') clauses.push(t('exports.filter.unlocated'));
  if (part === 'not-returned') clauses.push(t('exports.filter.notReturned'));
  return clauses.length === 0 ? t('exports.filter.none') : listed(clauses);
}

/** What an export is doing, or how it ended, as a sentence. */
export function jobWords(job: ExportJob): string {
  const { subject, state, written, incidents, bytes } = job;
  const isReport = subject === 'handover';
  switch (state) {
    case 'rows':
      return t(isReport ? 'exports.state.report' : 'exports.state.rows');
    case 'asking':
      return t('exports.state.asking');
    case 'ready':
      return t('exports.state.ready');
    case 'writing':
      if (isReport) return t('exports.state.report');
      return t('exports.state.writing', { written: count(written) }, incidents);
    case 'done':
      // Nothing of it passed through the console, and what the browser's dialog did is not known.
      if (job.format === 'pdf' && bytes === 0) return t('exports.state.printed');
      if (isReport) return t('exports.state.saved', { size: bytesText(bytes) });
      return t('exports.state.done', { size: bytesText(bytes) }, written);
    case 'cancelled':
      return t('exports.state.cancelled');
    case 'failed':
      return t('exports.state.failed');
  }
}

/** What a finished file lacks, as sentences; empty when it has every incident. */
export function lackWords({ state, format, leftOut, gone }: ExportJob): string[] {
  if (state !== 'done') return [];
  const left = isPaperFormat(format) ? 'exports.leftOut.rows' : 'exports.leftOut.location';
  return [...(leftOut > 0 ? [t(left, {}, leftOut)] : []), ...(gone > 0 ? [t('exports.gone', {}, gone)] : [])];
}
