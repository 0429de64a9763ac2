/** Characters that XML 1.0 cannot hold in any way. Lone halves of characters become U+FFFD before. */

const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // Readers make line feeds of these where they stand as they are.
  '\r': '&#13;',
  '\u0085': '&#133;',
  '\u2028': '&#8232;',
};

const legal = (text: string): string => text.toWellFormed().replace(illegal, '\uFFFD');

/** A text as it may stand in an element or an attribute: what XML cannot hold becomes U+FFFD. */
export const xmlText = (text: string): string =>
  legal(text).replace(/[&<>"'\r\u0085\u2028]/g, (sign) => entities[sign] ?? sign);

/** A comment: two hyphens in a row would end it. */
export const xmlComment = (text: string): string =>
  `<!-- ${legal(text)
    .replace(/\r\n?/g, '\n')
    .replace(/-(?=-)/g, '- ')} -->`;

export const xmlElement = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`;

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
