import type { SeverityScale } from '../../../../../src-preload/contract/index.ts';
import { Yielding } from '../../../base/yielding.ts';
import type { StoredIncident } from '../../../state/incidentCache.ts';
import type { ExportOrder, ExportWriting } from '../exportOrder.ts';
import type { SheetRow } from './sheetPress.ts';

/** A sheet is for people: so many rows are listed at most. */
export const mostListedRows = 2_000;

const pieceBytes = 65_536;

/** A PDF for printing: head, how old and how complete the data are, map, counts, list. */
export async function* writeSheet(
  writing: Omit<ExportWriting, 'order'> & { readonly order: Pick<ExportOrder, 'paper' | 'wording'> },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { facts, scale, keys, find, onTally, order, picture, press, signal } = writing;
  const rows: SheetRow[] = [];
  const yielding = new Yielding();
  const listed = Math.min(keys.length, mostListedRows);
  let gone = 0;
  for (let at = 0; at < listed; at += 1) {
    if (yielding.over) await yielding.next();
    const incident = find(keys[at] as number);
    if (incident === null) gone += 1;
    else rows.push(rowOf(incident, scale));
  }
  const leftOut = keys.length - listed;
  const { paper, wording = null } = order;
  const bytes = await press.print({ facts, paper, wording, picture, rows, leftOut }, signal);
  onTally({ written: rows.length, leftOut, gone });
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const rowOf = ({ record, notReturnedSince }: StoredIncident, scale: SeverityScale): SheetRow => ({
  id: record.id,
  severity: record.severity,
  mark: scale.classOf(record.severity).mark,
  incidentType: record.incidentType,
  status: record.status,
  createdAt: record.createdAt,
  place: record.location && { latitude: record.location.latitude, longitude: record.location.longitude },
  notReturned: notReturnedSince !== null,
});
