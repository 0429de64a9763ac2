import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  decisionOutcomeSchema,
  failureSchema,
  isOutcomeOpen,
  listCheckSchema,
  missionDecisionSchema,
  outcomeBasisSchema,
  type Decided,
} from '../../../../src-preload/contract/index.ts';
import { parsedJson } from '../../base/json.ts';

const instant = z.number();

/**
 * One stored decision. It is written before its request is sent, so that after a crash the console knows what it may
 * have sent. Every attempt of this decision sends the same `key` and `body`. Version 0.2 wrote one more member, which
 * nothing reads.
 */
const decisionRecordSchema = z.object({
  version: z.literal(1),
  missionId: z.string(),
  decision: missionDecisionSchema,
  key: z.string(),
  /** JSON text; empty where it is lost, and then it cannot be sent again. */
  body: z.string(),
  username: z.string(),
  at: instant,
  /** The service's time at the first attempt; null where it was not verified. */
  anchor: instant.nullable(),
  /** The latest known time of the service since then. */
  seen: instant.nullable(),
  outcome: decisionOutcomeSchema,
  answeredAt: instant.nullable(),
  requestId: z.string().nullable(),
  failure: failureSchema.nullable(),
  answer: z.string().nullable(),
  basis: outcomeBasisSchema,
  /** The mission was seen in the pending list: only then does its absence mean anything. */
  wasListed: z.boolean(),
  listCheck: listCheckSchema.nullable(),
  /** How the mission stood when the outcome was learned; null where nothing said. */
  found: z
    .strictObject({
      state: z.enum(['approve', 'reject', 'pending', 'gone', 'other']),
      word: z.string().nullable(),
    })
    .nullable()
    .default(null),
});
export type DecisionRecord = z.infer<typeof decisionRecordSchema>;

/** A mission has one row, for its latest decision. Its id is opaque and may be long, so the row's id is a digest. */
export const decisionRowId = (missionId: string): string =>
  createHash('sha256').update(missionId, 'utf8').digest('hex');

/** Null for a text that is not such a record. */
export function readDecision(text: string): DecisionRecord | null {
  const read = decisionRecordSchema.safeParse(parsedJson(text));
  return read.data ?? null;
}

/** The service remembers a key for 24 h (interface: Limits); an hour is left for inexact clocks. */
const sameKeyMs = 23 * 3_600_000;
/** A better estimate may move the server time back by this much, without any clock having gone back. */
const toleranceMs = 5_000;

/** The service's time; null while it is not verified. */
export type ServiceTime = number | null;

/**
 * Until when the same decision may be sent again under its key; null when it may not: its outcome is known, it is too
 * old, or its age cannot be proven.
 */
export function sameAgainUntil(record: DecisionRecord, now: ServiceTime): number | null {
  const { outcome, anchor, seen, body } = record;
  if (outcome !== 'unknown' || anchor === null || now === null || body === '') return null;
  if (now < Math.max(anchor, seen ?? anchor) - toleranceMs) return null;
  const until = anchor + sameKeyMs;
  return now < until ? until : null;
}

/** A decision in the form for pages. */
export function decidedOf(
  record: DecisionRecord,
  { now, checkable }: { readonly now: ServiceTime; readonly checkable: boolean },
): Decided {
  const { missionId, decision, outcome, at, answeredAt, requestId, failure, answer } = record;
  const { basis, listCheck } = record;
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
    checkable: isOutcomeOpen(outcome) && checkable,
    sameAgainUntil: sameAgainUntil(record, now),
  };
}
