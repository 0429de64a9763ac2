import type { TextSize } from '../../src-preload/contract/index.ts';

/** CSS pixels of body text at the browser's usual font size. */
export const bodyPx: Readonly<Record<TextSize, number>> = { small: 12, normal: 13, large: 15, largest: 17 };

/** How large text and targets are; all in CSS pixels but `text`, which multiplies the browser's own size. */
export interface Sizes {
  readonly text: number;
  /** A row of a list, two lines high. */
  readonly row: number;
  readonly control: number;
  /** A control inside a row or a bar. */
  readonly controlSmall: number;
  /** A line of a menu. */
  readonly option: number;
  /** The least that can be pressed, in either direction. */
  readonly target: number;
  readonly rail: number;
  /** With its labels. */
  readonly railLabelled: number;
  readonly status: number;
}

/** What fingers need (look.md): controls of 44, rows of 56. */
const finger = { control: 44, row: 56 } as const;

/** Up to this height of a window text has its usual size; on a higher one, as of a 4K display, it grows with it. */
const usualHeight = 1_440;

/**
 * The one place that heights come from: the style sheets read them as custom properties, the virtual lists
 * as numbers. What holds text grows with it; what only frames it grows less.
 *
 * @param height of the window, CSS pixels
 */
export function sizesFor(textSize: TextSize, touch: boolean, height: number): Sizes {
  const text = (bodyPx[textSize] / bodyPx.normal) * Math.max(1, height / usualHeight);
  const grown = (normal: number, held: number): number => Math.max(normal, Math.round(held * text));
  const least = touch ? finger.control : 0;
  return {
    text,
    row: Math.max(Math.round(44 * text), touch ? finger.row : 0),
    control: Math.max(grown(32, 26), least),
    controlSmall: Math.max(grown(24, 21), least),
    option: Math.max(grown(28, 26), least),
    target: Math.max(24, least),
    rail: touch ? 60 : 56,
    railLabelled: Math.round(88 * text),
    status: Math.max(grown(30, 24), least),
  };
}

/** Writes sizes as custom properties on the page's root; through the CSSOM, as theme.ts does. */
export function applySizes(root: HTMLElement, { text, ...heights }: Sizes, touch: boolean): void {
  root.style.setProperty('font-size', `${text * 100}%`);
  for (const [name, px] of Object.entries(heights)) {
    root.style.setProperty(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, `${px}px`);
  }
  root.dataset['touch'] = touch ? 'on' : 'off';
}
