import { mounted, picturesDecoded, type MountedPaper } from './mounted.ts';
import type { Paper } from './paper.ts';
import { pageRules, paperStyle } from './style.ts';

/**
 * On the screen the paper lies beyond the window's edge: the browser fetches fonts only for what is laid out. Printed,
 * it is all there is, in the colours of paper whatever the theme.
 */
const besidesStyle = `
@media screen { body > .paper { position: fixed; inset-block-start: 0; inset-inline-start: 200vw; width: 184mm; } }
@media print {
  :root { color-scheme: light !important; }
  html, body { height: auto; overflow: visible; background: #fff; }
  body > :not(.paper) { display: none !important; }
  .paper > .band:first-child { display: none; }
}
`;

let clear = (): void => undefined;

/**
 * Prints a paper with the browser's own dialog, from this document: no other one may be embedded in the page, and a
 * new window would be blocked. What is printed goes after that, or when the next is printed.
 */
export async function printPaper(paper: Paper): Promise<void> {
  clear();
  const shown = mounted(paper);
  clear = lay(shown, paper);
  await picturesDecoded(shown.element);
  // Reading a length lays the paper out, which is when fonts are asked for.
  void shown.element.offsetHeight;
  await document.fonts.ready;
  window.print();
}

function lay({ element, unmount }: MountedPaper, paper: Paper): () => void {
  const style = new CSSStyleSheet();
  style.replaceSync(`${paperStyle}${besidesStyle}${pageRules(paper)}`);
  const title = document.title;
  // The name that the browser's dialog offers for a PDF.
  document.title = paper.title;
  document.adoptedStyleSheets.push(style);
  element.inert = true;
  document.body.append(element);
  const gone = (): void => {
    window.removeEventListener('afterprint', gone);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== style);
    document.title = title;
    unmount();
    clear = () => undefined;
  };
  window.addEventListener('afterprint', gone);
  return gone;
}
