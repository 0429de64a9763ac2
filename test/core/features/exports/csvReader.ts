/** Reads RFC 4180 strictly, as the model that written files are held against. Throws where a file is not. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const row: string[] = [];
    for (;;) {
      let cell = '';
      if (text[at] === '"') {
        at += 1;
        for (;;) {
          if (at >= text.length) throw new Error('A quote is not closed');
          if (text[at] !== '"') cell += text[at++];
          else if (text[at + 1] === '"') {
            cell += '"';
            at += 2;
          } else break;
        }
        at += 1;
      } else {
        while (at < text.length && !',"\r\n'.includes(text[at] ?? '')) cell += text[at++];
      }
      row.push(cell);
      if (text[at] !== ',') break;
      at += 1;
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`No end of a row at ${at}`);
    at += 2;
    rows.push(row);
  }
  return rows;
}

/** The cells that a spreadsheet sees which ends cells at `separator`, and forgives what RFC 4180 does not. */
export function carelessCells(text: string, separator: string): string[] {
  return text.split(new RegExp(`[${separator}\\r\\n]`)).map((cell) => cell.replace(/^["\s]+/, ''));
}
