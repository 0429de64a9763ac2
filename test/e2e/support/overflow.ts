import type { Page } from '@playwright/test';

/**
 * Texts of the page as it stands that do not fit: drawn beyond their own box, or cut off by a box that
 * neither scrolls nor says by an ellipsis and a title that there is more. Each with the way to it.
 */
export const overflowingTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** Pixels: letters reach a little out of their line, and boxes lie on fractions of a pixel. */
    const [sideways, upAndDown] = [1.5, 4];

    /** A list that shows as many whole rows as it has room for wraps the others into a column beside it. */
    function isLeftOver(element: Element): boolean {
      const row = element.closest('li');
      const list = row?.parentElement ?? null;
      if (row === null || list === null) return false;
      const { flexFlow, overflowX } = getComputedStyle(list);
      if (flexFlow !== 'column wrap' || overflowX !== 'hidden') return false;
      const [own, room] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
      return own.left >= room.right || own.right <= room.left;
    }

    const isShown = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !isLeftOver(element) &&
      // What is there to be heard alone.
      getComputedStyle(element).clipPath !== 'inset(50%)' &&
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
        // A text's own box scrolls for those alone who can get there with the keyboard.
        if (scrolls && (!own || at.tabIndex >= 0)) return null;
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

/** Pairs of texts of the page that are drawn over each other, as far as both are seen. */
export const overlappingTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** Pixels: the boxes of two lines are a little higher than their letters. */
    const least = 4;
    interface Drawn {
      readonly text: Text;
      readonly words: string;
      readonly rect: DOMRect;
    }
    function seenPart(rect: DOMRect, element: Element): DOMRect {
      let { left, top, right, bottom } = rect;
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const { overflow, clipPath } = getComputedStyle(at);
        // What only is heard, or shows itself with the focus.
        if (clipPath === 'inset(50%)') return new DOMRect();
        if (overflow === 'visible') continue;
        const box = at.getBoundingClientRect();
        left = Math.max(left, box.left);
        top = Math.max(top, box.top);
        right = Math.min(right, box.right);
        bottom = Math.min(bottom, box.bottom);
      }
      return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    }

    const drawn: Drawn[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node as Text;
      const parent = text.parentElement;
      if (parent === null || text.data.trim() === '') continue;
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (parent.closest('.sr-only, .maplibregl-canvas-container, [inert]') !== null) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const rect of range.getClientRects())
        drawn.push({ text, words: text.data.trim().slice(0, 40), rect: seenPart(rect, parent) });
    }
    const found = new Set<string>();
    drawn.forEach((one, at) => {
      for (const other of drawn.slice(at + 1)) {
        // A line with an ellipsis has two boxes, the whole and what is left of it.
        if (one.text === other.text && one.rect.top === other.rect.top) continue;
        const across = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
        const down = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
        if (across > least && down > least) found.add(`“${one.words}” over “${other.words}”`);
      }
    });
    return [...found];
  });
