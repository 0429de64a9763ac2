import type { Page } from '@playwright/test';

/** Takes what the page puts on the clipboard from now on; the function that comes back reads it, in order. */
export async function catchCopies(page: Page): Promise<() => Promise<string[]>> {
  const copies = await page.evaluateHandle(() => {
    const taken: string[] = [];
    navigator.clipboard.writeText = (text) => {
      taken.push(text);
      return Promise.resolve();
    };
    return taken;
  });
  return () => copies.jsonValue();
}
