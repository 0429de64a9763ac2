/* eslint-disable words/literal-text -- English in every language: names of fonts. */
import { severitiesWorstFirst } from '../../src-preload/contract/index.ts';
import { severityGlyphs } from '../design/glyphs.ts';
import { themes } from '../design/tokens.ts';
import { direction, t } from '../i18n/index.ts';
import type { Paper } from './paper.ts';

const { text: ink, textQuiet: quiet, line } = themes.day;
const sans = `'Inter Variable', 'Noto Sans Arabic Variable', 'Noto Sans Devanagari Variable', 'Noto Sans SC Variable', system-ui, sans-serif`;
const mono = `'JetBrains Mono Variable', ui-monospace, monospace`;
const bundled = (stack: string): string[] =>
  Array.from(stack.matchAll(/'([^']+)'/g), ([, name = '']) => name);
/** The page's own families, in the order in which a sign is looked for in them. */
export const [sansFamilies, monoFamilies] = [bundled(sans), bundled(mono)];

const marks = severitiesWorstFirst
  .map((name) => `.mark--${name} { fill: ${themes.day[severityGlyphs[name].colour]}; }`)
  .join('\n');

/** Of everything under `.paper`. In points and millimetres; nothing in colour that is not said in words or shape. */
export const paperStyle = `
.paper { background: #fff; color: ${ink}; font: 8pt/1.35 ${sans}; font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere; print-color-adjust: exact; }
.paper * { box-sizing: border-box; }
.paper h1 { margin: 0 0 1.5mm; font-size: 17pt; font-weight: 600; line-height: 1.2; }
.paper h2 { margin: 6mm 0 2mm; padding-bottom: 1mm; border-bottom: 0.6mm solid ${ink}; font-size: 11pt; font-weight: 600; break-after: avoid; }
.paper h3 { margin: 3mm 0 1mm; font-size: 9pt; font-weight: 600; break-after: avoid; }
.paper p { margin: 0.6mm 0; }
.paper ul { margin: 0; padding: 0; list-style: none; }
.paper code { font-family: ${mono}; font-size: 0.9em; }
.paper .quiet { color: ${quiet}; }
.paper .strong { font-size: 9pt; font-weight: 600; }
.paper .trust { margin: 3mm 0; padding: 2mm 4mm; border: 0.3mm solid ${ink}; border-inline-start-width: 1.8mm; break-inside: avoid; }
.paper .trust p { font-size: 11pt; font-weight: 600; line-height: 1.4; }
.paper figure { margin: 3mm 0; break-inside: avoid; }
.paper img { display: block; width: auto; max-width: 100%; height: auto; max-height: 106mm; margin: 0 auto; border: 0.2mm solid ${line}; }
.paper .severities { display: flex; margin: 3mm 0 2mm; font-size: 10pt; font-weight: 600; }
.paper .severities li { display: flex; flex: 1; align-items: center; gap: 1.8mm; }
.paper .mark { display: inline-block; width: 3.5mm; height: 3.5mm; flex: none; }
.paper .severities .mark { width: 5mm; height: 5mm; }
${marks}
.paper table { width: 100%; margin-top: 3mm; border-collapse: collapse; }
.paper thead { display: table-header-group; }
.paper tr { break-inside: avoid; }
.paper th, .paper td { padding: 1mm 2.8mm 1mm 0; border-bottom: 0.15mm solid ${line}; text-align: start; vertical-align: top; }
.paper:dir(rtl) th, .paper:dir(rtl) td { padding: 1mm 0 1mm 2.8mm; }
.paper th { overflow-wrap: normal; border-bottom: 0.3mm solid ${ink}; color: ${quiet}; font-weight: 600; }
.paper .list { table-layout: fixed; }
.paper .list th:nth-child(1) { width: 13%; }
.paper .list th:nth-child(3), .paper .list th:nth-child(4) { width: 14%; }
.paper .list th:nth-child(5) { width: 34%; }
.paper .list bdo { white-space: nowrap; }
.paper .lower { margin: 0; color: ${quiet}; font-size: 7pt; font-weight: 400; }
.paper .severity .mark { margin-inline-end: 1.5mm; vertical-align: -0.7mm; }
.paper dl { display: grid; margin: 3mm 0; grid-template-columns: max-content 1fr; gap: 0.6mm 5mm; }
.paper dt { color: ${quiet}; }
.paper dd, .paper dd p { margin: 0; }
.paper .time { white-space: nowrap; }
.paper .loud { margin: 4mm 0; padding: 2mm 3mm; border: 0.8mm solid ${ink}; }
.paper .loud h2 { margin: 0 0 1mm; padding: 0; border: 0; }
.paper .note { margin: 1.5mm 0; padding-inline-start: 3mm; border-inline-start: 0.8mm solid ${line}; break-inside: avoid; }
.paper .note p:first-child { white-space: pre-wrap; }
.paper .band { margin: 0 0 4mm; padding: 1.5mm 3mm; background: #000; color: #fff; font-weight: 600; text-align: center; }
`;

/** A text as a string of CSS, in which no character of it can mean anything. */
const quoted = (text: string): string =>
  `"${Array.from(text, (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(16)} `).join('')}"`;

/** Plain text: the sentence would show hidden characters as marks. */
const [pageSign, pagesSign] = ['{1}', '{2}'];
/** `Page 3 of 12`, counted by who prints. */
function pageNumber(): string {
  const words = t('print.sheet.page', { page: pageSign, pages: pagesSign });
  return words
    .split(/(\{[12]\})/)
    .filter((part) => part !== '')
    .map((part) =>
      part === pageSign ? 'counter(page)' : part === pagesSign ? 'counter(pages)' : quoted(part),
    )
    .join(' ');
}

/** The size of the pages, and what stands at their edges. */
export function pageRules({ size, foot, band }: Paper): string {
  const [start, end] = direction.value === 'rtl' ? ['right', 'left'] : ['left', 'right'];
  const edge = `color: ${quiet}; font: 7.5pt ${sans}; vertical-align: top; padding-top: 3mm;`;
  const rules = [
    ...(size === null ? [] : [`size: ${size === 'a4' ? 'A4' : 'letter'};`]),
    `margin: ${band === null ? 13 : 18}mm 13mm 17mm;`,
    `@bottom-${end} { content: ${pageNumber()}; ${edge} text-align: ${end}; width: 25%; }`,
    ...(foot === null
      ? []
      : [`@bottom-${start} { content: ${quoted(foot)}; ${edge} text-align: ${start}; width: 75%; }`]),
    ...(band === null
      ? []
      : [
          `@top-center { content: ${quoted(band)}; width: 100%; height: 7mm; margin-bottom: 7mm; background: #000; color: #fff; font: 600 8pt ${sans}; text-align: center; vertical-align: middle; print-color-adjust: exact; }`,
        ]),
  ];
  return `@page { ${rules.join(' ')} }\n`;
}
