/**
 * Makes build/assets/fonts/languageFonts.css: the fonts of the page's languages that Inter has no letters
 * for, from the packages that carry them. Of the Chinese one, which comes in a hundred files by how often
 * its signs are used, only those are taken that the page's own words need; test/renderer/design/languageFonts.test.ts
 * fails when a new word needs another. Run it by hand: `node build/language-fonts.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { characters, ranges } from './characters.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { resolve } = createRequire(import.meta.url);

/** Which files of a package the page needs: by their name in `unicode.json`. */
interface Font {
  readonly name: string;
  readonly family: string;
  /** Which of the ranges in `unicode.json`. */
  readonly files: (unicode: Ranges) => readonly string[];
}
type Ranges = Readonly<Record<string, string>>;

const fonts: readonly Font[] = [
  { name: 'noto-sans-arabic', family: 'Noto Sans Arabic Variable', files: () => ['arabic'] },
  { name: 'noto-sans-devanagari', family: 'Noto Sans Devanagari Variable', files: () => ['devanagari'] },
  {
    name: 'noto-sans-sc',
    family: 'Noto Sans SC Variable',
    files: (unicode) => {
      const wanted = characters(join(root, 'src-preload/contract/messages/zh-Hans'), /\p{Script=Han}/u);
      const isWanted = (text: string) =>
        ranges(text).some(([from, to]) => wanted.some((code) => code >= from && code <= to));
      return Object.keys(unicode).filter((file) => isWanted(unicode[file] ?? ''));
    },
  },
];

const faces = fonts.flatMap(({ name, family, files }) => {
  const unicode: Ranges = JSON.parse(
    readFileSync(resolve(`@fontsource-variable/${name}/unicode.json`), 'utf8'),
  );
  return files(unicode).map((file) => {
    const path = `@fontsource-variable/${name}/files/${name}-${file.replace(/[[\]]/g, '')}-wght-normal.woff2`;
    return [
      '@font-face {',
      `  font-display: swap;`,
      `  font-family: '${family}';`,
      `  font-style: normal;`,
      `  font-weight: 100 900;`,
      `  src: url('${path}') format('woff2-variations');`,
      `  unicode-range: ${unicode[file]?.replaceAll(',', ', ').toLowerCase()};`,
      '}',
    ].join('\n');
  });
});

const head = '/* Made by build/language-fonts.ts from the Noto fonts (SIL Open Font License 1.1). */';
writeFileSync(join(root, 'build/assets/fonts/languageFonts.css'), `${[head, ...faces].join('\n')}\n`);
