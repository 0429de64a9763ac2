import type { Page } from '@playwright/test';

/**
 * Watches what a screen reader would be told: every change of words inside a live region from now on.
 *
 * @returns what was told so far, oldest first.
 */
export async function watchAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const told: string[] = [];
    Object.assign(globalThis, { told });
    const live = '[aria-live], [role="status"], [role="alert"], [role="log"]';
    const regionOf = (node: Node): Element | null => {
      const element = node instanceof Element ? node : node.parentElement;
      const region = element?.closest(live) ?? null;
      return region?.getAttribute('aria-live') === 'off' ? null : region;
    };
    const tell = (region: Element): void => {
      const words = (region.textContent ?? '').replace(/\s+/g, ' ').trim();
      // A region that is written anew with the same words tells nothing.
      if (words !== '' && words !== last.get(region)) told.push(words);
      last.set(region, words);
    };
    const last = new WeakMap<Element, string>();
    for (const region of document.querySelectorAll(live))
      last.set(region, (region.textContent ?? '').replace(/\s+/g, ' ').trim());
    new MutationObserver((changes) => {
      const regions = new Set<Element>();
      for (const { target, addedNodes } of changes) {
        const within = regionOf(target);
        if (within) regions.add(within);
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue;
          for (const region of [...(node.matches(live) ? [node] : []), ...node.querySelectorAll(live)])
            if (region.getAttribute('aria-live') !== 'off') regions.add(region);
        }
      }
      for (const region of regions) tell(region);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { told: string[] }).told);
}
