/** Widths in CSS pixels. The map never falls under `leastMap` (look.md, Layout). */
export const rail = 56;
export const leastMap = 480;
export const leastList = 320;
export const mostList = 560;

export interface Layout {
  readonly list: number;
  /** Zero while the details stand in the list's place or nothing is selected. */
  readonly details: number;
  readonly largestList: number;
}

/** Divides a window's width. Under 1,240 px the details replace the list. */
export function divide(window: number, wantedList: number, selected: boolean): Layout {
  const narrow = isNarrow(window);
  const details = selected && !narrow ? Math.max(360, Math.min(400, Math.round(window * 0.26))) : 0;
  const largestList = Math.max(leastList, Math.min(mostList, window - rail - leastMap - details - 2));
  return { list: Math.max(leastList, Math.min(largestList, wantedList)), details, largestList };
}

export const isNarrow = (window: number): boolean => window < 1_240;
