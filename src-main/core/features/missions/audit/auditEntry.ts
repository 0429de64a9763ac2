import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import {
  decisionOutcomeSchema,
  missionDecisionSchema,
  type AuditEntry,
  type Message,
} from '../../../../../src-preload/contract/index.ts';
import { english } from '../../../base/messages/message.ts';
import { fromPair, storedPhraseSchema } from '../../../base/messages/stored.ts';

/** What an entry says, without its number. */
export interface AuditFacts extends Omit<AuditEntry, 'number' | 'inferred' | 'intact'> {
  /** The idempotency key of the decision it is about. */
  readonly key: string | null;
}

/**
 * An entry as it is kept. `restart`: the chain begins anew here, as it did not hold from the number
 * `from` on; `unreadable` rows lay in the table then, which will go on lying there.
 */
const bodySchema = z.strictObject({
  number: z.int().min(1),
  at: z.number(),
  username: z.string(),
  /** In English, which auditors read; `phrase` is the message of which it is the text, null where it is of none. */
  event: z.string(),
  phrase: storedPhraseSchema.nullable().default(null),
  missionId: z.string().nullable(),
  decision: missionDecisionSchema.nullable(),
  outcome: decisionOutcomeSchema.nullable(),
  requestId: z.string().nullable(),
  key: z.string().nullable(),
  restart: z.strictObject({ from: z.int().min(1), unreadable: z.int().min(0) }).nullable(),
});
export type AuditBody = z.infer<typeof bodySchema>;

/**
 * Whether an earlier version wrote what it inferred from the pending list ("still pending: the service did not
 * act", "no longer pending, so it was decided on"). Those entries are sealed and stay as they are; only what an
 * event or the list named itself was not inferred.
 */
export const isInferred = ({ event }: Pick<AuditBody, 'event'>): boolean =>
  /^Found out about the (?:approval|rejection): (?!The mission was (?:approved|rejected)\.$)/.test(event);

/** What is stored of `facts`: the list is sealed and exported as it is stored, so the English stands in it. */
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

/** What a stored entry says. */
export const eventOf = ({ event, phrase }: AuditBody): Message => fromPair(event, phrase);

/** One row of the table: the exact text that was signed, and its HMAC over it and the one before. */
const rowSchema = z.strictObject({ body: z.string(), hmac: z.string().regex(/^[0-9a-f]{64}$/) });

export interface AuditRow {
  readonly body: AuditBody;
  /** The exact text of the body: what another program would print for it may differ. */
  readonly text: string;
  readonly hmac: string;
}

const headSchema = z.strictObject({
  count: z.int().min(0),
  hmac: z.string().regex(/^[0-9a-f]{64}$/),
  /** Over both, so that nobody without the key can make a head for a shorter list. */
  seal: z.string().regex(/^[0-9a-f]{64}$/),
});
export type AuditHead = z.infer<typeof headSchema>;

/** What the first entry of a chain, and the first after a restart, is chained to. */
export const chainStart = '0'.repeat(64);
const digits = 12;
/** More than anybody decides: an id beyond is not one that this list made. */
const mostEntries = 1_000_000_000;

export const rowId = (number: number): string => String(number).padStart(digits, '0');

/** The number that an id of the table names; null for an id that this list does not make. */
export function numberOf(id: string): number | null {
  if (!/^[0-9]{12}$/.test(id)) return null;
  const number = Number(id);
  return number > 0 && number <= mostEntries ? number : null;
}

/** HMAC-SHA-256 over the HMAC of the entry before and an entry's own text. */
export const entryHmac = (key: Uint8Array, before: string, text: string): string =>
  createHmac('sha256', key).update(Buffer.from(before, 'hex')).update(text, 'utf8').digest('hex');

export function makeRow(key: Uint8Array, before: string, body: AuditBody): AuditRow {
  const text = JSON.stringify(body);
  return { body, text, hmac: entryHmac(key, before, text) };
}

export const rowText = ({ text, hmac }: AuditRow): string => JSON.stringify({ body: text, hmac });

/** Null for a text that is no entry of this list. */
export function readRow(text: string): AuditRow | null {
  const row = rowSchema.safeParse(parsed(text));
  if (!row.success) return null;
  const body = bodySchema.safeParse(parsed(row.data.body));
  return body.success ? { body: body.data, text: row.data.body, hmac: row.data.hmac } : null;
}

const headSeal = (key: Uint8Array, count: number, hmac: string): string =>
  createHmac('sha256', key)
    .update(`audit head ${String(count)} ${hmac}`)
    .digest('hex');

export const headText = (key: Uint8Array, count: number, hmac: string): string =>
  JSON.stringify({ count, hmac, seal: headSeal(key, count, hmac) } satisfies AuditHead);

/** Null for a head that is not as it was written. */
export function readHead(key: Uint8Array, text: string): AuditHead | null {
  const head = headSchema.safeParse(parsed(text));
  if (!head.success) return null;
  const { count, hmac, seal } = head.data;
  return same(seal, headSeal(key, count, hmac)) ? head.data : null;
}

/** Compares two HMACs in hexadecimal in a time that does not tell where they differ. */
export const same = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
