import { z } from 'zod';
import {
  cidProfileSchema,
  cidVerdictSchema,
  failureSchema,
  messageSchema,
  uploadDecisionSchema,
  uploadIdSchema,
} from '../../../../src-preload/contract/index.ts';
import { parsedJson } from '../../base/json.ts';
import type { UploadItem } from './item.ts';

const count = z.int().min(0);

const targetSchema = z.strictObject({
  path: z.string(),
  field: z.string(),
  fields: z.array(z.tuple([z.string(), z.string()])),
  incidentField: z.string().nullable(),
});

const keySchema = z.strictObject({
  value: z.string().min(32),
  boundary: z.string().min(16),
  target: targetSchema,
  boundTo: z.string(),
  attempts: count,
  anchor: z.number().nullable(),
  unreadable: count,
});

const endedKeySchema = z.strictObject({
  value: z.string(),
  attempts: count,
  end: z.enum(['refused', 'sent-anew', 'not-bound']),
  status: z.number().nullable(),
  requestId: z.string().nullable(),
  at: z.number(),
});

const confirmationSchema = z.strictObject({
  at: z.number(),
  cid: z.string().nullable(),
  verdict: cidVerdictSchema.nullable(),
  profile: cidProfileSchema.nullable(),
  requestId: z.string().nullable(),
  note: messageSchema.nullable(),
});

const phaseSchema = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('receiving') }),
  z.strictObject({
    state: z.literal('queued'),
    consented: z.boolean(),
    newKey: z.boolean().default(false),
  }),
  z.strictObject({ state: z.literal('sending') }),
  z.strictObject({ state: z.literal('waiting'), failure: failureSchema, until: z.number().nullable() }),
  confirmationSchema.extend({ state: z.literal('sent') }),
  confirmationSchema.extend({ state: z.literal('unproven') }),
  z.strictObject({
    state: z.literal('needs-decision'),
    decision: uploadDecisionSchema,
    why: messageSchema,
    remedy: messageSchema,
    failure: failureSchema.nullable(),
    sameAs: z.string().nullable(),
    said: confirmationSchema.nullable().default(null),
  }),
  z.strictObject({ state: z.literal('failed'), failure: failureSchema }),
]);

const itemSchema = z.strictObject({
  version: z.literal(1),
  id: uploadIdSchema,
  fileName: z.string(),
  bytes: count,
  addedAt: z.number(),
  incidentId: z.string().nullable(),
  place: z.number(),
  step: count,
  paused: z.union([z.boolean(), z.literal('slow-link')]),
  sha256: z.string().nullable(),
  computed: z.array(z.strictObject({ profile: cidProfileSchema, cid: z.string() })),
  key: keySchema.nullable(),
  endedKeys: z.array(endedKeySchema),
  phase: phaseSchema,
});

/** The text of an item for its row and its sidecar. */
export const writeItem = (item: UploadItem): string => JSON.stringify({ version: 1, ...item });

/** Null when this is not a valid item with this id: it counts as damaged. */
export function readItem(id: string, text: string | null): UploadItem | null {
  const read = itemSchema.safeParse(parsedJson(text));
  if (!read.success || read.data.id !== id) return null;
  const { version: _version, ...item } = read.data;
  return item;
}
