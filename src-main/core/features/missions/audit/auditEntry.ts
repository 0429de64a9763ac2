import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import {
  decisionOutcomeSchema,
  messageWithIdSchema,
  missionDecisionSchema,
  type AuditEntry,
  type Message,
} from '../../../../../src-preload/contract/index.ts';
import { parsedJson } from '../../../base/json.ts';
import { english, isWhole } from '../../../base/messages/message.ts';

/** The content of an entry, without its number. */
export interface AuditFacts extends Omit<AuditEntry, 'number' | 'intact'> {
  /** The idempotency key of its decision. */
  readonly key: string | null;
}

/**
 * An entry as stored. `restart`: the chain begins again here, because it was broken from the number `from` on.
 * `unreadable`: how many such rows were in the table then; they stay there.
 */
const bodySchema = z.strictObject({
  number: z.int().min(1),
  at: z.number(),
  username: z.string(),
  /** In English, for auditors. `phrase` is the message of this text, or null. */
  event: z.string(),
  phrase: messageWithIdSchema.nullable(),
  missionId: z.string().nullable(),
  decision: missionDecisionSchema.nullable(),
  outcome: decisionOutcomeSchema.nullable(),
  requestId: z.string().nullable(),
  key: z.string().nullable(),
  restart: z.strictObject({ from: z.int().min(1), unreadable: z.int().min(0) }).nullable(),
});
export type AuditBody = z.infer<typeof bodySchema>;

/** The stored form of `facts`. The list is sealed and exported as it is stored, so it has the English text. */
export const bodyOf = (
  { at, username, event, ...about }: AuditFacts,
  restart: AuditBody['restart'],
): Omit<AuditBody, 'number'> => ({
  at,
  username,
  event: english(event),
  phrase: 'id' in event ? { id: event.id, values: event.values } : null,
  ...about,
  restart,
});

/** The message of a stored entry: its English text where this version has no such text, or one with other values. */
export const eventOf = ({ event, phrase }: AuditBody): Message =>
  phrase !== null && isWhole(phrase.id, phrase.values) ? phrase : { text: event };

/** One row of the table: the exact signed text, and its HMAC over that text and the HMAC before. */
const rowSchema = z.strictObject({ body: z.string(), hmac: z.string().regex(/^[0-9a-f]{64}$/) });

export interface AuditRow {
  readonly body: AuditBody;
  /** The exact text of the body: another program may print the same body differently. */
  readonly text: string;
  readonly hmac: string;
}

const headSchema = z.strictObject({
  count: z.int().min(0),
  hmac: z.string().regex(/^[0-9a-f]{64}$/),
  /** Over both members, so that a head for a shorter list cannot be made without the key. */
  seal: z.string().regex(/^[0-9a-f]{64}$/),
});
export type AuditHead = z.infer<typeof headSchema>;

/** The first entry of a chain, and the first after a restart, is chained to this. */
export const chainStart = '0'.repeat(64);
const digits = 12;
/** More than any operator decides: this list never made a larger id. */
const mostEntries = 1_000_000_000;

export const rowId = (number: number): string => String(number).padStart(digits, '0');

/** The number in an id of the table; null for an id that this list does not make. */
export function numberOf(id: string): number | null {
  if (!/^[0-9]{12}$/.test(id)) return null;
  const number = Number(id);
  return number > 0 && number <= mostEntries ? number : null;
}

/** HMAC-SHA-256 over the HMAC of the entry before and the entry's text. */
export const entryHmac = (key: Uint8Array, before: string, text: string): string =>
  createHmac('sha256', key).update(Buffer.from(before, 'hex')).update(text, 'utf8').digest('hex');

export function makeRow(key: Uint8Array, before: string, body: AuditBody): AuditRow {
  const text = JSON.stringify(body);
  return { body, text, hmac: entryHmac(key, before, text) };
}

export const rowText = ({ text, hmac }: AuditRow): string => JSON.stringify({ body: text, hmac });

/** Null for a text that is not an entry of this list. */
export function readRow(text: string): AuditRow | null {
  const row = rowSchema.safeParse(parsedJson(text));
  if (!row.success) return null;
  const body = bodySchema.safeParse(parsedJson(row.data.body));
  return body.success ? { body: body.data, text: row.data.body, hmac: row.data.hmac } : null;
}

const headSeal = (key: Uint8Array, count: number, hmac: string): string =>
  createHmac('sha256', key)
    .update(`audit head ${String(count)} ${hmac}`)
    .digest('hex');

export const headText = (key: Uint8Array, count: number, hmac: string): string =>
  JSON.stringify({ count, hmac, seal: headSeal(key, count, hmac) } satisfies AuditHead);

/** Null for a head that was changed. */
export function readHead(key: Uint8Array, text: string): AuditHead | null {
  const head = headSchema.safeParse(parsedJson(text));
  if (!head.success) return null;
  const { count, hmac, seal } = head.data;
  return same(seal, headSeal(key, count, hmac)) ? head.data : null;
}

/** Compares two HMACs in hexadecimal, in a time that does not depend on where they differ. */
export const same = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
