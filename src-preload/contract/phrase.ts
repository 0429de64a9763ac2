import { z } from 'zod';

type Value = string | number | SaidPhrase;

/** A phrase with its English text, put into another one as a value. */
export interface SaidPhrase {
  text: string;
  id: string;
  values: Record<string, Value>;
}

const id = z.string().max(96);
const saidSchema: z.ZodType<SaidPhrase> = z.lazy(() =>
  z.strictObject({ text: z.string(), id, values: valuesSchema }),
);
const valuesSchema = z.record(z.string(), z.union([z.string(), z.number(), saidSchema]));

/**
 * Which sentence of the console's own a text is, and what was put into it: with both a page can say it
 * in its operator's language. The English text always travels beside it, since a page may not know the
 * sentence (it is of another version) and the log, the exported audit list and reports stay English.
 *
 * `id` is a path into contract/messages/en/core.json. A value whose name ends in `At` is an instant (Unix
 * milliseconds) said as a time of day, one that ends in `Date` an instant said with its day, one that
 * ends in `Bytes` a size; other numbers are counts, and `n` chooses the plural form. `severity` and
 * `before` are severities as the service calls them, for which a page may have its own word, and `heading`
 * is one that begins a line. A value that is a phrase is said as one; other texts stay as they are.
 */
export const phraseSchema = z.strictObject({
  id,
  values: valuesSchema,
});
export type Phrase = z.infer<typeof phraseSchema>;

/** The phrases of a text and its remedy; null where the words are not the console's own. */
const phrasesSchema = z.strictObject({
  sentence: phraseSchema.nullable(),
  remedy: phraseSchema.nullable(),
});
export type Phrases = z.infer<typeof phrasesSchema>;

export const noPhrases: Phrases = { sentence: null, remedy: null };

/** What was kept before there were phrases has none, and is read as text alone. */
export const keptPhrasesSchema = phrasesSchema.default(noPhrases);
