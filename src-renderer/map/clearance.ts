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

/**
 * How far a mark at `at` has to move, right and down in CSS pixels, to lie with `room` around it within a frame and
 * beside each of its covers: out of a cover by the shortest way that stays within the frame.
 */
export function clearOffset(
  at: { readonly x: number; readonly y: number },
  { width, height }: { readonly width: number; readonly height: number },
  covers: readonly Box[],
  room: number,
): readonly [right: number, down: number] {
  const within = (value: number, size: number): number => Math.max(room, Math.min(size - room, value));
  let [x, y] = [within(at.x, width), within(at.y, height)];
  for (const cover of covers) {
    const isUnder =
      x > cover.left - room && x < cover.right + room && y > cover.top - room && y < cover.bottom + room;
    if (!isUnder) continue;
    const ways = [
      [cover.left - room, y],
      [cover.right + room, y],
      [x, cover.top - room],
      [x, cover.bottom + room],
    ] as const;
    const found = ways
      .filter(([left, top]) => within(left, width) === left && within(top, height) === top)
      .toSorted((a, b) => Math.hypot(a[0] - x, a[1] - y) - Math.hypot(b[0] - x, b[1] - y))[0];
    if (found !== undefined) [x, y] = found;
  }
  return [x - at.x, y - at.y];
}
