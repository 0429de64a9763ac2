import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import exportWords from '../../src-renderer/locales/en/exports.json' with { type: 'json' };
import printWords from '../../src-renderer/locales/en/print.json' with { type: 'json' };
import { languages } from '../../src-preload/contract/index.ts';
import { paperPoints, readPdf, unspaced, type PdfPage } from '../support/pdf.ts';
import { expect, test, type Shown } from './fixtures.ts';

/**
 * Words that a PDF gives back as they were written. Of scripts that join or reorder their letters it gives back some
 * only; that those stand there is seen in the elements that are printed.
 */
const said = {
  en: ['Incidents, Harbour station', 'Filters: none, everything that is known', 'Latitude, longitude', 'Page 1 of'],
  es: ['Harbour station', 'Latitud, longitud'],
  fr: ['Harbour station', 'Latitude, longitude'],
  ar: ['Harbour station', 'MGRS'],
  hi: ['Harbour station', 'मध्यम', 'देशांतर'],
  'zh-Hans': ['Harbour station', '事件'],
} as const;

const wordsIn = async (language: string, file: string): Promise<unknown> =>
  JSON.parse(await readFile(`src-renderer/locales/${language}/${file}.json`, 'utf8'));
const wordsOf = async (language: string): Promise<typeof exportWords> =>
  (await wordsIn(language, 'exports')) as typeof exportWords;
const printWordsOf = async (language: string): Promise<typeof printWords> =>
  (await wordsIn(language, 'print')) as typeof printWords;

/** Begins to print the sheet; answers when the browser's dialog would be open. */
async function print(shown: Shown, language: string, size: 'a4' | 'letter'): Promise<Page> {
  const page = await shown.open('incidents', { language });
  await shown.push({ app: { host: 'browser' } });
  await page.evaluate(() => {
    window.print = () => void (document.documentElement.dataset['printed'] = 'yes');
  });
  const words = await wordsOf(language);
  await page.getByRole('button', { name: words.open, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: words.title });
  await dialog.locator('input[value="pdf"]').check();
  await dialog.getByRole('button', { name: words.papers[size], exact: true }).click();
  await dialog.getByRole('button', { name: words.begin, exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes');
  return page;
}

async function pdfOf(page: Page): Promise<PdfPage[]> {
  return await readPdf(await page.pdf({ preferCSSPageSize: true, printBackground: true }));
}

test.describe('the sheet of a browser that prints', () => {
  for (const language of languages) {
    for (const size of ['a4', 'letter'] as const) {
      test(`${language}, ${size}: head, list and numbers of the pages`, async ({ shown }) => {
        const page = await print(shown, language, size);
        const { columns } = (await printWordsOf(language)).sheet;
        for (const words of Object.values(columns))
          await expect(page.locator('body > .paper thead')).toContainText(words);
        const pages = await pdfOf(page);
        expect(pages.length).toBeGreaterThan(2);
        for (const { width, height } of pages)
          expect([Math.round(width), Math.round(height)]).toEqual(paperPoints[size]);
        const text = pages.map((one) => unspaced(one.text)).join('');
        for (const words of said[language]) expect(text).toContain(unspaced(words));
        // Every incident stands in the list, and nothing of the page around it.
        for (const id of ['syn-7-00000', 'syn-7-0002e']) expect(text).toContain(id);
        expect(text).not.toContain('UTC/local');
        // It goes with the dialog.
        await expect(page.locator('body > .paper')).toHaveCount(0);
      });
    }
  }
});
