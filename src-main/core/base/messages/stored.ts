import { z } from 'zod';
import {
  failureSchema,
  messageSchema,
  type Message,
  type MessageValues,
} from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue, type JsonObject } from '../json.ts';
import { isWhole } from './message.ts';

/** A message that is a value of another one, as earlier versions stored it: with its English text. */
interface OldMessage {
  readonly text: string;
  readonly id: string;
  readonly values: Readonly<Record<string, string | number | OldMessage | Message>>;
}

const valuesSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.lazy(() => oldMessageSchema), messageSchema]),
);
/** The stored id of a text, with its values. */
export const storedPhraseSchema = z.strictObject({ id: z.string(), values: valuesSchema });
const oldMessageSchema: z.ZodType<OldMessage> = storedPhraseSchema.extend({ text: z.string() });

/**
 * A message that an earlier version stored as English text, with an id and values in `phrase` beside it (null in
 * versions before ids). Where this version does not know the id, or its text differs, the English text is used.
 */
export function fromPair(text: string, phrase: unknown): Message {
  const read = storedPhraseSchema.safeParse(phrase);
  if (!read.success) return { text };
  const { id } = read.data;
  const values = Object.fromEntries(
    Object.entries(read.data.values).map(([name, value]) => [name, ofValue(value)]),
  );
  return isWhole(id, values) ? { id, values } : { text };
}

const ofValue = (value: z.infer<typeof valuesSchema>[string]): MessageValues[string] =>
  typeof value === 'object' && 'id' in value && 'text' in value
    ? fromPair(value.text, { id: value.id, values: value.values })
    : value;

/**
 * A stored object with messages in place of those pairs; without such pairs it stays as it is. `fields` names the
 * members that held a text, each with the path to its phrase.
 */
export function withMessages(value: unknown, fields: Readonly<Record<string, readonly string[]>>): unknown {
  if (!isObject(value)) return value;
  const read: Record<string, unknown> = { ...value };
  for (const [field, path] of Object.entries(fields)) {
    const text = ownValue(value, field);
    if (typeof text === 'string') read[field] = fromPair(text, path.reduce<unknown>(inside, value));
    const [phrases = field] = path;
    if (phrases !== field) delete read[phrases];
  }
  return read;
}

const inside = (value: unknown, name: string): unknown =>
  isObject(value) ? ownValue(value as JsonObject, name) : undefined;

/** A failure as this version or an earlier one stored it. */
export const storedFailureSchema = z.preprocess(
  (value) => withMessages(value, { sentence: ['phrases', 'sentence'], remedy: ['phrases', 'remedy'] }),
  failureSchema,
);
