/** Looks at messages. */

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
