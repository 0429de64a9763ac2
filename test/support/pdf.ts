import { getDocument, OPS, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A page of a PDF as it is read. */
export interface PdfPage {
  readonly text: string;
  /** Points. */
  readonly width: number;
  readonly height: number;
  /** Pictures that are drawn on it. */
  readonly images: number;
}

/** Reads a PDF's pages. Text is in the order of drawing, with a space between pieces of it. */
export async function readPdf(bytes: Uint8Array): Promise<PdfPage[]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS });
  const pdf = await task.promise;
  const pages: PdfPage[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const { fnArray } = await page.getOperatorList();
    const [, , width = 0, height = 0] = page.view;
    pages.push({
      text: items.map((item) => ('str' in item ? item.str : '')).join(' '),
      width,
      height,
      images: fnArray.filter((name) => name === OPS.paintImageXObject).length,
    });
  }
  await task.destroy();
  return pages;
}

/** Words without the spaces between them: where a PDF puts those is its own business. */
export const unspaced = (text: string): string => text.replaceAll(/\s/g, '');

const paperPoints = { a4: [595.28, 841.89], letter: [612, 792] } as const;

/** Which paper a page is. Chromium rounds what it was not told by the document to a point. */
export const paperOf = ({ width, height }: PdfPage): keyof typeof paperPoints | null =>
  (['a4', 'letter'] as const).find((name) => {
    const [across, down] = paperPoints[name];
    return Math.abs(width - across) <= 1.2 && Math.abs(height - down) <= 1.2;
  }) ?? null;
