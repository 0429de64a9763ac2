import { createApp, h } from 'vue';
import { direction, language, t } from '../i18n/index.ts';
import { visibleSentence } from '../i18n/visible.ts';
import { fontFaces } from './fonts.ts';
import type { Handover } from './handover.ts';
import HandoverPaper from './HandoverPaper.vue';
import type { Paper } from './paper.ts';
import { paperTimes } from './paperTime.ts';
import type { Sheet } from './sheet.ts';
import SheetPaper from './SheetPaper.vue';
import { pageRules, paperStyle } from './style.ts';

// What goes to paper. Features load it when something does: no start of the page needs it.
export { dataAddress } from './fonts.ts';

/** The size of its pages is that of the paper in the printer: it is printed where the next operator sits. */
export function handoverPaper(handover: Handover): Paper {
  const { report, zone } = handover;
  const time = paperTimes(zone).instant(report.madeAt);
  return {
    title: t('print.handover.titleAt', { time }),
    size: null,
    foot: t('print.sheet.foot', { deployment: report.deployment.name, time }),
    band: report.training ? t('core.sheet.training') : null,
    view: () => h(HandoverPaper, { handover }),
  };
}

export const sheetPaper = (sheet: Sheet): Paper => ({
  title: t('print.sheet.title', { deployment: sheet.deployment }),
  size: sheet.size,
  foot: t('print.sheet.foot', {
    deployment: sheet.deployment,
    time: paperTimes(sheet.zone).instant(sheet.madeAt),
  }),
  band: sheet.training ? t('core.sheet.training') : null,
  view: () => h(SheetPaper, { sheet }),
});

/** A paper as elements that are in no document yet. */
interface MountedPaper {
  readonly element: HTMLElement;
  readonly unmount: () => void;
}

function mounted({ view }: Paper): MountedPaper {
  const element = document.createElement('main');
  element.className = 'paper';
  const app = createApp({ render: view });
  app.mount(element);
  return {
    element,
    unmount: () => {
      app.unmount();
      element.remove();
    },
  };
}

/** Whether a picture shows or not, what is printed must not wait for it any longer. */
async function picturesDecoded(element: HTMLElement): Promise<void> {
  await Promise.allSettled([...element.querySelectorAll('img')].map((image) => image.decode()));
}

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
