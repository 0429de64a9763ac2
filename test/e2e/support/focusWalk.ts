import type { Page } from '@playwright/test';

/** Where the focus stood after one press of Tab. */
export interface FocusStop {
  /** The landmark or region that it is in, by its name or else its element's. */
  readonly place: string;
  readonly role: string;
  readonly name: string;
  /** Whether something shows that it is there. */
  readonly shown: boolean;
  /** Whether all of it, or as much as the window can hold, is on the screen. */
  readonly onScreen: boolean;
  readonly width: number;
  readonly height: number;
}

async function press(page: Page): Promise<FocusStop | null> {
  await page.keyboard.press('Tab');
  return page.evaluate(() => {
    const at = document.activeElement;
    if (!(at instanceof HTMLElement) || at === document.body) return null;
    const { left, top, right, bottom, width, height } = at.getBoundingClientRect();
    const marked = (element: Element | null): boolean => {
      if (element === null) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== 'none';
    };
    const active = at.getAttribute('aria-activedescendant');
    const place = at.closest('nav, main, footer, [role="dialog"], section[aria-label]');
    return {
      place: place?.getAttribute('aria-label') ?? place?.tagName.toLowerCase() ?? '',
      role: at.getAttribute('role') ?? at.tagName.toLowerCase(),
      name: at.getAttribute('aria-label') ?? (at.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 40),
      shown:
        marked(at) ||
        // A field whose frame is drawn by what it stands in, and a list that marks its active row.
        (at instanceof HTMLInputElement && marked(at.parentElement)) ||
        (active !== null && marked(document.getElementById(active))),
      onScreen:
        left >= -1 &&
        top >= -1 &&
        right <= innerWidth + 1 &&
        (height > innerHeight || bottom <= innerHeight + 1),
      width,
      height,
    };
  });
}

/** Presses Tab from the page's beginning to its end, and answers where the focus was. */
export async function walkFocus(page: Page, most = 120): Promise<FocusStop[]> {
  // From wherever it stands to the end, where it leaves the page.
  for (let presses = 0; presses < most; presses += 1) if ((await press(page)) === null) break;
  const stops: FocusStop[] = [];
  while (stops.length < most) {
    const stop = await press(page);
    if (stop === null) return stops;
    stops.push(stop);
  }
  throw new Error('The focus never leaves the page');
}
