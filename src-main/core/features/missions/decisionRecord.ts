import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  decisionOutcomeSchema,
  isOutcomeOpen,
  listCheckSchema,
  missionDecisionSchema,
  outcomeBasisSchema,
  type Decided,
} from '../../../../src-preload/contract/index.ts';
import { storedFailureSchema } from '../../base/messages/stored.ts';

const instant = z.number();

/**
 * One decision as it is kept: written before its request leaves, so that a console that dies knows what
 * it may have sent. `key` and `body` are what every attempt of this decision sends.
 */
const decisionRecordSchema = z.strictObject({
  version: z.literal(1),
  missionId: z.string(),
  decision: missionDecisionSchema,
  key: z.string(),
  /** JSON text; empty where it is not known any more, and then it cannot be sent again. */
  body: z.string(),
  username: z.string(),
  at: instant,
  /** The service's time at the first attempt; null where that was not verified. */
  anchor: instant.nullable(),
  /** The latest service's time that was seen since. */
  seen: instant.nullable(),
  outcome: decisionOutcomeSchema,
  answeredAt: instant.nullable(),
  requestId: z.string().nullable(),
  failure: storedFailureSchema.nullable(),
  answer: z.string().nullable(),
  basis: outcomeBasisSchema.default('answer'),
  /** The pending list was seen with the mission in it: only then can the mission leave it. */
  wasListed: z.boolean().default(false),
  listCheck: listCheckSchema.nullable().default(null),
  inferredBefore: z.boolean().default(false),
});
export type DecisionRecord = z.infer<typeof decisionRecordSchema>;

/** A mission has one row, that of its latest decision. Its id is opaque and may be long. */
export const decisionRowId = (missionId: string): string =>
  createHash('sha256').update(missionId, 'utf8').digest('hex');

/** Null for a text that is no such record. */
export function readDecision(text: string): DecisionRecord | null {
  try {
    const read = decisionRecordSchema.safeParse(JSON.parse(text));
    return read.success ? withoutInference(read.data) : null;
  } catch {
    return null;
  }
}

/**
 * A record as it would be written now. Earlier versions concluded from a mission in the pending list that the
 * decision was refused, and from one that was not in it that the decision was done; and called refused what
 * never left. A refusal of the service has its status, and what it took has no failure.
 */
function withoutInference(record: DecisionRecord): DecisionRecord {
  const { outcome, failure, answeredAt, at } = record;
  if (failure === null) return record;
  const inferred = (listed: boolean): DecisionRecord => ({
    ...record,
    outcome: listed ? 'unknown' : 'no-longer-listed',
    failure: null,
    wasListed: true,
    listCheck: { at: answeredAt ?? at, listed },
    inferredBefore: true,
  });
  if (outcome === 'done') return inferred(false);
  if (outcome !== 'refused' || failure.status !== null) return record;
  return failure.code === 'refused-by-service' ? inferred(true) : { ...record, outcome: 'not-sent' };
}

/** The service remembers a key for 24 h (interface: Limits); an hour is left for all that is not exact. */
const sameKeyMs = 23 * 3_600_000;
/** Server time may get this much earlier by being estimated better, without any clock having gone back. */
const toleranceMs = 5_000;

/** The service's time, null while it is not verified. */
export type ServiceTime = number | null;

/**
 * Until when the same decision may be sent again under its key; null when it may not: its outcome is
 * known, it is too old, or its age cannot be proven (design rule 9).
 */
export function sameAgainUntil(record: DecisionRecord, now: ServiceTime): number | null {
  const { outcome, anchor, seen, body } = record;
  if (outcome !== 'unknown' || anchor === null || now === null || body === '') return null;
  if (now < Math.max(anchor, seen ?? anchor) - toleranceMs) return null;
  const until = anchor + sameKeyMs;
  return now < until ? until : null;
}

/** A decision as it is shown. */
export function decidedOf(
  record: DecisionRecord,
  { now, checkable }: { readonly now: ServiceTime; readonly checkable: boolean },
): Decided {
  const { missionId, decision, outcome, at, answeredAt, requestId, failure, answer } = record;
  const { basis, listCheck, inferredBefore } = record;
  return {
    missionId,
    decision,
    outcome,
    at,
    answeredAt,
    requestId,
    failure,
    answer,
    basis,
    listCheck,
    inferredBefore,
    checkable: isOutcomeOpen(outcome) && checkable,
    sameAgainUntil: sameAgainUntil(record, now),
  };
}
