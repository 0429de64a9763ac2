import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { callers, done, type VerbDeclarations } from './verb.ts';

const cidText = z.string().min(1).max(256);

/**
 * What a file is, by its own bytes. `too-large`: a picture that would take more memory to decode than there is, or whose
 * dimensions cannot be read.
 */
export const contentKindSchema = z.enum(['picture', 'video', 'other', 'too-large']);
export type ContentKind = z.infer<typeof contentKindSchema>;

/**
 * Whether evidence is fetched from the deployment's gateways: `off` never, `ask` when an operator asks, `auto` also what
 * is shown in a list.
 */
export const evidencePreviewSchema = z.enum(['off', 'ask', 'auto']);
export type EvidencePreview = z.infer<typeof evidencePreviewSchema>;

/**
 * The bytes of one CID on this computer.
 *
 *   absent -> queued -> loading -> verified | unverified | mismatch | failed;  all but loading -> queued again
 *
 * `verified`: every byte was held against the CID. `unverified`: a gateway gave bytes that nothing here can hold against
 * the CID, so that they are shown only after asking. `mismatch`: other bytes came, and were discarded.
 */
export const contentSchema = z.strictObject({
  state: z.enum(['absent', 'queued', 'loading', 'verified', 'unverified', 'mismatch', 'failed']),
  /** Of what is stored here; null of anything else. */
  file: z
    .strictObject({
      kind: contentKindSchema,
      mediaType: z.string(),
      bytes: z.number(),
      width: z.number().nullable(),
      height: z.number().nullable(),
    })
    .nullable(),
  /** Whether it is to stay on this computer for when there is no network. */
  kept: z.boolean(),
  failure: failureSchema.nullable(),
});
export type Content = z.infer<typeof contentSchema>;

/** What is fetched and stored of evidence. States of single CIDs come with the items (`readEvidence`). */
export const contentsSchema = z.strictObject({
  /** `off` too where the policy forbids it, or the deployment names no gateway. */
  preview: evidencePreviewSchema,
  /** Counts up with every change of a CID's state; progress alone is no change. */
  revision: z.int(),
  /** Bytes that are stored, those of them that stay, and the bound of both. */
  bytes: z.number(),
  keptBytes: z.number(),
  limitBytes: z.number(),
  /** CIDs that stay here, and those of them that are not here yet. */
  kept: z.int().min(0),
  waiting: z.int().min(0),
  /** What is fetched now; a few times a second. `total` null while that is not known. */
  moving: z
    .array(z.strictObject({ cid: z.string(), received: z.number(), total: z.number().nullable() }))
    .max(16),
});
export type ContentsState = z.infer<typeof contentsSchema>;

/** 128 random bits in the address of a file that was opened, worth as much as a page's proof. */
export const ticketSchema = z.string().regex(/^[0-9a-f]{32}$/);

/** So many incidents are named at most where the evidence of several is kept. */
export const mostKeptIncidents = 10_000;

const whatToKeep = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cid'), cid: cidText }),
  z.strictObject({ kind: z.literal('incident'), incidentId: z.string().max(1024) }),
  z.strictObject({
    kind: z.literal('incidents'),
    keys: z.array(z.int().min(0).max(4_294_967_295)).max(mostKeptIncidents),
  }),
  z.strictObject({ kind: z.literal('list') }),
]);
export type WhatToKeep = z.infer<typeof whatToKeep>;

export const contentVerbs = {
  /** Fetches the bytes of a CID. `soon`: an operator waits for them; else behind everything else. */
  loadContent: {
    access: callers.handsOn,
    request: z.strictObject({ cid: cidText, soon: z.boolean() }),
    reply: done,
  },
  /** Ends the fetching of a CID; nothing of it stays. */
  cancelContent: { access: callers.handsOn, request: z.strictObject({ cid: cidText }), reply: done },
  /** How many CIDs `keepContent` would concern: those to fetch, and how many more may stay. */
  countContent: {
    access: callers.operators,
    request: z.strictObject({ of: whatToKeep }),
    reply: z.strictObject({ count: z.int(), missing: z.int(), room: z.int() }),
  },
  /**
   * Fetches what one CID, the evidence of one incident or of those that a list shows, or all of the list names, and lets
   * it stay; or lets it go.
   */
  keepContent: {
    access: callers.handsOn,
    request: z.strictObject({
      of: whatToKeep,
      kept: z.boolean(),
    }),
    /** How many CIDs it concerns. */
    reply: z.strictObject({ count: z.int() }),
  },
  /**
   * Opens stored bytes to be shown from `GET /evidence/{ticket}`, until `closeContent`, the lock or the sign-out.
   * `unverified`: the operator was told that they cannot be verified, and asked for them all the same.
   */
  openContent: {
    access: callers.operators,
    request: z.strictObject({ cid: cidText, unverified: z.boolean() }),
    reply: z.strictObject({ ticket: ticketSchema }),
  },
  closeContent: { access: callers.operators, request: z.strictObject({ ticket: ticketSchema }), reply: done },
  /** Opens stored bytes to be saved as a file of this name. */
  saveContent: {
    access: callers.exporters,
    request: z.strictObject({ cid: cidText }),
    reply: z.strictObject({ ticket: ticketSchema, fileName: z.string() }),
  },
} as const satisfies VerbDeclarations;
