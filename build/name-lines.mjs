/**
 * Lines that names follow: a river's own turns too often from afar for letters to stand along it, and Natural Earth has
 * it in pieces.
 */

/** The distance of the points that a line is smoothed by, in pixels, and how many on both sides weigh in. */
const stepPx = 4;
const weighed = 7;
/** A shorter line carries no name; a long name needs so much; one name is written on so much; in pixels. */
const [leastPx, namePx, oneNamePx] = [112, 180, 480];

/**
 * The lines of one river joined where they meet, smoothed as they are seen at a zoom, and of each its straightest
 * stretches: whole lines would take the place in the archive that is left.
 *
 * @param {number[][][]} lines In degrees.
 * @param {number} zoom Of MapLibre: the world is 512 pixels wide at 0.
 * @returns {number[][][]} In degrees; lines that are too short for a name are left out.
 */
export function nameLines(lines, zoom) {
  const pixels = 512 * 2 ** zoom;
  return joined(lines)
    .map((line) => spaced(line.map((point) => toPixels(point, pixels))))
    .filter((line) => line.length * stepPx >= leastPx)
    .flatMap((line) => straightest(smoothed(smoothed(line)).slice(weighed, -weighed)))
    .map((line) => line.map((point) => toDegrees(point, pixels)));
}

/** Of every part of a line that is as long as one name is written on, the stretch that a name bends least on. */
function straightest(line) {
  const count = Math.max(1, Math.round((line.length * stepPx) / oneNamePx));
  const partLength = Math.floor(line.length / count);
  const length = Math.min(partLength, namePx / stepPx);
  return Array.from({ length: count }, (_, part) => {
    const starts = Array.from({ length: partLength - length + 1 }, (_, at) => part * partLength + at);
    const reach = (from) => {
      const [a, b] = [line[from], line[from + length - 1]];
      return Math.hypot(b[0] - a[0], b[1] - a[1]);
    };
    const best = starts.reduce((one, other) => (reach(other) > reach(one) ? other : one));
    return line.slice(best, best + length);
  });
}

/** Where exactly two ends meet the lines go on; where more do, as at the mouth of a branch, they end. */
function joined(lines) {
  const ends = new Map();
  const keyOf = (point) => point.join(' ');
  for (const line of lines)
    for (const end of [line[0], line.at(-1)]) ends.set(keyOf(end), (ends.get(keyOf(end)) ?? 0) + 1);
  const open = new Map();
  const done = [];
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

function spaced(line) {
  const points = [line[0]];
  let rest = stepPx;
  for (let at = 1; at < line.length; at += 1) {
    let [x, y] = line[at - 1];
    const [toX, toY] = line[at];
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
const smoothed = (line) =>
  line.map((_, at) => {
    const reach = Math.min(weighed, at, line.length - 1 - at);
    const around = line.slice(at - reach, at + reach + 1);
    return [0, 1].map((axis) => around.reduce((sum, point) => sum + point[axis], 0) / around.length);
  });

const toPixels = ([lng, lat], pixels) => [
  (lng / 360 + 0.5) * pixels,
  (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * pixels,
];
const toDegrees = ([x, y], pixels) => [
  (x / pixels - 0.5) * 360,
  (Math.atan(Math.sinh((0.5 - y / pixels) * 2 * Math.PI)) * 180) / Math.PI,
];
