import { z } from 'zod';
import { cidProfileSchema, cidVerdictSchema } from './cids.ts';
import { contentSchema } from './contents.ts';
import { failureSchema } from './failure.ts';
import { freshnessSchema } from './freshness.ts';
import { bytes, callers, done, fileName, nothing, page, type VerbDeclarations } from './verb.ts';

const instant = z.number();
const cidText = z.string().min(1).max(256);

/** A field of something whose shape is not specified: its name, and its value as JSON text, as it came. */
export const shownFieldSchema = z.strictObject({ name: z.string(), json: z.string() });
export type ShownField = z.infer<typeof shownFieldSchema>;

export const verificationIdSchema = z.string().regex(/^[0-9a-f]{16}$/);

/** One item of `GET /evidence`, read tolerantly (interface: its shape is not shown). */
export const evidenceItemSchema = z.strictObject({
  /** Unique in the list, and stable while the list is known. */
  key: z.int(),
  /** What of the item parses as a CID; null when nothing does. */
  cid: z.string().nullable(),
  /** The incident that it names, where it names one. */
  incidentId: z.string().nullable(),
  /** The item's own time, Unix milliseconds, where a field is one. */
  at: instant.nullable(),
  /** All its fields in the order they came, the CID's and the incident's among them. */
  fields: z.array(shownFieldSchema).max(64),
  /** What is known here of the bytes that its CID names; null without a CID, and where no bytes may be fetched. */
  content: contentSchema.nullable(),
});
export type EvidenceItem = z.infer<typeof evidenceItemSchema>;

/** A file on this computer held against a CID. */
export const verificationSchema = z.strictObject({
  id: verificationIdSchema,
  cid: z.string(),
  fileName: z.string().max(1024),
  bytes: z.number(),
  received: z.number(),
  /** Null while bytes come in. */
  verdict: cidVerdictSchema.nullable(),
  profile: cidProfileSchema.nullable(),
  failure: failureSchema.nullable(),
});
export type Verification = z.infer<typeof verificationSchema>;

export const evidenceSchema = z.strictObject({
  /** Counts up with every change of the items. */
  revision: z.int(),
  count: z.int().min(0),
  /** Items that hold nothing that parses as a CID. They are listed all the same. */
  withoutCid: z.int().min(0),
  /** Entries of the list that are no objects. */
  unreadable: z.int().min(0),
  /** Whether the list was read to its end: no cursor was left. */
  complete: z.boolean(),
  reading: z.boolean(),
  lastReadAt: instant.nullable(),
  failure: failureSchema.nullable(),
  freshness: freshnessSchema,
  /** Addresses of the gateways that the deployment allows, in its order; a CID is appended to one. */
  gateways: z.array(z.string()).max(16),
  verifications: z.array(verificationSchema).max(16),
});
export type EvidenceState = z.infer<typeof evidenceSchema>;

export const evidenceVerbs = {
  /** Reads the list of evidence to its end, also when the scope was missing before. */
  refreshEvidence: { access: callers.operators, request: nothing, reply: done },
  /** The items, newest first; of one incident, or all for null. */
  readEvidence: {
    access: callers.operators,
    request: z.strictObject({ incidentId: z.string().max(1024).nullable(), ...page }),
    reply: z.strictObject({ revision: z.int(), total: z.int(), items: z.array(evidenceItemSchema) }),
  },
  /** Opens a CID in the system's browser, at one of the gateways that the deployment allows. */
  openInGateway: {
    access: callers.handsOn,
    request: z.strictObject({ cid: cidText, gateway: z.string().max(512) }),
    reply: done,
  },
  /** Announces a file to be held against a CID; its bytes follow as `PUT /spool/{verificationId}` and are not kept. */
  beginVerification: {
    access: callers.handsOn,
    request: z.strictObject({ cid: cidText, fileName, bytes }),
    reply: z.strictObject({ verificationId: verificationIdSchema }),
  },
  dismissVerification: {
    access: callers.operators,
    request: z.strictObject({ verificationId: verificationIdSchema }),
    reply: done,
  },
} as const satisfies VerbDeclarations;
