import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { button, signIn } from './desk.ts';
import type { Stage, Topic } from './stage.ts';

/** Prints the incidents of high severity, as an operator does it. */
async function exportSheet({ page, operator }: Stage, path: string) {
  await operator.filter('Severity', 'high');
  await page.locator('[data-map-state="ready"]').waitFor({ state: 'attached' });
  await page.waitForTimeout(5_000);
  await button(page, 'Export').click();
  const dialog = page.getByRole('dialog', { name: 'Export incidents' });
  await dialog.getByRole('radio', { name: /^Print/ }).check();
  // The browser's dialog would stand for good.
  await page.evaluate(() => {
    window.print = () => void (document.documentElement.dataset['printed'] = 'yes');
  });
  await button(dialog, 'Export').click();
  await page.locator('html[data-printed]').waitFor({ timeout: 240_000 });
  await page.pdf({ path, preferCSSPageSize: true, printBackground: true });
}

/** The first page of the sheet. A PDF is made a picture of by poppler's `pdftoppm`, which must be installed. */
async function firstPage(stage: Stage) {
  const pdf = join(stage.folder, 'sheet.pdf');
  await exportSheet(stage, pdf);
  const made = spawnSync('pdftoppm', ['-png', '-singlefile', '-r', '110', '-l', '1', pdf, pdf]);
  if (made.error) throw new Error('The sheet needs pdftoppm of poppler-utils, which is not installed');
  return readFile(`${pdf}.png`);
}

export const sheet: Topic = {
  name: 'sheet',
  opens: signIn,
  pictures: { 'sheet-a4': firstPage },
};
