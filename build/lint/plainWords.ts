/**
 * What a message may not say (docs/style.md): words that the style bans, and sentences over its length. Each language
 * has both in `build/lint/words/<language>.json`. Run as a program it reads every message of every language.
 */
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { messagesOf, type Messages } from './numberForms.ts';

const messagesFolder = 'src-preload/contract/messages';
const rulesFolder = 'build/lint/words';

interface Rules {
  readonly banned: readonly string[];
  /** Of one sentence. */
  readonly mostWords: number;
}

/** The plural forms of a message; a bar in `{'|'}` is text. */
const formsOf = (text: string) => text.split(/\s*(?<!')\|(?!')\s*/);

/** The sentences of a message, of all its forms. A full stop before a space ends one, so `3.5` holds none. */
export const sentencesOf = (text: string): readonly string[] =>
  formsOf(text).flatMap((form) =>
    form.split(/(?<=[.!?…؟।]["”»)]*)\s+|(?<=[。！？][”」）]*)/u).filter(Boolean),
  );

/** How many words a sentence has, by the rules of its language; a value counts as one. */
export function wordCount(sentence: string, language: string): number {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  // A value between signs of a script without spaces stays one word.
  const said = sentence.replaceAll(/\{[^}]*\}/g, ' x ');
  return [...segmenter.segment(said)].filter(({ isWordLike }) => isWordLike).length;
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Scripts that put no space between words. */
const isJoined = (language: string) => language.startsWith('zh');

/** Finds banned words whole and in any case; signs, and words of a script without spaces, wherever they stand. */
function finderOf(word: string, language: string): RegExp {
  const isPart = isJoined(language) || !/\p{L}/u.test(word);
  return new RegExp(isPart ? escaped(word) : `(?<![\\p{L}\\p{M}])${escaped(word)}(?![\\p{L}\\p{M}])`, 'iu');
}

/** What is wrong with these messages: `key: what is wrong: the text`. */
export function faultsOf(
  messages: Messages,
  { banned, mostWords }: Rules,
  language: string,
): readonly string[] {
  const finders = banned.map((word) => ({ word, finder: finderOf(word, language) }));
  return messages.flatMap(([key, text]) => [
    ...finders.filter(({ finder }) => finder.test(text)).map(({ word }) => `${key}: says “${word}”: ${text}`),
    ...sentencesOf(text)
      .map((sentence) => ({ count: wordCount(sentence, language), sentence }))
      .filter(({ count }) => count > mostWords)
      .map(({ count, sentence }) => `${key}: ${count} words, at most ${mostWords}: ${sentence}`),
  ]);
}

/** The rules of a language. */
export const rulesOf = (language: string): Rules =>
  JSON.parse(readFileSync(`${rulesFolder}/${language}.json`, 'utf8'));

function check() {
  const languages = readdirSync(messagesFolder);
  const faults = languages.flatMap((language) => {
    const folder = `${messagesFolder}/${language}`;
    const messages = readdirSync(folder).flatMap((name) =>
      messagesOf(JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')), `${name.slice(0, -'.json'.length)}.`),
    );
    if (messages.length === 0) throw new Error(`No messages of ${language} were found`);
    return faultsOf(messages, rulesOf(language), language).map((fault) => `${language} ${fault}`);
  });
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

if (import.meta.filename === process.argv[1]) check();
