import type { StoredIncident } from '../../state/incidentCache.ts';
import type { ExportFacts } from './exportFacts.ts';
import { completenessText, instantText, trainingText } from './exportMessages.ts';
import { fieldsOf, plainText, type FieldValue } from './fields.ts';
import type { RowContext, TextFormat } from './textFormat.ts';

const fields = fieldsOf('named', 'created', 'position', 'altitude', 'records', 'seen');
const counted = fieldsOf('classes', 'place', 'unreadable');
const header = [
  ...fields.map(({ name }) => name),
  'other_fields',
  ...counted.map(({ name }) => name),
  ...['deployment', 'data_as_of', 'completeness'],
].join(',');

/**
 * RFC 4180: CRLF, a header, doubled quotes. The format has no place for facts about the file, so the last three columns
 * repeat them in each row: whose data, as of when, how complete.
 *
 * Safe from formulas: texts are quoted and made harmless (`textCell`). Numbers stay numbers, since the console itself
 * writes them: a negative coordinate is no formula.
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

/** Numbers and instants stay as they are, since the console itself writes them. */
const cell = (field: FieldValue): string =>
  field.kind === 'text' || field.kind === 'list'
    ? textCell(plainText(field) ?? '')
    : (plainText(field) ?? '');

const instantCell = (at: number | null): string => (at === null ? '' : (instantText(at) ?? ''));

/**
 * The signs that begin a formula, and every character that compatibility normalization (NFKC) turns into text that
 * begins with one: input methods and spreadsheets do that to full-width, small and raised signs.
 */
const signs = String.raw`[=+\-@＝＋－＠﹦﹢﹣﹫⁼⁺₌₊﬩⩵⩶]`;
/** The separators of cells in some language, with their full-width forms. */
const separators = String.raw`[;|；｜﹔︔\u037e\t\r\n]`;
/** A possible formula at the start of a cell, after the quotes and spaces that a spreadsheet may skip. */
const atStart = new RegExp(String.raw`^(?:["'\s]*${signs}|[\t\r\n])`);
/** The same after a character that a spreadsheet may take for the end of a cell. */
const inside = new RegExp(String.raw`${separators}(?=["'\s]*${signs})`, 'g');
/** Control characters except tab and line breaks: people do not write them, and many readers stop at them. */

const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** A text as a quoted cell. An apostrophe before a possible formula keeps a spreadsheet from running it. */
export function textCell(text: string): string {
  const harmless = text.replace(controls, '\uFFFD').replace(inside, "$&'");
  return `"${atStart.test(harmless) ? "'" : ''}${harmless.replaceAll('"', '""')}"`;
}
