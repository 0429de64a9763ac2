/**
 * Lines that names follow: a river's own turns too often from afar for letters to stand along it, and Natural Earth has
 * it in pieces.
 */

import { stepsOf, type Line, type Point } from './basemap-geometry.ts';

/** The distance of the points that a line is smoothed by, in pixels, and how many on both sides weigh in. */
const stepPx = 4;
const weighed = 7;
/** A shorter line carries no name; a long name needs so much; one name is written on so much; in pixels. */
const [leastPx, namePx, oneNamePx] = [112, 180, 480];

/**
 * The lines of one river joined where they meet, smoothed as they are seen at a zoom, and of each its straightest
 * stretches: whole lines would take the place in the archive that is left.
 * Lines that are too short for a name are left out.
 *
 * @param lines in degrees
 * @param zoom of MapLibre: the world is 512 pixels wide at 0
 */
export function nameLines(lines: readonly Line[], zoom: number): readonly Line[] {
  const pixels = 512 * 2 ** zoom;
  return joined(lines)
    .map((line) => spaced(line.map((point) => toPixels(point, pixels))))
    .filter((line) => line.length * stepPx >= leastPx)
    .flatMap((line) => straightest(smoothed(smoothed(line)).slice(weighed, -weighed)))
    .map((line) => line.map((point) => toDegrees(point, pixels)));
}

/** Of every part of a line that is as long as one name is written on, the stretch that a name bends least on. */
function straightest(line: Line): readonly Line[] {
  const count = Math.max(1, Math.round((line.length * stepPx) / oneNamePx));
  const partLength = Math.floor(line.length / count);
  const length = Math.min(partLength, namePx / stepPx);
  return Array.from({ length: count }, (_, part) => {
    const starts = Array.from({ length: partLength - length + 1 }, (_, at) => part * partLength + at);
    const reach = (from: number) => {
      const [a, b] = [line[from], line[from + length - 1]];
      if (a === undefined || b === undefined) return 0;
      return Math.hypot(b[0] - a[0], b[1] - a[1]);
    };
    const best = starts.reduce((one, other) => (reach(other) > reach(one) ? other : one));
    return line.slice(best, best + length);
  });
}

/** Where exactly two ends meet the lines are one; where more do, as at the mouth of a branch, they end. */
function joined(lines: readonly Line[]): readonly Line[] {
  const ends = new Map<string, number>();
  const keyOf = (point?: Point) => point?.join(' ') ?? '';
  for (const line of lines)
    for (const end of [line[0], line.at(-1)]) ends.set(keyOf(end), (ends.get(keyOf(end)) ?? 0) + 1);
  const open = new Map<string, Line>();
  const done: Line[] = [];
  for (const line of lines) {
    let whole = line;
    for (const isHead of [true, false]) {
      const end = keyOf(isHead ? whole[0] : whole.at(-1));
      const other = ends.get(end) === 2 ? open.get(end) : undefined;
      if (other === undefined) continue;
      const turned = keyOf(other.at(-1)) === end ? other : other.toReversed();
      whole = isHead ? [...turned, ...whole.slice(1)] : [...whole.slice(0, -1), ...turned.toReversed()];
      for (const [key, known] of open) if (known === other) open.delete(key);
      done.splice(done.indexOf(other), 1);
    }
    for (const end of [whole[0], whole.at(-1)]) open.set(keyOf(end), whole);
    done.push(whole);
  }
  return done;
}

function spaced(line: Line): Line {
  const points: Point[] = [...line.slice(0, 1)];
  let rest = stepPx;
  for (const [[fromX, fromY], [toX, toY]] of stepsOf(line)) {
    let [x, y] = [fromX, fromY];
    let left = Math.hypot(toX - x, toY - y);
    while (left >= rest) {
      x += ((toX - x) * rest) / left;
      y += ((toY - y) * rest) / left;
      left -= rest;
      rest = stepPx;
      points.push([x, y]);
    }
    rest -= left;
  }
  return points;
}

/** Each point in the middle of those around it, at an end of fewer. */
const smoothed = (line: Line): Line =>
  line.map((_, at): Point => {
    const reach = Math.min(weighed, at, line.length - 1 - at);
    const around = line.slice(at - reach, at + reach + 1);
    const meanOf = (axis: 0 | 1) => around.reduce((sum, point) => sum + point[axis], 0) / around.length;
    return [meanOf(0), meanOf(1)];
  });

const toPixels = ([lng, lat]: Point, pixels: number): Point => [
  (lng / 360 + 0.5) * pixels,
  (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * pixels,
];
const toDegrees = ([x, y]: Point, pixels: number): Point => [
  (x / pixels - 0.5) * 360,
  (Math.atan(Math.sinh((0.5 - y / pixels) * 2 * Math.PI)) * 180) / Math.PI,
];
