/**
 * Makes docs/quick-card/<language>.html, one page of A4 each:
 *
 *   node build/quick-card.ts
 *
 * What an operator reads on the screen stands here by its id, so that the cards say it as the console does.
 * test/docs/quickCard.test.ts fails while a card is older than the messages.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { languages, type Language } from '../src-preload/contract/preferences.ts';
import type { SeverityName } from '../src-preload/contract/severity.ts';
import { keyedCommands } from '../src-renderer/base/commandKeys.ts';
import { severityGlyphs } from '../src-renderer/design/glyphs.ts';
import type { Words } from './lint/numberForms.ts';

const root = join(import.meta.dirname, '..');
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** The state words that decide what an operator may do; the list in the console has all of them. */
const states = {
  connection: ['online', 'degraded', 'offline'],
  freshness: ['fresh', 'ageing', 'stale', 'throttled', 'frozen'],
  completeness: ['complete', 'at-least'],
  upload: ['waiting', 'sent', 'unproven', 'needs-decision', 'failed'],
  decision: ['done', 'unknown', 'no-longer-listed'],
};
const severities: readonly (readonly [name: SeverityName, word: string])[] = [
  ['critical', 'critical'],
  ['high', 'high'],
  ['medium', 'medium'],
  ['low', 'low'],
  ['unknown', 'unranked'],
];
/** Going round the parts of the page is five keys more, which the sheet of keys has. */
const shownCommands = Object.values(keyedCommands).filter(
  ({ does }) => !/^shortcuts\.regions\.(?!next)/.test(does),
);

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A message without values, as it is read. Throws where there is none, so that no card is made without it. */
function labelOf(messages: Words, id: string): string {
  const found = id
    .split('.')
    .reduce<Words | string | undefined>(
      (tree, name) => (typeof tree === 'object' ? tree[name] : tree),
      messages,
    );
  if (typeof found !== 'string') throw new Error(`There is no message ${id}`);
  const text = found.replaceAll(/\{'(.)'\}/g, '$1');
  if (/[{|]/.test(text)) throw new Error(`The message ${id} needs values`);
  return escaped(text);
}

const style = `
@page { size: A4; margin: 8mm 10mm; }
* { box-sizing: border-box; margin: 0; padding: 0; }
html { font: 9pt/1.32 'Inter', 'Segoe UI', 'Noto Sans', 'Helvetica Neue', Arial, 'Noto Sans Arabic',
  'Noto Sans Devanagari', 'Nirmala UI', 'Noto Sans SC', 'Microsoft YaHei', 'PingFang SC', sans-serif; color: #000; }
body { max-width: 190mm; margin: 0 auto; }
@media screen { body { padding: 8mm 0; } }
header { display: flex; align-items: baseline; justify-content: space-between; border-bottom: 1.2pt solid; margin-bottom: 2.5mm; }
h1 { font-size: 17pt; line-height: 1.25; }
header p { font-size: 12pt; }
h2 { font-size: 10.5pt; border-bottom: 0.5pt solid; margin-bottom: 1mm; }
ol { padding-inline-start: 5mm; font-size: 9.8pt; line-height: 1.3; }
ol li { margin-bottom: 0.8mm; }
li::marker { font-weight: 700; }
.severities { display: flex; gap: 7mm; list-style: none; font-weight: 600; margin-top: 1mm; }
.severities li { display: flex; align-items: center; gap: 1.5mm; }
svg { width: 4.4mm; height: 4.4mm; fill: currentColor; }
.columns { columns: 2; column-gap: 7mm; }
section { break-inside: avoid; padding-top: 2.1mm; }
dl { display: grid; grid-template-columns: max-content 1fr; column-gap: 2.5mm; row-gap: 0.5mm; }
.states { grid-template-columns: minmax(17mm, max-content) 1fr; }
.states dt { max-width: 27mm; font-weight: 700; }
kbd { font: inherit; font-weight: 600; border: 0.5pt solid; border-radius: 0.8mm; padding: 0 1.1mm; direction: ltr; unicode-bidi: isolate; }
`;

/** A key as the language's keyboards print it. */
function keyOf(names: Readonly<Record<string, string>>, keys: string): string {
  const printed = keys
    .split('+')
    .map((part) => names[part.charAt(0).toLowerCase() + part.slice(1)] ?? part)
    .join('+');
  return `<kbd>${escaped(printed)}</kbd>`;
}

/** The page of a language, whole: no font, picture or script is fetched. */
export function quickCard(language: Language): string {
  const messages: Words = Object.fromEntries(
    [
      'alarms',
      'diagnostics',
      'help',
      'incidents',
      'language',
      'missions',
      'notes',
      'rail',
      'shortcuts',
      'uploads',
      'words',
    ].map((area) => [area, json(`src-preload/contract/messages/${language}/${area}.json`)]),
  );
  const label = (id: string) => labelOf(messages, id);
  const keyNames = json(`src-preload/contract/messages/${language}/shortcuts.json`).keys;
  const text: { readonly title: string; readonly steps: readonly string[] } = json(
    `build/quick-card/${language}.json`,
  );
  const steps = text.steps.map(
    (step) =>
      `<li>${escaped(step).replaceAll(/\{([^}]+)\}/g, (_, id: string) => `<b>${label(id)}</b>`)}</li>`,
  );
  const marks = severities.map(
    ([name, word]) =>
      `<li><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${severityGlyphs[name].path}"/></svg>${label(`words.${word}`)}</li>`,
  );
  const groups = Object.entries(states).map(([group, names]) => {
    const words = names.map(
      (name) =>
        `<dt>${label(`help.words.${group}.${name}.word`)}</dt><dd>${label(`help.words.${group}.${name}.about`)}</dd>`,
    );
    return `<section><h2>${label(`help.words.groups.${group}`)}</h2><dl class="states">${words.join('\n')}</dl></section>`;
  });
  const keys = shownCommands.map(
    (command) =>
      `<dt>${command.keys.map((key) => keyOf(keyNames, key)).join(' ')}</dt><dd>${label(command.does)}</dd>`,
  );
  return `<!doctype html>
<html lang="${language}" dir="${label('language.direction')}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Field Console: ${escaped(text.title)}</title><style>${style}</style></head>
<body>
<header><h1>Field Console</h1><p>${escaped(text.title)}</p></header>
<ol>
${steps.join('\n')}
</ol>
<section><h2>${label('incidents.filters.severity.name')}</h2><ul class="severities">
${marks.join('\n')}
</ul></section>
<div class="columns">
${groups.join('\n')}
<section><h2>${label('shortcuts.sheet.heading')}</h2><dl>
${keys.join('\n')}
</dl></section>
</div>
</body>
</html>
`;
}

if (import.meta.filename === process.argv[1])
  for (const language of languages)
    writeFileSync(join(root, 'docs/quick-card', `${language}.html`), quickCard(language));
