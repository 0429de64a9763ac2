import type { VNode } from 'vue';
import type { Position } from '../../src-preload/contract/index.ts';

export const paperSizes = ['a4', 'letter'] as const;
export type PaperSize = (typeof paperSizes)[number];

/** A view that goes to paper, and what stands at the edges of its pages. */
export interface Paper {
  readonly title: string;
  /** Null leaves it to who prints: the size of the paper in the printer. */
  readonly size: PaperSize | null;
  /** At the foot of each page, on the side where a line begins; null for nothing. */
  readonly foot: string | null;
  /** A band at the head of each page; null for none. */
  readonly band: string | null;
  readonly view: () => VNode;
}

/** Decimal degrees to five places, about a metre. */
export const degreesText = ({ latitude, longitude }: Position): string =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
