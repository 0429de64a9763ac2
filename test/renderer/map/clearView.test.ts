import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clearView, type ClearFrame, type ClearView } from '../../../src-renderer/map/clearView.ts';
import type { Box } from '../../../src-renderer/map/clearance.ts';
import { ClusterIndex, type LevelMarks } from '../../../src-renderer/map/clusters/index.ts';
import { mercatorY } from '../../../src-renderer/map/clusters/points.ts';
import { markReach } from '../../../src-renderer/map/markSizes.ts';
import { centreLimits, fillingZoom } from '../../../src-renderer/map/oneWorld.ts';

type Place = readonly [longitude: number, latitude: number];

/** The marks of incidents at these places, each of them over. */
function marksOf(places: readonly Place[]): (level: number) => LevelMarks {
  const index = new ClusterIndex({
    length: places.length,
    key: Uint32Array.from(places, (_, at) => at + 1),
    longitude: Float64Array.from(places, ([longitude]) => longitude),
    latitude: Float64Array.from(places, ([, latitude]) => latitude),
    rank: new Uint8Array(places.length).fill(1),
    gone: new Uint8Array(places.length),
    open: new Uint8Array(places.length),
  });
  return (level) => index.marks(level);
}

/** The controls of a map: chips and the search above, tools at the right, legend, scale and attribution below. */
const controls = (width: number, height: number): readonly Box[] => [
  { left: 12, top: 12, right: 145, bottom: 38 },
  { left: width - 244, top: 12, right: width - 12, bottom: 44 },
  { left: width - 46, top: height - 238, right: width - 12, bottom: height - 172 },
  { left: width - 46, top: height - 162, right: width - 12, bottom: height - 64 },
  { left: 12, top: height - 40, right: Math.min(360, width - 12), bottom: height - 12 },
  { left: width - 128, top: height - 50, right: width - 8, bottom: height - 6 },
];

const frameOf = (width: number, height: number): ClearFrame => ({
  width,
  height,
  covers: controls(width, height),
  leastZoom: fillingZoom(width),
  mostZoom: 9,
});

/** How many incidents a view shows no whole mark of, and whether it shows any part of a mark twice. */
function seen(
  { width, height, covers }: ClearFrame,
  marksAt: (level: number) => LevelMarks,
  view: ClearView,
): { readonly hidden: number; readonly cut: number } {
  const turn = 512 * 2 ** view.zoom;
  const { x, y, count } = marksAt(Math.max(0, Math.floor(view.zoom)));
  let hidden = 0;
  let cut = 0;
  x.forEach((place, mark) => {
    const number = count[mark] ?? 0;
    const half = markReach(number, true);
    const middle = height / 2 + ((y[mark] ?? 0) - view.y) * turn;
    const boxes = [-2, -1, 0, 1, 2].map((turns): Box => {
      const at = width / 2 + (place + turns - view.x) * turn;
      return { left: at - half, top: middle - half, right: at + half, bottom: middle + half };
    });
    const slack = 1e-6;
    const isWhole = ({ left, top, right, bottom }: Box): boolean =>
      left >= -slack && right <= width + slack && top >= -slack && bottom <= height + slack;
    const isCovered = ({ left, top, right, bottom }: Box): boolean =>
      covers.some(
        (one) =>
          left < one.right - slack &&
          right > one.left + slack &&
          top < one.bottom - slack &&
          bottom > one.top + slack,
      );
    if (!boxes.some((box) => isWhole(box) && !isCovered(box))) hidden += number;
    const inView = boxes.filter(
      ({ left, right, top, bottom }) =>
        left < width - slack && right > slack && top < height - slack && bottom > slack,
    );
    if (inView.length > 1) cut += 1;
  });
  return { hidden, cut };
}

/** Map panes of windows from 1024x768 to 2560x1440, with the list, without it, and beside open details. */
const sizes = fc.constantFrom<readonly [number, number]>(
  [568, 738],
  [968, 738],
  [824, 690],
  [464, 690],
  [984, 870],
  [624, 870],
  [1464, 1050],
  [2104, 1410],
  [2504, 1410],
);
const placesWithin = (width: number, latitude: number): fc.Arbitrary<readonly Place[]> =>
  fc
    .tuple(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.array(
        fc.tuple(
          fc.double({ min: 0, max: width, noNaN: true }),
          fc.double({ min: -latitude, max: latitude, noNaN: true }),
        ),
        { minLength: 1, maxLength: 60 },
      ),
    )
    .map(([west, places]) =>
      places.map(([east, north]): Place => [((west + east + 540) % 360) - 180, north]),
    );

