/** A rectangle on the screen, in CSS pixels. */
export type Box = Pick<DOMRectReadOnly, 'left' | 'top' | 'right' | 'bottom'>;

export interface Clearance {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

type Side = keyof Clearance;

/**
 * How far from each edge of a frame its free part begins, with `room` for a mark: every way in which each cover is
 * cleared from the nearer of its edges at the sides, or from the nearer of those above and below. The one that clears
 * each from the edge that it reaches least far from is the first. Only where half of the width and height are left.
 */
export function clearancesOf(frame: Box, covers: readonly Box[], room: number): readonly Clearance[] {
  const ways = covers
    .filter((cover) => cover.right > cover.left && cover.bottom > cover.top)
    .map((cover) => {
      const reach = {
        left: cover.right - frame.left,
        top: cover.bottom - frame.top,
        right: frame.right - cover.left,
        bottom: frame.bottom - cover.top,
      };
      const nearer = (a: Side, b: Side): Side => (reach[a] <= reach[b] ? a : b);
      const sides = [nearer('top', 'bottom'), nearer('left', 'right')] as const;
      return sides.toSorted((a, b) => reach[a] - reach[b]).map((side) => ({ side, reach: reach[side] }));
    });
  let depths: Clearance[] = [{ left: 0, top: 0, right: 0, bottom: 0 }];
  for (const way of ways) {
    const found = depths.flatMap((depth) =>
      way.map(({ side, reach }) => ({ ...depth, [side]: Math.max(depth[side], reach) })),
    );
    // Many covers have few ways that differ.
    depths = [...new Map(found.map((depth) => [JSON.stringify(depth), depth])).values()];
  }
  return depths
    .map(({ left, top, right, bottom }) => ({
      left: left + room,
      top: top + room,
      right: right + room,
      bottom: bottom + room,
    }))
    .filter(
      ({ left, top, right, bottom }) =>
        left + right <= (frame.right - frame.left) / 2 && top + bottom <= (frame.bottom - frame.top) / 2,
    );
}
