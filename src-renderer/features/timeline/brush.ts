import { binOf } from '../../table/timeBins.ts';

/** Which bins are chosen: from `first` up to `end`, which is not among them. At least one. */
export interface Brush {
  readonly first: number;
  readonly end: number;
}

/** What of the brush is moved: one of its edges, or all of it. */
export type BrushPart = 'first' | 'end' | 'all';

export const wholeBrush = (bins: number): Brush => ({ first: 0, end: bins });
export const isWhole = ({ first, end }: Brush, bins: number): boolean => first <= 0 && end >= bins;

/** `value`, or the nearer of the two where it lies outside; `high` gives way where it is the less. */
export const between = (low: number, value: number, high: number): number =>
  Math.max(low, Math.min(value, high));

/** The bins from the one where a drag began to the one where it is, in either direction. */
export function spanned(from: number, to: number, bins: number): Brush {
  const [a, b] = [between(0, from, bins - 1), between(0, to, bins - 1)];
  return { first: Math.min(a, b), end: Math.max(a, b) + 1 };
}

/** The brush with one part moved by so many bins; stops at the ends and at one bin. */
export function shifted({ first, end }: Brush, part: BrushPart, by: number, bins: number): Brush {
  switch (part) {
    case 'first':
      return { first: between(0, first + by, end - 1), end };
    case 'end':
      return { first, end: between(first + 1, end + by, bins) };
    case 'all': {
      const step = between(-first, by, bins - end);
      return { first: first + step, end: end + step };
    }
  }
}

const otherPart: Readonly<Record<BrushPart, BrushPart>> = { first: 'end', end: 'first', all: 'end' };
/** How many bins PageUp and PageDown take at once. */
const page = 10;

/**
 * What a key does to the brush while `part` of it has the focus; null when the key means nothing here.
 * Time runs from left to right in every language, so the arrows do too.
 *
 * @param key as in KeyboardEvent. Shift takes the other edge; of the whole brush it takes the end.
 */
export function keyed(
  brush: Brush,
  part: BrushPart,
  key: string,
  shift: boolean,
  bins: number,
): Brush | null {
  const moved = shift ? otherPart[part] : part;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return shifted(brush, moved, -1, bins);
    case 'ArrowRight':
    case 'ArrowUp':
      return shifted(brush, moved, 1, bins);
    case 'PageDown':
      return shifted(brush, moved, -page, bins);
    case 'PageUp':
      return shifted(brush, moved, page, bins);
    case 'Home':
      return shifted(brush, moved, -bins, bins);
    case 'End':
      return shifted(brush, moved, bins, bins);
    case 'Escape':
      return wholeBrush(bins);
    default:
      return null;
  }
}

/** The window of the brush in Unix ms, both ends inclusive; null for all there is. */
export function windowOf(brush: Brush, edges: Float64Array): { from: number; to: number } | null {
  if (isWhole(brush, edges.length - 1)) return null;
  return { from: edges[brush.first] ?? 0, to: (edges[brush.end] ?? 0) - 1 };
}

/** The bins that a window touches; all of them for null, the nearest one for a window outside. */
export function brushOf(window: { from: number; to: number } | null, edges: Float64Array): Brush {
  const bins = Math.max(1, edges.length - 1);
  if (window === null) return wholeBrush(bins);
  return spanned(binOf(window.from, edges), binOf(window.to, edges), bins);
}
