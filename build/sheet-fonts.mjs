/**
 * Puts the faces that printed sheets are set in where the console's core finds them: as text in JSON files,
 * which is the one form that the bundle and plain Node read alike. Run after one of the font packages changed,
 * and when test/core/exports/faces.test.ts misses a sign of a Chinese sheet: `node build/sheet-fonts.mjs`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { characters, ranges } from './characters.mjs';
import { atWeight, gatheredFace, wholeFace } from './sheet-faces.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { resolve } = createRequire(import.meta.url);
// The one that sets the PDF: it is no dependency of ours.
const fontkit = createRequire(resolve('pdfkit'))('fontkit');
const target = join(root, 'src-main/core/features/exports/sheet/faces');
const read = (path) => readFileSync(resolve(path));
const write = (name, content) =>
  writeFileSync(join(target, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`);

/** In the order in which a character is looked for in them. */
const scripts = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese'];
const inter = (weight) =>
  Object.fromEntries(
    scripts.map((script) => [
      script,
      read(`@fontsource/inter/files/inter-${script}-${weight}-normal.woff`).toString('base64'),
    ]),
  );
write('inter', { regular: inter(400), strong: inter(600) });

const noto = (name, file) =>
  fontkit.create(
    read(`@fontsource-variable/noto-sans-${name}/files/noto-sans-${name}-${file}-wght-normal.woff2`),
  );

// Regular is what these two are without being told.
for (const script of ['arabic', 'devanagari']) {
  write(script, { font: wholeFace(noto(script, script)).toString('base64') });
}

// All signs of the page's own words: filters, which a sheet tells, are made of them.
const unicode = JSON.parse(read('@fontsource-variable/noto-sans-sc/unicode.json').toString());
const dates = new Intl.DateTimeFormat('zh-Hans', { dateStyle: 'long', timeStyle: 'short' }).format(0);
const signs = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;
const wanted = [
  ...characters(join(root, 'src-renderer/locales/zh-Hans'), signs),
  ...Array.from(dates, (sign) => (signs.test(sign) ? sign.codePointAt(0) : [])).flat(),
];
const fonts = new Map();
for (const [file, text] of Object.entries(unicode)) {
  const here = wanted.filter((code) => ranges(text).some(([from, to]) => code >= from && code <= to));
  if (here.length === 0) continue;
  const font = atWeight(noto('sc', file.replace(/[[\]]/g, '')), 400);
  for (const code of here) if (font.hasGlyphForCodePoint(code)) fonts.set(code, font);
}
write('han', { font: gatheredFace(fonts).toString('base64') });
