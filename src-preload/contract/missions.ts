import { z } from 'zod';
import { shownFieldSchema } from './evidence.ts';
import { failureSchema } from './failure.ts';
import { freshnessSchema } from './freshness.ts';

const instant = z.number();

/** Opaque (interface: Shared conventions); typed by an operator it must be short and printable. */
export const missionIdSchema = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^\p{Cc}]+$/u);

export const missionDecisionSchema = z.enum(['approve', 'reject']);
export type MissionDecision = z.infer<typeof missionDecisionSchema>;

/**
 * What became of one decision. `sending`: the request is under way. `done`: the service took it.
 * `refused`: it definitely did not (`failure`). `conflict`: the mission is in another state (409).
 * `unknown`: the request was cut, and the service may or may not have acted on it.
 */
export const decisionOutcomeSchema = z.enum(['sending', 'done', 'refused', 'conflict', 'unknown']);
export type DecisionOutcome = z.infer<typeof decisionOutcomeSchema>;

export const decidedSchema = z.strictObject({
  missionId: z.string(),
  decision: missionDecisionSchema,
  outcome: decisionOutcomeSchema,
  /** When the operator gave it, and when its outcome was last learned. */
  at: instant,
  answeredAt: instant.nullable(),
  requestId: z.string().nullable(),
  failure: failureSchema.nullable(),
  /** The service's answer as JSON text, capped. */
  answer: z.string().nullable(),
  /** Of an unknown outcome: whether "check again" can find it out (a pending list or events are configured). */
  checkable: z.boolean(),
  /** Of an unknown outcome: until when the same decision may be sent again; null when it may not. */
  sameAgainUntil: instant.nullable(),
});
export type Decided = z.infer<typeof decidedSchema>;

export const missionSchema = z.strictObject({
  id: z.string(),
  source: z.enum(['list', 'event', 'typed']),
  seenAt: instant,
  fields: z.array(shownFieldSchema).max(64),
  /** Why the account may not decide on it, until the next token (interface: 403). */
  notGranted: failureSchema.nullable(),
  decided: decidedSchema.nullable(),
});
export type Mission = z.infer<typeof missionSchema>;

export const missionsSchema = z.strictObject({
  /** Whether a list of pending missions, and a path for rejecting, are configured. */
  hasList: z.boolean(),
  canReject: z.boolean(),
  /** Why no decision can be sent now; null when one can. */
  blocked: failureSchema.nullable(),
  /** Pending ones first, then those decided on; at most 500. */
  missions: z.array(missionSchema).max(500),
  reading: z.boolean(),
  lastReadAt: instant.nullable(),
  failure: failureSchema.nullable(),
  freshness: freshnessSchema,
  audit: z.strictObject({
    count: z.int().min(0),
    /** `damaged`: entries were cut off, moved or changed; `problem` says what was found. */
    state: z.enum(['unknown', 'intact', 'damaged']),
    problem: z.string().nullable(),
  }),
});
export type MissionsState = z.infer<typeof missionsSchema>;

/** One line of the audit list, as it is shown and exported. */
export const auditEntrySchema = z.strictObject({
  /** From 1, without a gap. */
  number: z.int().min(1),
  at: instant,
  username: z.string(),
  /** What happened, as a sentence. */
  event: z.string(),
  missionId: z.string().nullable(),
  decision: missionDecisionSchema.nullable(),
  outcome: decisionOutcomeSchema.nullable(),
  requestId: z.string().nullable(),
  /** Whether the chain holds up to here. */
  intact: z.boolean(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;
