import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { literalTexts } from '../support/literalTexts.ts';
import known from './untranslated.json';

/** Names and abbreviations that are the same in every language, and what is read beside the log. */
const names: Readonly<Record<string, readonly string[]>> = {
  'lib/failure.ts': ['HTTP {}'],
  'map/font.ts': [
    'Inter Variable',
    'Noto Sans Arabic Variable',
    'Noto Sans Devanagari Variable',
    'Noto Sans SC Variable',
  ],
  'map/glMap.ts': ['Natural Earth'],
  'views/diagnostics/pageFacts.ts': ['WebGL 2, {}'],
  'views/settings/AboutSection.vue': ['Apache License 2.0'],
};
/** Texts that are still in the source, by file. The list only ever gets shorter. */
const stillThere: Readonly<Record<string, readonly string[]>> = known;
const isAllowed = (name: string, text: string): boolean =>
  names[name]?.includes(text) === true || stillThere[name]?.includes(text) === true;

const renderer = join(import.meta.dirname, '../../src-renderer');
const found = new Map(
  readdirSync(renderer, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|vue)$/.test(name) && !name.startsWith('locales') && !name.endsWith('.d.ts'))
    .map((name) => name.replaceAll('\\', '/'))
    .toSorted()
    .map(
      (name) => [name, [...new Set(literalTexts(name, readFileSync(join(renderer, name), 'utf8')))]] as const,
    )
    .filter(([, texts]) => texts.length > 0),
);

describe('the words that an operator sees', () => {
  it('are in the words of a language, and not in the source', () => {
    const untranslated = [...found].flatMap(([name, texts]) =>
      texts.filter((text) => !isAllowed(name, text)).map((text) => `${name}: ${text}`),
    );
    expect(untranslated).toEqual([]);
  });

  it('are taken off the list when they are gone from the source', () => {
    const needless = [...Object.entries(stillThere), ...Object.entries(names)].flatMap(([name, texts]) =>
      texts.filter((text) => found.get(name)?.includes(text) !== true).map((text) => `${name}: ${text}`),
    );
    expect(needless).toEqual([]);
  });
});

describe('a text in the source', () => {
  const component = (template: string, script = ''): string[] =>
    literalTexts('A.vue', `<script setup lang="ts">${script}</script><template>${template}</template>`);

  it.each([
    ['<p>lost</p>', ['lost']],
    ['<p>{{ busy ? "Opening" : t("a.b") }}</p>', ['Opening']],
    ['<p>{{ `Kept of ${name}` }}</p>', ['Kept of {}']],
    ['<p><b>{{ n }}</b> more</p>', ['more']],
    ['<button aria-label="Close" class="button button--small" />', ['Close']],
    ['<TipButton name="Zoom in" :title="`Remove ${one}`" />', ['Zoom in', 'Remove {}']],
    ['<input name="username" :class="[`Button`]" />', []],
    ["<p v-if=\"kind === 'Enter'\">{{ count }} · {{ t('a.b') }} %</p>", []],
  ])('is found in %s', (template, texts) => {
    expect(component(template)).toEqual(texts);
  });

  it('is found in code, where it is for a person', () => {
    expect(component('<p />', "const words = { a: 'Nothing is kept.', b: 'area.key', c: 'Enter' };")).toEqual(
      ['Nothing is kept.'],
    );
    expect(literalTexts('a.ts', "throw new Error('No such thing.'); // 'Not this one.'")).toEqual([]);
    expect(literalTexts('a.ts', 'const a = `${n} more corners at least.`;')).toEqual([
      '{} more corners at least.',
    ]);
    expect(literalTexts('a.ts', "const a = key === 'Page Down' ? `Since ${at} here.` : '';")).toEqual([
      'Since {} here.',
    ]);
  });
});
