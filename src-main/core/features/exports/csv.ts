import { statusClassOf } from '../../../../src-preload/contract/index.ts';
import { messageOfPlace } from '../../base/places/placeMessages.ts';
import type { StoredIncident } from '../../state/incidentCache.ts';
import { decimalText } from './decimal.ts';
import type { ExportFacts } from './exportFacts.ts';
import { completenessText, instantText, trainingText } from './exportMessages.ts';
import type { RowContext, TextFormat } from './textFormat.ts';

const columns = [
  ...['id', 'incident_type', 'severity', 'status', 'created_at', 'latitude', 'longitude', 'altitude'],
  ...['evidence_count', 'blockchain_records', 'first_seen_at', 'last_seen_at', 'not_returned_since'],
  ...['other_fields', 'severity_class', 'status_class', 'place', 'deployment', 'data_as_of', 'completeness'],
] as const;

/**
 * RFC 4180: CRLF, a header, quotes doubled. The format has no place for what a file says of itself, so the
 * last three columns repeat it in each row: whose data, as of when, how complete.
 *
 * Safe from formulas: texts are quoted and made harmless (`textCell`); numbers are numbers, written by the
 * console itself, and stay so: a negative coordinate is no formula.
 */
export function csvFormat({ byteOrderMark }: { readonly byteOrderMark: boolean }): TextFormat {
  let about = '';
  return {
    mediaType: 'text/csv; charset=utf-8; header=present',
    head: (facts) => {
      about = aboutCells(facts);
      return `${byteOrderMark ? '\uFEFF' : ''}${columns.join(',')}\r\n`;
    },
    row: (stored, _index, context) => `${rowCells(stored, context)},${about}\r\n`,
    foot: () => '',
  };
}

const aboutCells = (facts: ExportFacts): string =>
  [
    textCell(facts.training ? `${facts.deployment} (${trainingText})` : facts.deployment),
    instantCell(facts.dataAsOf),
    textCell(completenessText(facts)),
  ].join(',');

function rowCells(
  { record, firstSeenAt, lastSeenAt, notReturnedSince }: StoredIncident,
  { scale, towns }: RowContext,
): string {
  const { location, otherFields } = record;
  const others = otherFields.length === 0 ? '' : otherFields.map(({ name, json }) => `${name}: ${json}`);
  return [
    textCell(record.id),
    textCell(record.incidentType),
    textCell(record.severity),
    textCell(record.status),
    textCell(record.createdAtText),
    numberCell(location?.latitude ?? null),
    numberCell(location?.longitude ?? null),
    numberCell(location?.altitude ?? null),
    numberCell(record.evidenceCount),
    textCell(record.blockchainRecords.join(' ')),
    instantCell(firstSeenAt),
    instantCell(lastSeenAt),
    instantCell(notReturnedSince),
    textCell(others === '' ? '' : others.join('\n')),
    // What the console counts them as; the service's own spellings stand before.
    textCell(scale.classOf(record.severity).name),
    textCell(statusClassOf(record.status).name),
    textCell(location === null ? '' : messageOfPlace(towns.nearest(location)).text),
  ].join(',');
}

const numberCell = (value: number | null): string => (value === null ? '' : decimalText(value));

const instantCell = (at: number | null): string => (at === null ? '' : (instantText(at) ?? ''));

/**
 * The signs that begin a formula, and every character that compatibility normalization (NFKC) turns into text
 * that begins with one: input methods and spreadsheets do that to the full-width, small and raised ones.
 */
const signs = String.raw`[=+\-@＝＋－＠﹦﹢﹣﹫⁼⁺₌₊﬩⩵⩶]`;
/** What separates cells in some language, in the same way. */
const separators = String.raw`[;|；｜﹔︔\u037e\t\r\n]`;
/** What a spreadsheet could begin to read as a formula, whatever quotes and spaces it forgives before it. */
const atStart = new RegExp(String.raw`^(?:["'\s]*${signs}|[\t\r\n])`);
/** The same behind what it may take for the end of a cell. */
const inside = new RegExp(String.raw`${separators}(?=["'\s]*${signs})`, 'g');
/** Control characters but tab and line breaks: no text that anybody wrote, and many readers stop at them. */

const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** A text as a quoted cell that no spreadsheet takes for a formula: an apostrophe stands before what may be one. */
export function textCell(text: string): string {
  const harmless = text.replace(controls, '\uFFFD').replace(inside, "$&'");
  return `"${atStart.test(harmless) ? "'" : ''}${harmless.replaceAll('"', '""')}"`;
}
