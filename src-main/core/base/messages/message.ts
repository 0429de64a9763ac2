import type { Failure, Phrase } from '../../../../src-preload/contract/index.ts';
import en from '../../../../src-preload/contract/messages/en/core.json' with { type: 'json' };
import { formatMessage, type Values } from './messageFormat.ts';

/** `'failure.unreachable.sentence'`, ...: every path to a text in the English catalogue. */
export type PhraseId = Paths<typeof en>;
type Paths<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Prefix}${K}` : Paths<T[K], `${Prefix}${K}.`>;
}[keyof T & string];

/** A sentence of the console's own: its English text, and what says it in another language. */
export interface Message extends Phrase {
  readonly text: string;
}

interface Catalogue {
  readonly [name: string]: string | Catalogue;
}

const messages = new Map<string, string>(entries(en, ''));

function* entries(catalogue: Catalogue, prefix: string): Generator<[string, string]> {
  for (const [name, entry] of Object.entries(catalogue)) {
    if (typeof entry === 'string') yield [`${prefix}${name}`, entry];
    else yield* entries(entry, `${prefix}${name}.`);
  }
}

export const isPhraseId = (id: string): id is PhraseId => messages.has(id);

/** The sentence `id` with `values`; what the values may be is told in contract/phrase.ts. */
export function message(id: PhraseId, values: Values = {}): Message {
  return { text: formatMessage(messages.get(id) ?? id, values), id, values: { ...values } };
}

/** What a page needs to say it; null for text that is not from the catalogue. */
export const phraseOf = (words: string | Message | null): Phrase | null =>
  words === null || typeof words === 'string' ? null : { id: words.id, values: words.values };

/** What a failure says, to be put into another sentence. */
export const messageOf = ({ sentence, phrases }: Failure): string | Message =>
  phrases.sentence === null ? sentence : { text: sentence, ...phrases.sentence };

/** The English text. */
export const textOf = (words: string | Message): string => (typeof words === 'string' ? words : words.text);
