/** Looks at messages. */
import { english } from '../../src-main/core/base/messages/message.ts';
import { messageSchema, type Message } from '../../src-preload/contract/index.ts';

export interface Words {
  readonly [key: string]: string | Words;
}

/** Every message by its whole key. */
export function messageMap(words: Words, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, entry]): [string, string][] =>
      typeof entry === 'string' ? [[`${prefix}${key}`, entry]] : [...messageMap(entry, `${prefix}${key}.`)],
    ),
  );
}

/** The plural forms of a message; a bar in `{'|'}` is text. */
export const formsOf = (message: string): string[] => message.split(/\s*(?<!')\|(?!')\s*/);

/** The names of the values that a message says. */
export const placeholdersOf = (message: string): string[] => [
  ...new Set([...message.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')),
];

/** The same with ordinary spaces where the page keeps a figure, its unit and `ago` on one line; also within lists and objects. */
export const ordinary = <T>(value: T): T =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value).replaceAll('\u00a0', ' ')) as T);

/** What a message says in English; null and undefined stay what they are. */
export function said(message: Message): string;
export function said(message: Message | null | undefined): string | null | undefined;
export function said(message: Message | null | undefined): string | null | undefined {
  return message === null || message === undefined ? message : english(message);
}

/** In place of a message: any that says this in English. `text` may be a matcher, as `expect.stringContaining` gives. */
export const saying = (text: unknown): Message => {
  const matcher = {
    $$typeof: Symbol.for('jest.asymmetricMatcher'),
    asymmetricMatch: (other: unknown): boolean => {
      const message = messageSchema.safeParse(other);
      if (!message.success) return false;
      const isMatcher = (one: unknown): one is { asymmetricMatch(value: string): boolean } =>
        typeof one === 'object' && one !== null && 'asymmetricMatch' in one;
      const spoken = english(message.data);
      return isMatcher(text) ? text.asymmetricMatch(spoken) : spoken === text;
    },
    toString: () => 'Saying',
    toAsymmetricMatcher: () => `Saying<${String(text)}>`,
  };
  return matcher as unknown as Message;
};