test('incidents of a part of the world, at the antimeridian too, are all seen, whole and beside all controls', () => {
  fc.assert(
    fc.property(sizes, placesWithin(150, 60), ([width, height], places) => {
      const frame = frameOf(width, height);
      const marksAt = marksOf(places);
      const view = clearView(frame, marksAt);
      expect(view?.hidden).toBe(0);
      if (view !== null) expect(seen(frame, marksAt, view)).toEqual({ hidden: 0, cut: 0 });
    }),
    { numRuns: 60 },
  );
});

test('wherever incidents are, the view keeps to what the map can show, and says how many it hides', () => {
  fc.assert(
    fc.property(sizes, placesWithin(360, 90), ([width, height], places) => {
      const frame = frameOf(width, height);
      const marksAt = marksOf(places);
      const view = clearView(frame, marksAt);
      if (view === null) throw new Error('There are marks');
      const turn = 512 * 2 ** view.zoom;
      const [first, last] = centreLimits(turn, height);
      expect(view.zoom).toBeGreaterThanOrEqual(frame.leastZoom);
      expect(view.y * turn).toBeGreaterThanOrEqual(first - 1e-6);
      expect(view.y * turn).toBeLessThanOrEqual(last + 1e-6);
      expect(seen(frame, marksAt, view).hidden).toBe(view.hidden);
    }),
    { numRuns: 40 },
  );
});

test('incidents all around the world are seen around the controls, from the widest stretch without any', () => {
  // As those of the training service at 1280x720: 32 degrees without any, a mark beside the tools, one near a chip.
  const places: Place[] = [
    [-32, 42],
    [-23, -63],
    [-4, 84],
    [35, -10],
    [-71, 33],
    [-74, 16],
    [-76, -28],
    [-142, -62],
    [180, 0],
    [120, 10],
    [90, 40],
  ];
  const frame = frameOf(824, 690);
  const marksAt = marksOf(places);
  const view = clearView(frame, marksAt);
  expect(view?.hidden).toBe(0);
  expect(view?.zoom).toBeLessThan(fillingZoom(824) + 0.25);
  if (view !== null) expect(seen(frame, marksAt, view)).toEqual({ hidden: 0, cut: 0 });
});

test('a mark is clear of the edge by which the list beside a narrow map is made wider', () => {
  // As those of the training week at 1024x768, where the nearest look had a mark 1 px from the map's edge.
  /** Longitude, latitude, how many, and 1 where none is open. */
  const clusters: [number, number, number, number][] = [
    [-118, 37.3, 1154, 0],
    [-149.3, 61, 314, 0],
    [-69.6, 16.2, 75, 1],
    [-155.6, 19.1, 47, 0],
    [121.9, 22.8, 31, 1],
    [175.2, -19.5, 16, 1],
    [125.1, -5.3, 14, 1],
    [-71.2, -28.8, 12, 1],
    [-66.4, 46, 6, 1],
    [69.1, 37.2, 10, 1],
    [-6.7, 82.9, 5, 1],
    [-176.8, 51.4, 8, 1],
    [-35.2, 53.3, 3, 1],
    [-175.6, -65.8, 2, 1],
    [17.7, 45.4, 3, 1],
    [-26, -57.6, 2, 1],
    [-140.9, -56.9, 1, 1],
    [5.6, 73, 1, 1],
    [85.1, -41.7, 1, 1],
    [-13.7, -29.5, 1, 1],
    [26.7, -8.4, 1, 1],
  ];
  const marksAt = (level: number): LevelMarks => ({
    zoom: level,
    x: Float64Array.from(clusters, ([longitude]) => longitude / 360 + 0.5),
    y: Float64Array.from(clusters, ([, latitude]) => mercatorY(latitude)),
    count: Uint32Array.from(clusters, ([, , count]) => count),
    over: Uint8Array.from(clusters, ([, , , over]) => over),
  });
  const covers: Box[] = [
    { left: 12, top: 12, right: 145, bottom: 38 },
    { left: 324, top: 12, right: 556, bottom: 44 },
    { left: 522, top: 500, right: 556, bottom: 566 },
    { left: 522, top: 576, right: 556, bottom: 674 },
    { left: 12, top: 698, right: 360, bottom: 726 },
    { left: 473, top: 689, right: 558, bottom: 706 },
    { left: 481, top: 716, right: 560, bottom: 732 },
  ];
  const frame = { ...frameOf(568, 738), covers, mostZoom: 0.2687 };
  const view = clearView(frame, marksAt);
  expect(view?.hidden).toBe(0);
  const handle = { left: 0, top: 0, right: 4, bottom: 738 };
  if (view !== null)
    expect(seen({ ...frame, covers: [...covers, handle] }, marksAt, view)).toEqual({
      hidden: 0,
      cut: 0,
    });
});

test('no marks, no view', () => {
  expect(clearView(frameOf(824, 690), marksOf([]))).toBeNull();
  expect(clearView(frameOf(824, 690), () => undefined)).toBeNull();
});
