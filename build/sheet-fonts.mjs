/**
 * Puts the faces that printed sheets are set in where the console's core finds them: as text in a JSON file,
 * which is the one form that the bundle and plain Node read alike. Run after @fontsource/inter changed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** In the order in which a character is looked for in them. */
const scripts = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese'];

const face = (weight) =>
  Object.fromEntries(
    scripts.map((script) => [
      script,
      readFileSync(
        join(root, `node_modules/@fontsource/inter/files/inter-${script}-${weight}-normal.woff`),
      ).toString('base64'),
    ]),
  );

const target = join(root, 'src-main/core/exports/sheetFonts.json');
writeFileSync(target, `${JSON.stringify({ regular: face(400), strong: face(600) }, null, 2)}\n`);
