/** What stands in one line where it fits, else a part a line. */
export interface Group {
  readonly open: string;
  readonly parts: readonly Text[];
  /** Between the parts of one line; in several lines a sign other than a comma stands before each part. */
  readonly between: string;
  readonly close: string;
}

export type Text = string | Group | readonly Text[];

export const isGroup = (text: Text): text is Group => typeof text === 'object' && 'parts' in text;

const width = 110;

function inOneLine(text: Text): string {
  if (typeof text === 'string') return text;
  if (!isGroup(text)) return text.map(inOneLine).join('');
  return `${text.open}${text.parts.map(inOneLine).join(text.between)}${text.close}`;
}

/** The text in lines of about 110 columns. `before` stands in the first of them already. */
export function laidOut(text: Text, before = '', indent = ''): string {
  if (typeof text === 'string') return text;
  if (!isGroup(text))
    return text.reduce<string>((said, part) => {
      const next = laidOut(part, `${before}${said}`.split('\n').at(-1), indent);
      return (next.startsWith('\n') ? said.trimEnd() : said) + next;
    }, '');
  const line = inOneLine(text);
  if (before.length + line.length <= width) return line;
  const { open, parts, between, close } = text;
  const inner = `${indent}  `;
  const start = `${inner}${between.replace(',', '').trimStart()}`;
  const lines = parts.map((part) => `\n${start}${laidOut(part, start, inner)}`).join('');
  return `${open.trimEnd()}${lines}${close === '' ? '' : `\n${indent}${close.trimStart()}`}`;
}
