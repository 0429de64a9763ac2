import { usualListWidth } from '../../src-preload/contract/index.ts';

/** Widths in CSS pixels. The map never falls under `leastMap` (look.md, Layout). */
export const rail = 56;
export const leastMap = 480;
export const leastList = 320;
/** From this width of a window on, a row of the list has room for more facts. */
const wideWindow = 2_200;
const mostList = { usual: 560, wide: 880 } as const;
/** The list's default share of a wide window. */
const wideList = 760;
/** What a table leaves of the map: its controls stay in sight. */
export const leastSeen = 240;
export const leastDetails = 320;
export const mostDetails = 640;
/** The edges between the parts. */
const edges = 2;

export interface Layout {
  readonly list: number;
  /** How far the list reaches over the map. */
  readonly over: number;
  /** Zero while the details stand in the list's place or nothing is selected. */
  readonly details: number;
  readonly largestList: number;
  readonly largestDetails: number;
}

const bounded = (least: number, width: number, most: number): number =>
  Math.max(least, Math.min(most, width));

/** The width of the details that fits a window. */
const usualDetails = (window: number): number => bounded(360, Math.round(window * 0.26), 400);

/**
 * The width that is wished for the list, where the wish for the usual one leaves a wide window's rows to themselves.
 *
 * @param text how many times its usual size text has
 */
export const wishedList = (window: number, wished: number, text: number): number =>
  window >= wideWindow && wished === usualListWidth ? Math.round(wideList * text) : wished;

/**
 * Divides a window's width between rail, list, map and details. Under 1,240 px the details replace the list.
 * Where the wishes leave the map too little, the list gives way before the details do.
 *
 * @param wanted the wished widths of list and details; null for the details' usual one
 * @param table the width that the columns of a table in the list's place need; null for no table. It takes what the
 * map can spare, and the rest over the map.
 */
export function divide(
  window: number,
  wanted: { readonly list: number; readonly details: number | null },
  selected: boolean,
  railWidth = rail,
  table: number | null = null,
): Layout {
  const room = window - railWidth - leastMap - edges;
  const largestDetails = bounded(leastDetails, room - leastList, mostDetails);
  const shown = selected && !isNarrow(window);
  const details = shown ? bounded(leastDetails, wanted.details ?? usualDetails(window), largestDetails) : 0;
  const most = window >= wideWindow ? mostList.wide : mostList.usual;
  const largestList = bounded(leastList, room - details, table === null ? most : Infinity);
  const list = bounded(leastList, table ?? wanted.list, largestList);
  const reach = window - railWidth - details - leastSeen;
  const over = table === null ? 0 : Math.max(0, Math.min(table, reach) - list);
  return { list, over, details, largestList, largestDetails };
}

export const isNarrow = (window: number): boolean => window < 1_240;

/**
 * Whether the rail has room for its labels: with them each of up to 16 entries needs 50 px of height at the usual
 * text size, and the map has less width.
 *
 * @param text how many times its usual size text has
 */
export const hasRailLabels = (
  window: { readonly width: number; readonly height: number },
  text: number,
): boolean => window.width >= 1_400 && window.height >= 880 * text;
