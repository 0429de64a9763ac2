import type { Page } from '@playwright/test';

export interface Facts {
  /** What is read as one piece and has a digit, outside of rows and buttons, and the name of where it stands. */
  readonly numbers: readonly { readonly place: string; readonly text: string }[];
  /** The pieces of each row of the list of incidents, in their order. */
  readonly rows: readonly (readonly string[])[];
  /** The same of the lists of a wallboard. */
  readonly wallRows: readonly (readonly string[])[];
  readonly buttons: readonly { readonly name: string; readonly enabled: boolean }[];
}

/** All that the page states in numbers, and what can be pressed in it. What is hidden or covered is not stated. */
export const readFacts = (page: Page): Promise<Facts> =>
  page.evaluate(() => {
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const wordsOf = (element: Element): string =>
      ((element as HTMLElement).innerText ?? element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
    const places =
      '[role="dialog"],[role="region"],[role="alert"],section[aria-label],aside,nav,footer,header,main';
    const placeOf = (element: Element): string => {
      const place = element.closest(places);
      return place?.getAttribute('aria-label') ?? place?.tagName.toLowerCase() ?? 'page';
    };
    /** The smallest element around a text that is read as one piece. */
    const pieceOf = (text: Node): Element | null => {
      let piece = text.parentElement;
      while (piece?.parentElement && getComputedStyle(piece).display.startsWith('inline'))
        piece = piece.parentElement;
      return piece;
    };
    const piecesIn = (root: Element): Element[] => {
      const pieces = new Set<Element>();
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const piece = /\d/.test(text.textContent ?? '') ? pieceOf(text) : null;
        if (piece !== null && isShown(piece)) pieces.add(piece);
      }
      return [...pieces];
    };
    const row =
      'section[aria-label="Incidents"] [role="option"], [role="region"][aria-label="Incidents"] [role="option"]';
    const wallRow = 'main[aria-label="Wallboard"] li';
    const rowsOf = (selector: string): string[][] =>
      [...document.querySelectorAll(selector)].filter(isShown).map((one) => piecesIn(one).map(wordsOf));
    const button = 'button, [role="button"]';
    return {
      numbers: piecesIn(document.body)
        .filter((piece) => piece.closest(`${row}, ${wallRow}, ${button}`) === null)
        .map((piece) => ({ place: placeOf(piece), text: wordsOf(piece) })),
      rows: rowsOf(row),
      wallRows: rowsOf(wallRow),
      buttons: [...document.querySelectorAll(button)].filter(isShown).map((one) => ({
        name: (one.getAttribute('aria-label') ?? wordsOf(one)).replaceAll(/\s+/g, ' '),
        enabled: !(one as HTMLButtonElement).disabled && one.getAttribute('aria-disabled') !== 'true',
      })),
    };
  });
