import { z } from 'zod';
import { evidenceItemSchema } from '../../../../src-preload/contract/index.ts';
import { parsedJson } from '../../base/json.ts';
import { contentKeyOf } from './cid/parse.ts';
import type { EvidenceRecord, ListedItem } from './evidenceItem.ts';

/** How many items are stored on this computer, for use without the service. */
const mostKept = 5_000;
const mostText = 16 * 1024 * 1024;

const documentSchema = z.strictObject({
  version: z.literal(1),
  lastReadAt: z.number(),
  items: z.array(evidenceItemSchema.omit({ key: true, content: true })).max(mostKept),
  /** Whether it is the whole list, and not only the newest items. */
  whole: z.boolean(),
});

export interface KeptEvidence {
  readonly lastReadAt: number;
  readonly records: readonly EvidenceRecord[];
  readonly whole: boolean;
}

/** The newest items as JSON text. */
export function writeEvidenceDocument(items: readonly ListedItem[], lastReadAt: number): string {
  const texts: string[] = [];
  let length = 0;
  for (const { cid, incidentId, at, fields } of items.slice(0, mostKept)) {
    const text = JSON.stringify({ cid, incidentId, at, fields });
    length += text.length;
    if (length > mostText) break;
    texts.push(text);
  }
  const head = JSON.stringify({ version: 1, lastReadAt, whole: texts.length === items.length });
  return `${head.slice(0, -1)},"items":[${texts.join(',')}]}`;
}

/** Null for no text, and for one of another version or shape: the list is read again anyway. */
export function readEvidenceDocument(text: string | null): KeptEvidence | null {
  const document = documentSchema.safeParse(parsedJson(text));
  if (!document.success) return null;
  const { lastReadAt, items, whole } = document.data;
  const records = items.map((item) => ({
    ...item,
    content: item.cid === null ? null : contentKeyOf(item.cid),
  }));
  return { lastReadAt, records, whole };
}
