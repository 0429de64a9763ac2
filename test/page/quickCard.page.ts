import { readFile } from 'node:fs/promises';
import { languages } from '../../src-preload/contract/index.ts';
import { paperOf, readPdf } from '../support/pdf.ts';
import { expect, inLanguage, test } from './fixtures.ts';

test.describe('the quick card', () => {
  for (const language of languages)
    test(`is one page of A4 in ${language}`, inLanguage(language), async ({ browser }) => {
      const page = await browser.newPage();
      await page.setContent(await readFile(`docs/quick-card/${language}.html`, 'utf8'));
      const pages = await readPdf(await page.pdf({ preferCSSPageSize: true, printBackground: true }));
      await page.close();
      expect(pages.map(paperOf)).toEqual(['a4']);
    });
});
