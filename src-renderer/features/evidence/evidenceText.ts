import type { EvidenceItem, EvidenceState, ShownField } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { bytesText } from '../../base/storage.ts';

/** What a field holds, as an operator reads it: a text without its quotation marks, else the JSON as it came. */
export function fieldText({ json }: ShownField): string {
  const value = parsed(json);
  return typeof value === 'string' ? value : json;
}

/** Values are capped on their way here: what was cut is no longer JSON, and is shown as it is. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const compact = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Names under which services give a file's own name, the most telling first. */
const nameFields = [
  'filename',
  'originalname',
  'originalfilename',
  'title',
  'name',
  'caption',
  'description',
];
const typeFields = ['mediatype', 'mimetype', 'mime', 'contenttype', 'evidencetype', 'type', 'kind'];
const collectorFields = ['collectedby', 'capturedby', 'droneid', 'drone', 'deviceid', 'device'];
const sizeFields = ['size', 'bytes', 'filesize', 'sizebytes', 'contentlength'];

function textOf(item: EvidenceItem, names: readonly string[]): string | null {
  for (const name of names) {
    const field = item.fields.find((one) => compact(one.name) === name);
    const value = field === undefined ? undefined : parsed(field.json);
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return null;
}

/** What collected it, where a field says so. */
export const itemCollector = (item: EvidenceItem): string | null => textOf(item, collectorFields);

/** The item's own name, where a field looks like one. */
export const itemName = (item: EvidenceItem): string | null => textOf(item, nameFields);

/** `Image/jpeg · 1.4 MB`: what else tells one item from the next; empty when nothing does. */
export function itemFacts(item: EvidenceItem): string[] {
  const facts: string[] = [];
  const type = textOf(item, typeFields);
  if (type !== null) facts.push(type);
  for (const name of sizeFields) {
    const field = item.fields.find((one) => compact(one.name) === name);
    const size = field === undefined ? undefined : parsed(field.json);
    if (typeof size !== 'number' || size < 0) continue;
    facts.push(bytesText(size));
    break;
  }
  return facts;
}

/** What of the list could not be used as it should, as sentences; empty when all could. */
export function evidenceDoubts({
  unreadable,
  withoutCid,
}: Pick<EvidenceState, 'unreadable' | 'withoutCid'>): string[] {
  const doubts: string[] = [];
  if (unreadable > 0) doubts.push(t('evidence.unreadable', {}, unreadable));
  if (withoutCid > 0) doubts.push(t('evidence.withoutCid', {}, withoutCid));
  return doubts;
}

/** `1,204 items`; `at least 200 items` while the list was not read to its end. */
export const evidenceCount = ({
  count: items,
  complete,
}: Pick<EvidenceState, 'count' | 'complete'>): string =>
  t(complete ? 'evidence.items' : 'evidence.atLeast', {}, items);
