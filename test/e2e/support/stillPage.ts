import { expect, type Page } from '@playwright/test';
import { patience } from '../../support/patience.ts';

/**
 * Takes out of the page whatever differs from run to run, for as long as it stands: times, ages, the
 * service's port and request ids, the caret. Each leaves an empty place of one line, so that no length moves what stands
 * beside it.
 */
export async function holdStill(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      * { caret-color: transparent !important; }
      [data-volatile] {
        overflow: hidden !important;
        width: 0 !important;
        min-width: 0 !important;
        flex: none !important;
        visibility: hidden !important;
        white-space: nowrap !important;
      }
      [data-volatile='inline'] { display: inline-block !important; height: 1em !important; }
      .row__pulse, .map-arrival { display: none !important; }
    `);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

    const volatile = /\d+\s?(?:s|min|h|d)\b|\d\d:\d\d|\d{4}-\d\d-\d\d|127\.0\.0\.1|localhost|trn-[0-9a-f]{8}/;
    function mark(): void {
      const stale = new Set<HTMLElement>(document.querySelectorAll<HTMLElement>('[data-volatile]'));
      const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (words.nextNode()) {
        const { parentElement, textContent } = words.currentNode;
        // A range to choose, "24 h", is none of this run.
        if (parentElement === null || parentElement.closest('.segmented, option') !== null) continue;
        if (!volatile.test(textContent ?? '')) continue;
        stale.delete(parentElement);
        if (parentElement.dataset['volatile'] !== undefined) continue;
        const inline = getComputedStyle(parentElement).display === 'inline';
        parentElement.dataset['volatile'] = inline ? 'inline' : 'block';
      }
      for (const element of stale) delete element.dataset['volatile'];
    }
    new MutationObserver(mark).observe(document.body, {
      characterData: true,
      childList: true,
      subtree: true,
    });
    mark();
  });
}

/** Waits until nothing has been drawn for a moment: the map comes to rest long after the page has. */
export async function comeToRest(page: Page): Promise<void> {
  let last: Buffer = Buffer.alloc(0);
  await expect
    .poll(
      async () => {
        const shot = await page.screenshot({ animations: 'disabled' });
        const same = shot.equals(last);
        last = shot;
        return same;
      },
      { intervals: [300, 500, 700], timeout: patience.test },
    )
    .toBe(true);
}
