import { z } from 'zod';
import { cidProfileSchema, cidVerdictSchema } from './cids.ts';
import { failureSchema } from './failure.ts';
import { messageSchema } from './message.ts';
import { bytes, callers, done, fileName, nothing, page, type VerbDeclarations } from './verb.ts';

const instant = z.number();

/** Names an upload, and the file in the spool that it sends. */
export const uploadIdSchema = z.string().regex(/^[0-9a-f]{16}$/);

/** The separate service token for uploads (interface: Authentication, 7). */
export const uploadTokenSchema = z.string().min(1).max(8192);

/**
 * `receiving`: the file is being copied into the spool. `queued`: it waits for its turn. `sending`:
 * its bytes leave. `waiting`: something has to pass first (`why`, `until`). `sent`: the service is proven to have it, or an
 * operator erased the copy here. `unproven`: the service answered with success, and nothing proves that it has these
 * bytes; the copy stays here. `needs-decision`: only the operator can say what is right (`decision`).
 * `failed`: it was definitely not taken (`failure`), and an operator may retry.
 */
export const uploadStateSchema = z.enum([
  'receiving',
  'queued',
  'sending',
  'waiting',
  'sent',
  'unproven',
  'needs-decision',
  'failed',
]);
export type UploadState = z.infer<typeof uploadStateSchema>;

/**
 * Why an operator has to decide. `outcome-unknown`: the key's age is not proven to be under 23 hours,
 * or what was known of the attempts was lost. `stopped`: cancelled while bytes were leaving.
 * `same-bytes`: a file of the same content is in the outbox already. `other-bytes`: the service's CID is of other bytes.
 */
export const uploadDecisionSchema = z.enum(['outcome-unknown', 'stopped', 'same-bytes', 'other-bytes']);
export type UploadDecision = z.infer<typeof uploadDecisionSchema>;

export const uploadSchema = z.strictObject({
  id: uploadIdSchema,
  /** As the operator's computer names it, made safe for display: no control characters, no path. */
  fileName: z.string().max(1024),
  bytes: z.number(),
  addedAt: instant,
  state: uploadStateSchema,
  /** Held back by the operator; an item that is paused is `queued` or `waiting`. */
  paused: z.boolean(),
  /** It is sent when the line is measured as quick, or when the operator says so. */
  awaitsLink: z.boolean(),
  /** Why it waits, what has to be decided, or why it failed. */
  why: messageSchema.nullable(),
  /** What to do about it. */
  remedy: messageSchema.nullable(),
  /** Until when it waits; null where that is not known. */
  until: instant.nullable(),
  failure: failureSchema.nullable(),
  decision: uploadDecisionSchema.nullable(),
  /** How often bytes of it have left under the present key. */
  attempts: z.int().min(0),
  /** Hexadecimal SHA-256 of its bytes; null while receiving. */
  sha256: z.string().nullable(),
  /** CIDs that the common import profiles give its bytes. */
  computed: z.array(z.strictObject({ profile: cidProfileSchema, cid: z.string() })).max(8),
  /** The CID in the service's answer, as it came, capped. */
  cid: z.string().nullable(),
  verdict: cidVerdictSchema.nullable(),
  /** The profile whose CID is the service's. */
  profile: cidProfileSchema.nullable(),
  requestId: z.string().nullable(),
  sentAt: instant.nullable(),
  /** The file name of the item with the same bytes. */
  sameAs: z.string().max(1024).nullable(),
  /** The incident that it is evidence of, where the deployment has a field for that. */
  incidentId: z.string().nullable(),
});
export type Upload = z.infer<typeof uploadSchema>;

/** All about the outbox but its rows; those are read page by page (`readUploads`). */
export const outboxSchema = z.strictObject({
  /** False before sign-in and where nothing can be kept: `problem` says why. */
  available: z.boolean(),
  problem: failureSchema.nullable(),
  /** Counts up with every change of the rows or their order; progress alone is no change. */
  revision: z.int(),
  counts: z.record(uploadStateSchema, z.int().min(0)),
  /** Everything that is neither sent, proven or not, nor failed. */
  unsent: z.int().min(0),
  paused: z.boolean(),
  /** Progress of what moves now; a few times a second. */
  moving: z
    .array(
      z.strictObject({
        id: uploadIdSchema,
        direction: z.enum(['receiving', 'sending']),
        done: z.number(),
        total: z.number(),
        bytesPerSecond: z.number().nullable(),
        secondsLeft: z.number().nullable(),
      }),
    )
    .max(64),
  /** The separate service token for uploads (interface: Authentication, 7); a deployment's setting. */
  uploadToken: z.enum(['not-used', 'missing', 'present', 'refused']),
  /** Whether an upload can name an incident. */
  incidentField: z.boolean(),
});
export type OutboxState = z.infer<typeof outboxSchema>;

export const uploadVerbs = {
  /** Announces a file to be sent; its bytes follow as `PUT /spool/{uploadId}`. */
  beginUpload: {
    access: callers.handsOn,
    request: z.strictObject({ fileName, bytes, incidentId: z.string().max(1024).nullable() }),
    reply: z.strictObject({ uploadId: uploadIdSchema }),
  },
  /** The outbox in the order of sending. */
  readUploads: {
    access: callers.operators,
    request: z.strictObject(page),
    reply: z.strictObject({ revision: z.int(), total: z.int(), items: z.array(uploadSchema) }),
  },
  /** Holds one back, or all for null, or resumes them. */
  pauseUpload: {
    access: callers.handsOn,
    request: z.strictObject({ id: uploadIdSchema.nullable(), paused: z.boolean() }),
    reply: done,
  },
  /** Sends it when the line is quicker, also after a restart; or at once by `pauseUpload`. */
  postponeUpload: { access: callers.handsOn, request: z.strictObject({ id: uploadIdSchema }), reply: done },
  /** `to` is the place in the list, 0 for the first. */
  moveUpload: {
    access: callers.handsOn,
    request: z.strictObject({ id: uploadIdSchema, to: z.int().min(0).max(10_000_000) }),
    reply: done,
  },
  /** Stops it. What has not begun to leave is `failed` as cancelled; what has may have arrived, and needs a decision. */
  cancelUpload: { access: callers.handsOn, request: z.strictObject({ id: uploadIdSchema }), reply: done },
  /** Sends a failed one again, under a new key. */
  retryUpload: { access: callers.handsOn, request: z.strictObject({ id: uploadIdSchema }), reply: done },
  /**
   * Answers what needs a decision or is not proven. `check` looks for its CID in the list of evidence; `send` sends it,
   * under the same key where its outcome is unknown and it is proven to be young enough, else under a new one; `erase`
   * destroys the copy of one that is not proven.
   */
  decideUpload: {
    access: callers.handsOn,
    request: z.strictObject({ id: uploadIdSchema, decision: z.enum(['check', 'send', 'erase']) }),
    reply: done,
  },
  /** Takes one off the list and destroys its bytes. `state` repeats what it is: another state is refused. */
  discardUpload: {
    access: callers.handsOn,
    request: z.strictObject({ id: uploadIdSchema, state: uploadSchema.shape.state }),
    reply: done,
  },
  /** Takes all that were sent off the list. */
  discardSentUploads: { access: callers.handsOn, request: nothing, reply: done },
  /** The separate service token for uploads, after sign-in. Held in memory only. */
  giveUploadToken: {
    access: callers.handsOn,
    request: z.strictObject({ token: uploadTokenSchema }),
    reply: done,
  },
} as const satisfies VerbDeclarations;
