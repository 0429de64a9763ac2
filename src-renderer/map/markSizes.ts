/** Of the glyph of one incident, in CSS pixels. */
export const singlePx = 17;

/** Of a cluster, in CSS pixels: its glyph and the figures on it. */
export interface ClusterSize {
  readonly glyph: number;
  readonly text: number;
}

const smallest: ClusterSize = { glyph: 21, text: 11 };
/** For counts of one, two, three, and four or more figures. */
const clusterSizes: readonly ClusterSize[] = [
  smallest,
  { glyph: 24, text: 11.5 },
  { glyph: 29, text: 12 },
  { glyph: 34, text: 12.5 },
];
/** The ring lies round the widest glyph, in shares of a glyph's size. */
const ringShare = 0.64;
/** Half of the widest stroke of a ring, with the edge around it. */
const ringEdge = 4;
/** The edge around a glyph. */
const glyphEdge = 2;

/** The size of a cluster whose count has so many figures. */
export const clusterSize = (figures: number): ClusterSize =>
  clusterSizes[Math.min(figures, clusterSizes.length) - 1] ?? smallest;

/** The radius of a cluster's ring, in CSS pixels. */
export const ringRadius = ({ glyph }: ClusterSize): number => glyph * ringShare + 3;

/** How far from its place the mark of so many incidents is drawn at most, in CSS pixels; `over`: none of them is open. */
export function markReach(count: number, over: boolean): number {
  if (count === 1) return singlePx / 2 + glyphEdge;
  const size = clusterSize(String(count).length);
  return over ? size.glyph * ringShare + glyphEdge : ringRadius(size) + ringEdge;
}
