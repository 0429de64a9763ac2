/** Looks at messages and at the keys by which the source names them. */

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

export interface NamedKeys {
  /** Keys that stand in the source whole. */
  readonly keys: readonly string[];
  /** Keys of which a part is put in: the rest of a template. */
  readonly patterns: readonly RegExp[];
}

/** The keys that a source file names: its strings and templates that begin with the name of an area. */
export function keysIn(source: string, areas: readonly string[]): NamedKeys {
  const area = `(?:${areas.join('|')})`;
  // Bindings in templates stand in double quotes, so a key in them has single ones.
  const whole = new RegExp(`(?:'|\`|keypath=")(${area}(?:\\.[\\w-]+)+)['"\`]`, 'g');
  const template = new RegExp(`\`(${area}\\.[^\`]*\\$\\{[^\`]*)\``, 'g');
  const keys = [...source.matchAll(whole)]
    .map(([, key]) => key ?? '')
    // `'log.ts'` is a file.
    .filter((key) => !/\.(ts|vue|json|css)$/.test(key));
  const patterns = [...source.matchAll(template)].map(([, text]) => {
    const literal = (text ?? '').replaceAll(/\$\{[^}]*\}/g, '\u0000');
    return new RegExp(`^${literal.replaceAll(/[.*+?^()|[\]\\]/g, '\\$&').replaceAll('\u0000', '[\\w.-]+')}$`);
  });
  return { keys, patterns };
}
