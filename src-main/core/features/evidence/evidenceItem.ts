import type { EvidenceItem, ShownField } from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue, type JsonObject } from '../../base/json.ts';
import { mostFields, shownFields } from '../../base/shownFields.ts';
import { parseTimestamp, readInstant } from '../../base/timestamp.ts';
import { underGateway } from '../../service/gateway/gatewayClient.ts';
import { guessCid, parseCid } from './cid/parse.ts';

/** An item without the state of its bytes here, which changes while the item stays the same. */
export type ListedItem = Omit<EvidenceItem, 'content'>;

/** An item of the list after reading. It gets its key in the cache. */
export interface EvidenceRecord extends Omit<ListedItem, 'key'> {
  /** The same text for all spellings of its CID. */
  readonly content: string | null;
}

const longestIncidentId = 1_024;

const webAddress = /"(https?:\/\/[^"\\\s]+)"/g;
/** The most addresses of one item: services give the file itself, and at most a few copies. */
const mostAddresses = 4;

/** Web addresses in an item's fields that lie under one of the gateways. */
export function ownAddresses(fields: readonly ShownField[], gateways: readonly string[]): string[] {
  const found = new Set<string>();
  if (gateways.length === 0) return [];
  for (const { json } of fields) {
    for (const [, address = ''] of json.matchAll(webAddress)) {
      const own = underGateway(gateways, address);
      // The gateway's own address names no file.
      if (own !== null && !gateways.includes(own) && found.size < mostAddresses) found.add(own);
    }
  }
  return [...found];
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Texts of an object and of the objects and lists in it. One level deep: what lies deeper is about something else. */
function textsOf(object: JsonObject): NamedText[] {
  const texts: NamedText[] = [];
  const inside: NamedText[] = [];
  for (const name of Object.keys(object).slice(0, mostFields)) {
    const value = ownValue(object, name);
    if (typeof value === 'string') texts.push({ name, text: value });
    // Some services count their incidents.
    else if (Number.isSafeInteger(value) && name.toLowerCase().includes('incident'))
      texts.push({ name, text: String(value) });
    else if (typeof value === 'object' && value !== null) {
      for (const key of Object.keys(value).slice(0, mostFields)) {
        const nested = ownValue(value as JsonObject, key);
        if (typeof nested === 'string') inside.push({ name: `${name}.${key}`, text: nested });
      }
    }
  }
  return [...texts, ...inside];
}

/** "incident" contains "cid". */
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

/** Words after "incident" in names of fields that describe it and are not its id. */
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

/** Names of an item's own time, the best first. Without one of them any timestamp is used. */
const timeNames = ['created_at', 'timestamp', 'captured_at', 'recorded_at', 'uploaded_at', 'time', 'date'];

function timeOf(object: JsonObject): number | null {
  for (const name of timeNames) {
    const at = readInstant(ownValue(object, name));
    if (at !== null) return at;
  }
  for (const name of Object.keys(object).slice(0, mostFields)) {
    const value = ownValue(object, name);
    const at = typeof value === 'string' ? parseTimestamp(value) : null;
    if (at !== null) return at;
  }
  return null;
}

/**
 * Reads one item of `GET /evidence`, whose shape is not specified. Its CID is a text that parses as one; fields named
 * like a CID come first. A field named after an incident holds that incident's id, which is opaque.
 *
 * @returns null when `raw` is no object; never throws.
 */
export function readEvidenceItem(raw: unknown): EvidenceRecord | null {
  if (!isObject(raw)) return null;
  const texts = textsOf(raw);
  return { ...cidOf(texts), incidentId: incidentOf(texts), at: timeOf(raw), fields: shownFields(raw) };
}
