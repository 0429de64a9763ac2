/** Characters that XML 1.0 cannot express. Halves of surrogate pairs become U+FFFD before this. */

const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // Unescaped, readers would turn these into line feeds.
  '\r': '&#13;',
  '\u0085': '&#133;',
  '\u2028': '&#8232;',
};

const legal = (text: string): string => text.toWellFormed().replace(illegal, '\uFFFD');

/** A text for an element or an attribute. What XML cannot express becomes U+FFFD. */
export const xmlText = (text: string): string =>
  legal(text).replace(/[&<>"'\r\u0085\u2028]/g, (sign) => entities[sign] ?? sign);

/** A comment. Two hyphens in a row would end it, so they are separated. */
export const xmlComment = (text: string): string =>
  `<!-- ${legal(text)
    .replace(/\r\n?/g, '\n')
    .replace(/-(?=-)/g, '- ')} -->`;

export const xmlElement = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`;

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
