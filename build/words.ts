/**
 * Prints what the messages of a language said and say, and how they read (docs/style.md):
 *
 *   node build/words.ts                        figures of the working tree
 *   node build/words.ts REVISION               each changed message beside that of the revision, then both figures
 *   node build/words.ts REVISION REVISION      the same of two revisions; `--all` lists every message
 *
 * `--language es` is for another language than English. The table is Markdown.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { faultsOf, rulesOf, sentencesOf, wordCount } from './lint/plainWords.ts';
import { messagesOf, type Messages } from './lint/numberForms.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { language: { type: 'string', default: 'en' }, all: { type: 'boolean', default: false } },
});
const { language } = values;
const folder = `src-preload/contract/messages/${language}`;
const git = (...args: readonly string[]) =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 26 });

/** Every message by its whole key, of a revision or of the working tree (null). */
function messagesAt(revision: string | null): Messages {
  const names =
    revision === null
      ? readdirSync(folder)
      : git('ls-tree', '--name-only', revision, `${folder}/`)
          .trim()
          .split('\n')
          .map((path) => path.slice(folder.length + 1));
  return names.flatMap((name) => {
    const path = `${folder}/${name}`;
    const text = revision === null ? readFileSync(path, 'utf8') : git('show', `${revision}:${path}`);
    return messagesOf(JSON.parse(text), `${name.slice(0, -'.json'.length)}.`);
  });
}

const irregular =
  'sent|kept|read|written|known|found|lost|told|shown|made|given|taken|held|set|put|cut|begun|drawn|seen|built|' +
  'said|done|gone|let|brought|bound|chosen|broken|thrown|understood|left|run|meant|spent|led';
/** English: a form of "be", then a participle; "is closed" as a state counts too, so the figure is an upper bound. */
const passive = new RegExp(
  `\\b(?:is|are|was|were|be|been|being)\\s+(?:(?:not|never|also|still|already|only|then|\\w+ly)\\s+)*(?:\\w{2,}ed|${irregular})\\b`,
  'i',
);

/** How messages read. A sentence has a full stop and three words or more: labels are none. */
function figuresOf(messages: Messages): readonly (readonly [name: string, figure: string | number])[] {
  const sentences = messages
    .flatMap(([, text]) => sentencesOf(text))
    .filter((one) => /[.!?。！？؟।…]["”»)」]*$/u.test(one) && wordCount(one, language) >= 3);
  const counts = sentences.map((one) => wordCount(one, language)).toSorted((a, b) => a - b);
  const words = messages.map(([, text]) => wordCount(text, language)).reduce((sum, one) => sum + one, 0);
  const { banned, mostWords } = rulesOf(language);
  const saying = new Set(
    faultsOf(messages, { banned, mostWords: Infinity }, language).map((fault) => fault.split(': ')[0]),
  );
  const percent = (part: number) => `${((100 * part) / Math.max(counts.length, 1)).toFixed(1)} %`;
  return [
    ['messages', messages.length],
    ['words', words],
    ['sentences', counts.length],
    ['words per sentence, mean', (counts.reduce((sum, one) => sum + one, 0) / counts.length).toFixed(1)],
    ['words per sentence, p90', counts[Math.floor(counts.length * 0.9)] ?? 0],
    ['words per sentence, most', counts.at(-1) ?? 0],
    [`sentences over ${mostWords} words`, counts.filter((count) => count > mostWords).length],
    ...(language === 'en'
      ? ([
          ['sentences in the passive voice', percent(sentences.filter((one) => passive.test(one)).length)],
        ] as const)
      : []),
    ['messages with banned words', saying.size],
  ];
}

type Cell = string | number | null | undefined;
const cell = (text: Cell) => String(text ?? '').replaceAll('|', String.raw`\|`);
const row = (...cells: readonly Cell[]) => process.stdout.write(`| ${cells.map(cell).join(' | ')} |\n`);
const head = (...cells: readonly Cell[]) => {
  row(...cells);
  row(...cells.map(() => '---'));
};

const [first = null, second = null] = positionals;
const last = messagesAt(second);
const titles = [first, second ?? 'working tree'].filter((title) => title !== null);
const figures = [figuresOf(last)];
if (first !== null) {
  const former = messagesAt(first);
  figures.unshift(figuresOf(former));
  const before = new Map(former);
  const after = new Map(last);
  head('message', ...titles);
  for (const key of new Set([...before.keys(), ...after.keys()]))
    if (values.all || before.get(key) !== after.get(key)) row(key, before.get(key), after.get(key));
  process.stdout.write('\n');
}
head('', ...titles);
for (const [index, [name]] of (figures[0] ?? []).entries()) row(name, ...figures.map((of) => of[index]?.[1]));
