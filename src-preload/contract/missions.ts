import { z } from 'zod';
import { shownFieldSchema } from './evidence.ts';
import { failureSchema } from './failure.ts';
import { freshnessSchema } from './freshness.ts';
import { messageSchema } from './message.ts';
import { callers, done, fetched, nothing, page, type VerbDeclarations } from './verb.ts';

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
 * What is known of one decision, each stated only when it was seen. `sending`: the request is in progress.
 * `done`: the service answered that it took it, or an event or the list names the mission so (`basis`).
 * `refused`: the service answered with a refusal (`failure`). `not-sent`: the request never left. `conflict`:
 * the service answered 409, or the answer, an event or the list names another state. `unknown`: the request was cut, or
 * the answer contradicts it, and the service may or may not have acted on it. `no-longer-listed`: as `unknown`, and the
 * mission has left the list of pending ones since: decided by another operator, or withdrawn.
 */
export const decisionOutcomeSchema = z.enum([
  'sending',
  'done',
  'refused',
  'not-sent',
  'conflict',
  'unknown',
  'no-longer-listed',
]);
export type DecisionOutcome = z.infer<typeof decisionOutcomeSchema>;

/** Whether it is open if the service acted on the decision. */
export const isOutcomeOpen = (outcome: DecisionOutcome): boolean =>
  outcome === 'unknown' || outcome === 'no-longer-listed';

/** What `done` and `conflict` were seen in. */
export const outcomeBasisSchema = z.enum(['answer', 'event', 'list']);
export type OutcomeBasis = z.infer<typeof outcomeBasisSchema>;

/** The latest reading of the pending list that was asked about a decision: when it came, and whether the mission was in it. */
export const listCheckSchema = z.strictObject({ at: instant, listed: z.boolean() });

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
  basis: outcomeBasisSchema,
  listCheck: listCheckSchema.nullable(),
  /** Of an open outcome: whether "check again" may find it out (a pending list or events are configured). */
  checkable: z.boolean(),
  /** Of `unknown`: until when the same decision may be sent again; null when it may not. */
  sameAgainUntil: instant.nullable(),
});
export type Decided = z.infer<typeof decidedSchema>;

export const missionSchema = z.strictObject({
  id: z.string(),
  source: z.enum(['list', 'event', 'typed']),
  /** When this console first knew of it. */
  seenAt: instant,
  /** When it was requested, in the service's own time; null where the service does not say. */
  requestedAt: instant.nullable(),
  /** How it stands, as far as the service said: `gone` is no longer listed, `other` a state that ends it. */
  state: z.enum(['pending', 'approve', 'reject', 'gone', 'other']),
  /** As they came; of a mission that is settled with the state that settled it. */
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
  /** Whether the service takes a reason with a rejection. */
  takesReason: z.boolean(),
  /** Why no decision can be sent now; null when one can. */
  blocked: failureSchema.nullable(),
  /** Pending ones first, then those decided on; at most 500. */
  missions: z.array(missionSchema).max(500),
  /** Records of the latest list without a usable id, which may be pending missions. */
  withoutId: z.int().min(0),
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
  event: messageSchema,
  missionId: z.string().nullable(),
  decision: missionDecisionSchema.nullable(),
  outcome: decisionOutcomeSchema.nullable(),
  requestId: z.string().nullable(),
  /** Whether the chain holds up to here. */
  intact: z.boolean(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const missionVerbs = {
  refreshMissions: { access: callers.operators, request: nothing, reply: done },
  /** Shows a mission whose id an operator typed, to be decided on. */
  lookUpMission: {
    access: callers.handsOn,
    request: z.strictObject({ missionId: missionIdSchema }),
    reply: done,
  },
  /**
   * Sends one decision, once: calls made meanwhile share its answer. `again` sends the same
   * decision again after an unknown outcome, and is refused otherwise.
   */
  decideMission: {
    access: callers.handsOn,
    request: z.strictObject({
      missionId: missionIdSchema,
      decision: missionDecisionSchema,
      again: z.boolean(),
      /** Why it is rejected, where the service takes a reason. */
      reason: z.string().max(500).optional(),
    }),
    reply: decidedSchema,
  },
  /** Finds out what became of a decision with an unknown outcome. */
  checkDecision: {
    access: callers.handsOn,
    request: z.strictObject({ missionId: missionIdSchema }),
    reply: decidedSchema,
  },
  /** The audit list, the latest first. */
  readAudit: {
    access: callers.operators,
    request: z.strictObject(page),
    reply: z.strictObject({ total: z.int(), entries: z.array(auditEntrySchema) }),
  },
  /** Prepares the audit list as a file, to be fetched once as `GET /export/{exportId}`. */
  exportAudit: {
    access: callers.exporters,
    request: nothing,
    reply: fetched,
  },
} as const satisfies VerbDeclarations;
