/** Small rasters of SVG paths, so that shapes can be compared without a browser. */
type Point = readonly [number, number];

const box = 24;
/** Points along a quarter of an arc or less. */
const arcSteps = 24;

/** Centre parameterisation of an SVG arc (SVG 1.1, appendix F.6.5), for circles. */
function arc(from: Point, radius: number, large: boolean, sweep: boolean, to: Point): Point[] {
  const [dx, dy] = [(from[0] - to[0]) / 2, (from[1] - to[1]) / 2];
  const half = Math.hypot(dx, dy);
  if (half === 0) return [to];
  const r = Math.max(radius, half);
  const factor = ((large === sweep ? -1 : 1) * Math.sqrt(Math.max(0, r * r - half * half))) / half;
  const centre: Point = [(from[0] + to[0]) / 2 + factor * dy, (from[1] + to[1]) / 2 - factor * dx];
  const angle = ([x, y]: Point): number => Math.atan2(y - centre[1], x - centre[0]);
  const start = angle(from);
  let turn = angle(to) - start;
  if (sweep && turn < 0) turn += 2 * Math.PI;
  if (!sweep && turn > 0) turn -= 2 * Math.PI;
  return Array.from({ length: arcSteps }, (_, step) => {
    const at = start + (turn * (step + 1)) / arcSteps;
    return [centre[0] + r * Math.cos(at), centre[1] + r * Math.sin(at)] as const;
  });
}

/** The closed outlines of a path of M, L, H, V, A and Z, absolute or relative, with round arcs. */
function outlines(path: string): Point[][] {
  const made: Point[][] = [];
  let now: Point = [0, 0];
  for (const [, command = '', text = ''] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const numbers = (text.match(/-?(?:\d+\.\d+|\.\d+|\d+)/g) ?? []).map(Number);
    const relative = command === command.toLowerCase();
    const [ox, oy] = relative ? now : [0, 0];
    const take = (size: number): number[][] =>
      Array.from({ length: numbers.length / size }, (_, at) => numbers.slice(at * size, (at + 1) * size));
    const go = (to: Point): void => {
      made.at(-1)?.push(to);
      now = to;
    };
    switch (command.toUpperCase()) {
      case 'M':
        made.push([]);
        go([ox + (numbers[0] ?? 0), oy + (numbers[1] ?? 0)]);
        break;
      case 'L':
        for (const [x = 0, y = 0] of take(2)) go(relative ? [now[0] + x, now[1] + y] : [x, y]);
        break;
      case 'H':
        go([ox + (numbers[0] ?? 0), now[1]]);
        break;
      case 'V':
        go([now[0], oy + (numbers[0] ?? 0)]);
        break;
      case 'A':
        for (const [radius = 0, , , large, sweep, x = 0, y = 0] of take(7)) {
          const to: Point = relative ? [now[0] + x, now[1] + y] : [x, y];
          for (const point of arc(now, radius, large === 1, sweep === 1, to)) go(point);
        }
        break;
      case 'Z':
        now = made.at(-1)?.[0] ?? now;
        break;
      default:
        throw new Error(`No such command in this raster: ${command}`);
    }
  }
  return made;
}

/** How much of each pixel a path fills by the even-odd rule, drawn at so many pixels; 16 samples a pixel. */
export function coverage(path: string, size: number): number[] {
  const shapes = outlines(path);
  const samples = 4;
  const inside = (x: number, y: number): boolean => {
    let crossings = 0;
    for (const shape of shapes) {
      for (const [at, [ax, ay]] of shape.entries()) {
        const [bx, by] = shape[(at + 1) % shape.length] ?? [ax, ay];
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) crossings += 1;
      }
    }
    return crossings % 2 === 1;
  };
  return Array.from({ length: size * size }, (_, pixel) => {
    let hits = 0;
    for (let sample = 0; sample < samples * samples; sample += 1) {
      const x = (pixel % size) + ((sample % samples) + 0.5) / samples;
      const y = Math.floor(pixel / size) + (Math.floor(sample / samples) + 0.5) / samples;
      if (inside((x * box) / size, (y * box) / size)) hits += 1;
    }
    return hits / (samples * samples);
  });
}

/** Ink that only one of two rasters has, as a share of the ink that either has: 0 alike, 1 apart. */
export function difference(one: readonly number[], other: readonly number[]): number {
  let [apart, either] = [0, 0];
  for (const [at, ink] of one.entries()) {
    apart += Math.abs(ink - (other[at] ?? 0));
    either += Math.max(ink, other[at] ?? 0);
  }
  return either === 0 ? 0 : apart / either;
}
