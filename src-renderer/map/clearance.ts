/** A rectangle on the screen, in CSS pixels. */
export type Box = Pick<DOMRectReadOnly, 'left' | 'top' | 'right' | 'bottom'>;

export interface Clearance {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * How far from each edge of a frame its free part begins, with `room` for a mark. Each cover is cleared from the
 * edge that it reaches least far from. Null where less than half of the width or height would be left.
 */
export function clearanceOf(frame: Box, covers: readonly Box[], room: number): Clearance | null {
  const depth = { left: 0, top: 0, right: 0, bottom: 0 };
  for (const cover of covers) {
    if (cover.right <= cover.left || cover.bottom <= cover.top) continue;
    const reach = {
      left: cover.right - frame.left,
      top: cover.bottom - frame.top,
      right: frame.right - cover.left,
      bottom: frame.bottom - cover.top,
    };
    const side = (['top', 'bottom', 'left', 'right'] as const).reduce((best, one) =>
      reach[one] < reach[best] ? one : best,
    );
    depth[side] = Math.max(depth[side], reach[side]);
  }
  const left = depth.left + room;
  const top = depth.top + room;
  const right = depth.right + room;
  const bottom = depth.bottom + room;
  const isRoomy =
    left + right <= (frame.right - frame.left) / 2 && top + bottom <= (frame.bottom - frame.top) / 2;
  return isRoomy ? { left, top, right, bottom } : null;
}
