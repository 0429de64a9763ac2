import type { Words } from './messages.ts';

/**
 * Languages that nobody speaks, made of the English words when a test asks for them. They find what was
 * not translated (it is not accented) and what does not fit (it is two fifths longer), before there is a
 * single translation.
 *
 * `en-XA`: accented, longer, in brackets. `ar-XB`: as long as English, and read from right to left.
 */
export type PseudoLanguage = 'en-XA' | 'ar-XB';

/** What the syntax of a message owns: a value, literal text, the bar between plural forms. */
const syntax = /(\{[^}]*\}|\s\|\s)/;

const accents = new Map<string, string>(
  [...'aAbcCdeEfgGhiIjklLnNoOprRsStuUvwWyYzZ'].map((plain, index) => [
    plain,
    [...'åÅƀçÇðéÉƒĝĜĥîÎĵķļĻñÑöÖþŕŔšŠţûÛṽŵŴýÝžŽ'][index] ?? plain,
  ]),
);

/** How much longer the words of other languages are, of short and long texts alike. */
const longer = 0.4;

function accented(form: string): string {
  const parts = form.split(syntax);
  const letters = parts.filter((_, index) => index % 2 === 0).join('').length;
  const rest = '~'.repeat(Math.ceil(letters * longer));
  // A tail without a space could not be broken over two lines, as no language's words are.
  const tail = rest.match(/~{1,7}/g)?.join(' ') ?? '';
  const text = parts.map((part, index) =>
    index % 2 === 0 ? Array.from(part, (letter) => accents.get(letter) ?? letter).join('') : part,
  );
  return `⟦${text.join('')}${tail === '' ? '' : ` ${tail}`}⟧`;
}

const rightToLeft = '\u202e';
const endOfRightToLeft = '\u202c';

/** The letters of each text run from right to left; values in it keep their own direction. */
const mirrored = (form: string): string =>
  form
    .split(syntax)
    .map((part, index) =>
      index % 2 === 0 && part.trim() !== '' ? `${rightToLeft}${part}${endOfRightToLeft}` : part,
    )
    .join('');

/** One message in a pseudo-language; its values and plural forms stay what they are. */
export const pseudoText = (message: string, language: PseudoLanguage): string =>
  message
    .split(/\s+(?<!')\|(?!')\s+/)
    .map(language === 'en-XA' ? accented : mirrored)
    .join(' | ');

/** All messages of the page in a pseudo-language, `language.direction` among them. */
export function pseudoWords(words: Words, language: PseudoLanguage): Words {
  const said = pseudoEntries(words, language);
  const about = said['language'];
  return typeof about === 'object'
    ? { ...said, language: { ...about, direction: language === 'ar-XB' ? 'rtl' : 'ltr' } }
    : said;
}

const pseudoEntries = (words: Words, language: PseudoLanguage): Record<string, string | Words> =>
  Object.fromEntries(
    Object.entries(words).map(([key, entry]) => [
      key,
      typeof entry === 'string' ? pseudoText(entry, language) : pseudoEntries(entry, language),
    ]),
  );

/**
 * The built script of the English words with a pseudo-language's words in it. What the page imports of it keeps its
 * names.
 */
export async function pseudoScript(script: string, language: PseudoLanguage): Promise<string> {
  const url = `data:text/javascript;base64,${Buffer.from(script, 'utf8').toString('base64')}`;
  const exported = (await import(url)) as Readonly<Record<string, Words>>;
  return Object.entries(exported)
    .map(([name, words], index) => {
      const made = `words${String(index)}`;
      const said = JSON.stringify(pseudoWords(words, language));
      return `const ${made} = ${said};\nexport { ${made} as ${name} };`;
    })
    .join('\n');
}
