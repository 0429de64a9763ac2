import { z } from 'zod';

/** What is put into a message; a message as a value is said as one. */
type Value = string | number | Message;

/**
 * What the console says: a text of the tree in contract/messages by its id, with what is put into it, so that each
 * reader renders it (the page in the operator's language, the log and exported files in English). Words that are not
 * the console's are `text`: those of the service.
 *
 * `id` is a path into `core.json`; messages that a page makes have paths from the root of the tree. A value whose
 * name ends in `At` is an instant (Unix milliseconds) said as a time of day, one that ends in `Date` an instant said
 * with its day, one that ends in `Bytes` a size; other numbers are counts, and `n` chooses the plural form.
 * `severity` and `before` are severities as the service calls them, for which a page may have its own word, and
 * `heading` is one that begins a line; `type` is an incident's type as the service calls it. Other texts stay as they are. A name that is another one in other languages has
 * its English value, and beside it those of `valueIn`.
 */
export type Message = { id: string; values: Record<string, Value> } | { text: string };

/** `'menu.quit'`, ...: every path to a text in a tree of messages. */
export type MessagePaths<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Prefix}${K}` : MessagePaths<T[K], `${Prefix}${K}.`>;
}[keyof T & string];

/** `town.fr`: the name of a value that stands in for `town` where a message is read in French. */
export const valueIn = (name: string, language: string): string => `${name}.${language}`;

export const messageSchema: z.ZodType<Message> = z.lazy(() => z.union([messageWithIdSchema, verbatimSchema]));

const verbatimSchema = z.strictObject({ text: z.string() });
export const messageWithIdSchema = z.strictObject({
  id: z.string().max(96),
  values: z.record(z.string(), z.union([z.string(), z.number(), messageSchema])),
});
