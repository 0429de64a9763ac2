/** On paper and on any screen; nothing in colour that is not said in words. */
export const style = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { max-width: 190mm; margin: 0 auto; padding: 24px; background: #fff; color: #11181c;
  font: 13px/1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
h1 { margin: 0 0 4px; font-size: 24px; line-height: 1.2; }
h2 { margin: 28px 0 8px; padding-bottom: 4px; border-bottom: 2px solid #11181c; font-size: 15px; break-after: avoid; }
h3 { margin: 12px 0 4px; font-size: 13px; break-after: avoid; }
p { margin: 4px 0; }
dl { display: grid; margin: 12px 0; grid-template-columns: max-content 1fr; gap: 2px 16px; }
dt { color: #46525a; }
dd, dd p { margin: 0; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 4px 8px 4px 0; border-bottom: 1px solid #c1c8cd; text-align: start; vertical-align: top; }
th { color: #46525a; font-weight: 500; white-space: nowrap; }
thead { display: table-header-group; }
tr, .note { break-inside: avoid; }
figure { margin: 0; break-inside: avoid; }
img { display: block; width: 100%; max-height: 150mm; margin-bottom: 4px; border: 1px solid #c1c8cd; object-fit: contain; }
code { font: 12px/1.45 ui-monospace, monospace; }
.quiet { color: #46525a; }
.time { white-space: nowrap; }
.band { margin: 0 0 16px; padding: 6px 12px; border: 2px solid #11181c; font-weight: 700; text-align: center; }
.loud { margin: 16px 0; padding: 8px 12px; border: 3px solid #11181c; }
.loud h2 { margin: 0 0 4px; border: 0; }
.note { margin: 6px 0; padding-inline-start: 10px; border-inline-start: 3px solid #889096; }
.note p:first-child { white-space: pre-wrap; }
@page { margin: 15mm; }
@media print { body { max-width: none; padding: 0; } }
`;
