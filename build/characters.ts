import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** `labels.json` of the basemap. */
interface LabelsFile {
  readonly features: readonly { readonly properties: { readonly code: string } }[];
}

/** The names of the bundled basemap's countries in a language: what its map says beside the page's words. */
function countryNames(language: string): readonly string[] {
  const labels = new URL('assets/basemap/labels.json', import.meta.url);
  const { features }: LabelsFile = JSON.parse(readFileSync(labels, 'utf8'));
  const names = new Intl.DisplayNames([language], { type: 'region' });
  return features.flatMap(({ properties: { code } }) =>
    /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? []) : [],
  );
}

/** The code points of a language's messages and country names that match, each once; its tag is the folder's name. */
export function characters(folder: string, kind: RegExp): readonly number[] {
  const texts = readdirSync(folder)
    // The system draws those of the desktop, with its own fonts.
    .filter((name) => name.endsWith('.json') && name !== 'desktop.json')
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  texts.push(...countryNames(basename(folder)));
  return [...new Set(texts.join(''))]
    .filter((sign) => kind.test(sign))
    .flatMap((sign) => sign.codePointAt(0) ?? []);
}

/** `U+4e00-4e1f,U+4e24` as pairs of first and last code points. */
export const ranges = (text: string): readonly (readonly [from: number, to: number])[] =>
  text.split(',').map((part) => {
    const [from = '', to = from] = part.trim().replace(/^u\+/i, '').split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  });
