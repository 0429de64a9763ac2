import type { EvidenceItem, ShownField } from '../../../../src-preload/contract/index.ts';
import { cappedJson, cappedText, isObject, ownValue, type JsonObject } from '../../base/json.ts';
import { parseTimestamp } from '../../base/timestamp.ts';
import { guessCid, parseCid } from './cid/parse.ts';

/** An item without what is known here of its bytes, which changes while the item stays the same. */
export type ListedItem = Omit<EvidenceItem, 'content'>;

/** An item of the list, read; it gets its key when it is put among the others. */
export interface EvidenceRecord extends Omit<ListedItem, 'key'> {
  /** The text that is the same for every spelling of its CID. */
  readonly content: string | null;
}

const mostFields = 64;
const longestName = 256;
const longestValue = 2_048;
/** Of all fields of an item together: a list of 100,000 must fit into memory. */
const longestItem = 16_384;
const longestIncidentId = 1_024;

/** All fields of an object for display, in the order they came, as capped JSON text. */
export function shownFields(object: JsonObject): ShownField[] {
  const fields: ShownField[] = [];
  let left = longestItem;
  for (const name of Object.keys(object)) {
    if (fields.length >= mostFields || left <= 0) break;
    const json = cappedJson(ownValue(object, name), Math.min(longestValue, left));
    fields.push({ name: cappedText(name, longestName), json });
    left -= json.length;
  }
  return fields;
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Strings of an object and of the objects and lists in it; one level, as what lies deeper is about something else. */
function textsOf(object: JsonObject): NamedText[] {
  const texts: NamedText[] = [];
  const inside: NamedText[] = [];
  for (const name of Object.keys(object).slice(0, mostFields)) {
    const value = ownValue(object, name);
    if (typeof value === 'string') texts.push({ name, text: value });
    else if (typeof value === 'object' && value !== null) {
      for (const key of Object.keys(value).slice(0, mostFields)) {
        const nested = ownValue(value as JsonObject, key);
        if (typeof nested === 'string') inside.push({ name: `${name}.${key}`, text: nested });
      }
    }
  }
  return [...texts, ...inside];
}

/** "incident" has "cid" in its middle. */
const namesCid = (name: string): boolean => name.toLowerCase().replaceAll('incident', '').includes('cid');
const namesHash = (name: string): boolean => name.toLowerCase().includes('hash');

function cidOf(texts: readonly NamedText[]): {
  readonly cid: string | null;
  readonly content: string | null;
} {
  const named = texts.filter(({ name }) => namesCid(name));
  const hashes = texts.filter(({ name }) => namesHash(name));
  for (const [candidates, read] of [
    [named, parseCid],
    [hashes, guessCid],
    [texts, guessCid],
  ] as const) {
    for (const { text } of candidates) {
      const parsed = read(text);
      if (parsed !== null) return { cid: text, content: parsed.content };
    }
  }
  return { cid: null, content: null };
}

/** What follows "incident" in the names of fields that tell about it and are not its id. */
const aboutIncident = /type|kind|severity|status|state|name|title|text|descr|note|time|date|_at$|at$/;

function incidentOf(texts: readonly NamedText[]): string | null {
  const rank = (name: string): number => {
    const rest = name
      .toLowerCase()
      .replace('incident', '')
      .replaceAll(/[^a-z]/g, '');
    if (rest === 'id') return 0;
    if (rest === '') return 1;
    return aboutIncident.test(rest) ? 3 : 2;
  };
  const [best] = texts
    .filter(({ name, text }) => name.toLowerCase().includes('incident') && fits(text) && rank(name) < 3)
    .sort((a, b) => rank(a.name) - rank(b.name));
  return best?.text ?? null;
}

const fits = (text: string): boolean => text !== '' && text.length <= longestIncidentId;

/** Names of an item's own time, the best first; any other timestamp is better than none. */
const timeNames = ['created_at', 'timestamp', 'captured_at', 'recorded_at', 'uploaded_at', 'time', 'date'];

function timeOf(object: JsonObject): number | null {
  const read = (name: string): number | null => {
    const value = ownValue(object, name);
    return typeof value === 'string' ? parseTimestamp(value) : null;
  };
  for (const name of [...timeNames, ...Object.keys(object).slice(0, mostFields)]) {
    const at = read(name);
    if (at !== null) return at;
  }
  return null;
}

/**
 * Reads one item of `GET /evidence`, whose shape is not specified: what parses as a CID is its CID,
 * with fields that are named like one first; a field named after an incident holds that one's id,
 * which is opaque.
 *
 * @returns null for what is no object; never throws.
 */
export function readEvidenceItem(raw: unknown): EvidenceRecord | null {
  if (!isObject(raw)) return null;
  const texts = textsOf(raw);
  return { ...cidOf(texts), incidentId: incidentOf(texts), at: timeOf(raw), fields: shownFields(raw) };
}
