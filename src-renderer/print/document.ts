import { direction, language } from '../i18n/index.ts';
import { fontFaces } from './fonts.ts';
import { mounted } from './mounted.ts';
import type { Paper } from './paper.ts';
import { pageRules, paperStyle } from './style.ts';
import { visibleSentence } from '../i18n/visible.ts';

/** Where the file is read on a screen. */
const screenStyle = `
:root { color-scheme: light; }
body { margin: 0; background: #fff; }
@media screen { .paper { max-width: 190mm; margin: 0 auto; padding: 24px; font-size: 10pt; } }
@media not screen { .paper > .band:first-child { display: none; } }
`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string =>
  visibleSentence(text).replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? '');

/**
 * A paper as one HTML file with nothing in it that runs or is fetched: pictures, styles and the fonts that it is
 * written with are inside, and its policy lets nothing else in.
 */
export async function paperDocument(paper: Paper): Promise<Blob> {
  const { element, unmount } = mounted(paper);
  try {
    const faces = await fontFaces(element, `${paper.foot ?? ''}${paper.band ?? ''}${paper.title}`);
    const style = `${faces}${paperStyle}${screenStyle}${pageRules(paper)}`;
    const policy = `default-src 'none'; img-src data:; font-src data:; style-src 'sha256-${await sha256(style)}'; base-uri 'none'; form-action 'none'`;
    const html = `<!doctype html>
<html lang="${language.value}" dir="${direction.value}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${escaped(paper.title)}</title>
<style>${style}</style>
</head>
<body>
${element.outerHTML}
</body>
</html>
`;
    return new Blob([html], { type: 'text/html' });
  } finally {
    unmount();
  }
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
