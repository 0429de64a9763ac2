import type { StoredIncident } from '../../state/incidentCache.ts';
import type { ExportFacts } from './exportFacts.ts';
import { completenessText, instantText, trainingText } from './exportMessages.ts';
import { fieldsOf, plainText, type FieldValue } from './fields.ts';
import type { RowContext, TextFormat } from './textFormat.ts';

const fields = fieldsOf('named', 'created', 'position', 'altitude', 'records', 'seen');
const counted = fieldsOf('classes', 'place');
const header = [
  ...fields.map(({ name }) => name),
  'other_fields',
  ...counted.map(({ name }) => name),
  ...['deployment', 'data_as_of', 'completeness'],
].join(',');

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
      return `${byteOrderMark ? '\uFEFF' : ''}${header}\r\n`;
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

function rowCells(stored: StoredIncident, context: RowContext): string {
  const others = stored.record.otherFields.map(({ name, json }) => `${name}: ${json}`);
  return [
    ...fields.map(({ read }) => cell(read(stored, context))),
    textCell(others.join('\n')),
    ...counted.map(({ read }) => cell(read(stored, context))),
  ].join(',');
}

/** Numbers and instants are written by the console itself, and stand as they are. */
const cell = (field: FieldValue): string =>
  field.kind === 'text' || field.kind === 'list'
    ? textCell(plainText(field) ?? '')
    : (plainText(field) ?? '');

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
