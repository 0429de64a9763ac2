import { countOf, systems, type Report } from './report.ts';

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${String(sign.charCodeAt(0))};`);
/** The words for each outcome, in the order of the page: what failed is what it is read for. */
const outcomes = { failed: 'FAILED', 'not-run': 'not run', passed: 'passed' } as const;

/** The report as one page without anything from elsewhere. */
export function pageOf(report: Report): string {
  const { versions, host, system, started, at, steps } = report;
  const title = `First light: ${systems[system]}, ${at.slice(0, 10)}`;
  const ordered = Object.keys(outcomes).flatMap((outcome) =>
    steps.filter((step) => step.outcome === outcome),
  );
  const rows = ordered.map(
    ({ id, name, outcome, detail, milliseconds }) =>
      `<tr class="${outcome}"><td>${outcomes[outcome]}</td><th scope="row">${escaped(name)} <code>${escaped(id)}</code></th>` +
      `<td>${escaped(detail)}</td><td>${String(Math.round(milliseconds))} ms</td></tr>`,
  );
  const facts = Object.entries({ host, started, ...versions }).map(
    ([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value ?? 'unknown')}</dd>`,
  );
  const counts = `${String(countOf(report, 'passed'))} passed, ${String(countOf(report, 'failed'))} failed, ${String(countOf(report, 'not-run'))} not run`;
  const warning =
    host === 'desktop'
      ? ''
      : '<p class="failed"><strong>On a stand-in: this is no first light.</strong></p>\n';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; }
td, th { border-bottom: 1px solid #8886; overflow-wrap: anywhere; padding: .4rem .6rem; text-align: start; vertical-align: top; }
thead th:nth-child(2) { width: 32%; }
th:first-child, td:first-child { width: 5.5rem; }
th:last-child, td:last-child { font-variant-numeric: tabular-nums; text-align: end; width: 6rem; }
th[scope=row] { font-weight: 500; }
code { display: block; font: .85em/1.5 ui-monospace, monospace; }
tr.failed td:first-child, .failed strong { color: #c62828; font-weight: 700; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dd { margin: 0; }
@media screen and (prefers-color-scheme: dark) { tr.failed td:first-child, .failed strong { color: #ff8a80; } }
@media print {
  :root { color-scheme: light; }
  body { font-size: 10pt; margin: 0; max-width: none; padding: 0; }
  tr { break-inside: avoid; }
}
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${warning}<p>${counts}</p>
<dl>${facts.join('')}</dl>
<table>
<thead><tr><th>Outcome</th><th>Step</th><th>What was seen</th><th>Took</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</body>
</html>
`;
}
