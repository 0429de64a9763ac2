import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The code points of a language's messages that match, each once. */
export function characters(folder, kind) {
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  return [...new Set(texts.join(''))].filter((sign) => kind.test(sign)).map((sign) => sign.codePointAt(0));
}

/** `U+4e00-4e1f,U+4e24` as pairs of first and last code points. */
export const ranges = (text) =>
  text.split(',').map((part) => {
    const [from, to = from] = part.trim().replace(/^u\+/i, '').split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  });
