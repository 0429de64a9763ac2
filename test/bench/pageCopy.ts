import type { Page } from '@playwright/test';
import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { PageCopy } from './pages/floorApi.ts';

/** Where the built page's style sheets and fonts are put, beside the bench's pages. */
const besidePages = 'console';

/** Puts the built page's files beside the bench's own, for the copies that the floor shows. */
export const copyPageFiles = (folder: string): Promise<void> =>
  cp(resolve('out/renderer/assets'), join(folder, besidePages, 'assets'), { recursive: true });

/** The console's page as it stands, without its program. `site`: the address of the bench's pages. */
export async function copyPage(page: Page, site: string): Promise<PageCopy> {
  const copy = await page.evaluate(() => {
    const sheets = [...document.styleSheets];
    const body = document.body.cloneNode(true) as HTMLElement;
    for (const script of body.querySelectorAll('script')) script.remove();
    return {
      hrefs: sheets.flatMap(({ href }) => (href === null ? [] : [new URL(href).pathname])),
      ownStyles: sheets
        .filter(({ href }) => href === null)
        .flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText))
        .join('\n'),
      root: Object.fromEntries(
        document.documentElement
          .getAttributeNames()
          .map((name) => [name, document.documentElement.getAttribute(name) ?? '']),
      ),
      body: body.innerHTML,
    };
  });
  const { hrefs, ...rest } = copy;
  return { ...rest, styles: hrefs.map((path) => new URL(besidePages + path, site).href) };
}
