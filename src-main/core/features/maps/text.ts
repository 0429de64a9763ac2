import { hiddenCharacters } from '../../../../src-preload/contract/index.ts';
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  middot: '·',
  ndash: '–',
  mdash: '—',
};

function entity(whole: string, name: string): string {
  if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code >= 32 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : ' ';
}

/** One line without characters that show nothing or change the direction of text. */
export function oneLine(text: string, most: number): string {
  const line = text.replace(hiddenCharacters, ' ').replace(/\s+/g, ' ').trim().toWellFormed();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}

/**
 * The visible text of a piece of HTML, as one line: attributions come as links. Drops scripts and styles. The result
 * may still have `<` and `&`, as text.
 */
export function plainText(html: string, most: number): string {
  const words = html
    .slice(0, 65_536)
    .replace(/<!--[\s\S]*?(-->|$)/g, ' ')
    .replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, ' ')
    .replace(/<(br|p|div|li|tr|h[1-6])\b[^>]*>/gi, ' ')
    .replace(/<\/?[a-z][^>]*(>|$)/gi, '')
    .replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,8});/gi, entity);
  return oneLine(words, most);
}
