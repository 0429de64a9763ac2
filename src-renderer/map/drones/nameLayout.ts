/** A name that is to stand somewhere on the map; CSS pixels. */
export interface NameBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** It stood there in the frame before. */
  readonly stood: boolean;
}

/** Side of the squares that boxes are looked up by, CSS pixels. */
const squarePx = 64;
/** A name comes only where there is more room than it needs to stay: else two that fly side by side would flicker. */
const roomPx = 4;

/**
 * Which names stand: of each place the first of them, in their order. `takes` is asked before a name gets its place.
 */
export function layOutNames(boxes: readonly NameBox[], takes: (index: number) => boolean): readonly number[] {
  const squares = new Map<number, NameBox[]>();
  const standing: number[] = [];
  for (const [index, box] of boxes.entries()) {
    const room = box.stood ? 0 : roomPx;
    const keys = squaresOf(box, room);
    const isFree = keys.every((key) => squares.get(key)?.every((other) => isApart(box, other, room)) ?? true);
    if (!isFree || !takes(index)) continue;
    standing.push(index);
    for (const key of keys) {
      const others = squares.get(key);
      if (others === undefined) squares.set(key, [box]);
      else others.push(box);
    }
  }
  return standing;
}

function squaresOf({ left, top, width, height }: NameBox, room: number): number[] {
  const keys: number[] = [];
  for (let y = Math.floor((top - room) / squarePx); y * squarePx < top + height + room; y += 1)
    for (let x = Math.floor((left - room) / squarePx); x * squarePx < left + width + room; x += 1)
      keys.push(y * 4_096 + x);
  return keys;
}

const isApart = (a: NameBox, b: NameBox, room: number): boolean =>
  a.left + a.width + room <= b.left ||
  b.left + b.width + room <= a.left ||
  a.top + a.height + room <= b.top ||
  b.top + b.height + room <= a.top;
