import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { characters, ranges } from '../../../build/characters.ts';

const styles = readFileSync('build/assets/fonts/languageFonts.css', 'utf8');
const drawn = (family: string): readonly (readonly [number, number])[] =>
  [...styles.matchAll(/font-family: '([^']*)';[^}]*unicode-range:([^;]*);/g)]
    .filter(([, name]) => name === family)
    .flatMap(([, , text]) => ranges(text ?? ''));

it.each([
  ['ar', 'Noto Sans Arabic Variable', /\p{Script=Arabic}/u],
  ['hi', 'Noto Sans Devanagari Variable', /\p{Script=Devanagari}/u],
  ['zh-Hans', 'Noto Sans SC Variable', /\p{Script=Han}/u],
] as const)(
  'every letter of the words of %s is in a font that the page brings',
  (language, family, letters) => {
    const wanted = characters(join('src-preload/contract/messages', language), letters);
    const there = drawn(family);
    const missing = wanted.filter((code) => !there.some(([from, to]) => code >= from && code <= to));
    expect(wanted.length).toBeGreaterThan(30);
    expect(missing.map((code) => String.fromCodePoint(code))).toEqual([]);
  },
);
