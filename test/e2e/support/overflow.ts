import type { Page } from '@playwright/test';

/**
 * Texts of the page as it stands that do not fit: drawn beyond their own box, or cut off by a box that
 * neither scrolls nor says by an ellipsis and a title that there is more. Each with the way to it.
 */
export const overflowingTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** Pixels: letters reach a little out of their line, and boxes lie on fractions of a pixel. */
    const [sideways, upAndDown] = [1.5, 4];

    const isShown = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.closest('.sr-only, .maplibregl-canvas-container, [inert]') === null;

    const isCut = (rect: DOMRect, box: DOMRect): boolean =>
      rect.left < box.left - sideways ||
      rect.right > box.right + sideways ||
      rect.top < box.top - upAndDown ||
      rect.bottom > box.bottom + upAndDown;

    function wayTo(element: Element): string {
      const names: string[] = [];
      for (let at: Element | null = element; at !== null && names.length < 4; at = at.parentElement) {
        const [first] = at.classList;
        names.unshift(first === undefined ? at.localName : `.${first}`);
      }
      return names.join(' ');
    }

    /** The box that a text does not fit into; null where it fits or may be scrolled to. */
    function tooSmall(text: Text, rects: readonly DOMRect[]): Element | null {
      let own = true;
      for (let at = text.parentElement; at !== null; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (style.display === 'inline' || style.display === 'contents') continue;
        const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
        const clips = /hidden|clip/.test(style.overflowX + style.overflowY);
        if (scrolls && !own) return null;
        if (own || clips) {
          const box = at.getBoundingClientRect();
          const says = style.textOverflow === 'ellipsis' && at.closest('[title]') !== null;
          if (!says && rects.some((rect) => isCut(rect, box))) return at;
          if (says || scrolls) return null;
        }
        own = false;
      }
      const page = new DOMRect(0, 0, window.innerWidth, window.innerHeight);
      return rects.some((rect) => isCut(rect, page)) ? document.body : null;
    }

    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node as Text;
      const parent = text.parentElement;
      if (parent === null || !/\p{L}/u.test(text.data) || !isShown(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
      const box = tooSmall(text, rects);
      if (box !== null) found.push(`${wayTo(parent)}: “${text.data.trim().slice(0, 60)}” in ${wayTo(box)}`);
    }
    return [...new Set(found)];
  });
