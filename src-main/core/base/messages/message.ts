import {
  englishText,
  type Message,
  type MessagePaths,
  type MessageValues,
} from '../../../../src-preload/contract/index.ts';
import en from '../../../../src-preload/contract/messages/en/core.json' with { type: 'json' };

import { cappedText } from '../json.ts';

export type { Message } from '../../../../src-preload/contract/index.ts';

/** `'failure.unreachable.sentence'`, ...: the path of every text that the core says. */
export type MessageId = MessagePaths<typeof en>;

interface Texts {
  readonly [name: string]: string | Texts;
}

const texts = new Map<string, string>(entries(en, ''));

function* entries(tree: Texts, prefix: string): Generator<[string, string]> {
  for (const [name, entry] of Object.entries(tree)) {
    if (typeof entry === 'string') yield [`${prefix}${name}`, entry];
    else yield* entries(entry, `${prefix}${name}.`);
  }
}

export const isMessageId = (id: string): id is MessageId => texts.has(id);

/** The message `id` with `values`. For the types of values see contract/message.ts. */
export const message = (id: MessageId, values: MessageValues = {}): Message => ({
  id,
  values: { ...values },
});

/** The English text: for the log, the audit list, files, and the command line. */
export const english = (said: Message): string => englishText(said, (id) => texts.get(id));

/**
 * What may be stored of a message: the message itself where its JSON has at most `longest` UTF-16 units, else its
 * English text cut to `longestText`.
 */
export const bounded = (said: Message, longest: number, longestText = longest): Message =>
  'id' in said && JSON.stringify(said).length <= longest
    ? said
    : { text: cappedText(english(said), longestText) };

/** Whether a message has every value that its text needs. One that another version stored may lack some. */
export function isWhole(id: string, values: MessageValues): boolean {
  const text = texts.get(id);
  if (text === undefined) return false;
  return [...text.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => values[name] !== undefined);
}
