/** Text that is HTML already; whatever is not becomes text in it. */
export class Markup {
  readonly #html: string;

  constructor(html: string) {
    this.#html = html;
  }

  toString(): string {
    return this.#html;
  }
}

type Part = Markup | string | number | null | readonly Part[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML, in content and between quotes. Control characters but line ends are left out. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

function written(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.toString();
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return part.map(written).join('');
}

/** HTML with parts in it, each escaped unless it is markup itself. */
export const markup = (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(
    strings.map((text, at) => text + (at < parts.length ? written(parts[at] ?? null) : '')).join(''),
  );

/** Words that are not the console's own: their direction stays theirs, whatever characters they hold. */
export const foreign = (text: string): Markup => markup`<bdi>${text}</bdi>`;
