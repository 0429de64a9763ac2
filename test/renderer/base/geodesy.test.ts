import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Position } from '../../../src-preload/contract/index.ts';
import {
  distancesFrom,
  geodesicPath,
  inverse,
  lineLength,
  polygonArea,
} from '../../../src-renderer/base/geodesy.ts';
import { areaText, bearingText, heightText, lengthText } from '../../../src-renderer/base/units.ts';

const at = (latitude: number, longitude: number): Position => ({ latitude, longitude });

/**
 * Karney's test set for geodesics, as GeographicLib's own tests have it (geodesictest.js `testcases`, after
 * doi:10.5281/zenodo.32156): latitude, longitude, azimuth at the first point; the second point; metres.
 */
const published: readonly (readonly [number, number, number, number, number, number])[] = [
  [35.60777, -139.44815, 111.098748429560326, -11.17491, -69.95921, 8935244.5604818305],
  [55.52454, 106.05087, 22.020059880982801, 77.03196, 197.18234, 4105086.1713924406],
  [-21.97856, 142.59065, -32.44456876433189, 41.84138, 98.56635, 8394328.894657671],
  [-66.99028, 112.2363, 173.73491240878403, -12.70631, 285.90344, 11150344.2312080241],
  [-17.42761, 173.34268, -159.033557661192928, -15.84784, 5.93557, 16076603.1631180673],
  [-10.62672, -32.0898, -86.426713286747751, 5.883, -134.31681, 11470869.3864563009],
  [-19.79938, -174.47484, 71.167275780171533, -11.99349, -154.35109, 2319004.8601169389],
];

describe('range and bearing', () => {
  it.each(published)(
    'from %d %d on %d to %d %d',
    (latitude, longitude, azimuth, toLatitude, toLongitude, metres) => {
      const course = inverse(at(latitude, longitude), at(toLatitude, toLongitude));
      expect(course.metres).toBeCloseTo(metres, 6);
      expect(course.bearing).toBeCloseTo((azimuth + 360) % 360, 9);
    },
  );

  it('over the pole and the antimeridian', () => {
    // GeographicLib's tests: GeodSolve0 and, across 180 degrees, a degree of the equator.
    const { metres } = inverse(at(40.6, -73.8), at(49.016_666_67, 2.55));
    expect(metres).toBeCloseTo(5_853_226, 0);
    expect(inverse(at(0, 179.5), at(0, -179.5)).metres).toBeCloseTo(111_319.490_793, 5);
    expect(inverse(at(89, 0), at(89, 180)).bearing).toBeCloseTo(0, 9);
  });

  it('one is the other’s way back, and nowhere is no way at all', () => {
    const place = fc.record({
      latitude: fc.double({ min: -89, max: 89, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(place, place, (a, b) => {
        expect(inverse(a, b).metres).toBeCloseTo(inverse(b, a).metres, 4);
        expect(inverse(a, a).metres).toBe(0);
        const { bearing } = inverse(a, b);
        expect(bearing >= 0 && bearing < 360).toBe(true);
      }),
    );
  });
});

describe('lines and areas', () => {
  it('Planimeter0 and 5 of GeographicLib’s tests: rings around the pole', () => {
    const north = [at(89, 0), at(89, 90), at(89, 180), at(89, 270)];
    expect(lineLength([...north, north[0]!])).toBeCloseTo(631_819.8745, 4);
    expect(polygonArea(north)).toBeCloseTo(24_952_305_678.0, 0);
    const half = polygonArea([at(89, 0.1), at(89, 90.1), at(89, -179.9)]);
    expect(Math.abs(half - 12_476_152_838.5)).toBeLessThan(1);
  });

  it('do not care about the direction in which they are drawn, nor about 180 degrees', () => {
    const ring = [at(0, 179), at(0, -179), at(1, -179), at(1, 179)];
    expect(polygonArea(ring)).toBeCloseTo(polygonArea(ring.toReversed()), 3);
    expect(polygonArea(ring)).toBeCloseTo(
      polygonArea(ring.map(({ latitude, longitude }) => at(latitude, longitude - 100))),
      0,
    );
    expect(polygonArea(ring.slice(0, 2))).toBe(0);
    expect(lineLength(ring.slice(0, 1))).toBe(0);
  });

  it('a path keeps to the geodesic', () => {
    const [from, to] = [at(50, -120), at(50, 30)];
    const path = geodesicPath(from, to, 500_000);
    expect(lineLength(path)).toBeCloseTo(inverse(from, to).metres, 3);
    expect(Math.max(...path.map(({ latitude }) => latitude))).toBeGreaterThan(75);
    expect(path.at(-1)!.latitude).toBeCloseTo(50, 9);
  });
});

describe('distances of a whole table', () => {
  it('are within 2 millionths of the geodesic up to 10,000 km, and 34 km beyond', () => {
    const latitude = fc.double({ min: -90, max: 90, noNaN: true });
    const longitude = fc.double({ min: -180, max: 180, noNaN: true });
    fc.assert(
      fc.property(latitude, longitude, latitude, longitude, (lat, lng, toLat, toLng) => {
        const exact = inverse(at(lat, lng), at(toLat, toLng)).metres;
        const [cheap = NaN] = distancesFrom(at(lat, lng), Float64Array.of(toLat), Float64Array.of(toLng));
        expect(Math.abs(cheap - exact)).toBeLessThan(exact < 1e7 ? 0.001 + exact * 2e-6 : 34_000);
      }),
      { numRuns: 3_000 },
    );
  });

  it('have no place for what has none, and nothing for the place itself', () => {
    const distances = distancesFrom(at(10, 20), Float64Array.of(NaN, 10, 10), Float64Array.of(0, 20, 380));
    expect([...distances]).toEqual([Infinity, 0, expect.closeTo(0, 3)]);
  });
});

describe('texts', () => {
  it.each([
    [0, 'metric', '0 m'],
    [999, 'metric', '999 m'],
    [1_000, 'metric', '1 km'],
    [2_345, 'metric', '2.35 km'],
    [23_456, 'metric', '23.5 km'],
    [1_204_400, 'metric', '1,204 km'],
    [300, 'imperial', '984 ft'],
    [23_456, 'imperial', '14.6 mi'],
    [100, 'nautical', '100 m'],
    [926, 'nautical', '0.5 NM'],
    [370_400, 'nautical', '200 NM'],
  ] as const)('%d m, %s: %s', (metres, units, text) => {
    expect(lengthText(metres, units)).toBe(text);
  });

  it('areas, heights and bearings', () => {
    expect(areaText(5_000, 'metric')).toBe('5,000 m²');
    expect(areaText(2.5e6, 'metric')).toBe('2.5 km²');
    expect(areaText(4_046.856_422_4 * 12, 'imperial')).toBe('12 acres');
    expect(areaText(2.589988110336e6 * 3, 'imperial')).toBe('3 mi²');
    expect(areaText(1_852 ** 2 * 2, 'nautical')).toBe('2 NM²');
    expect(heightText(1_204, 'nautical')).toBe('1,204 m');
    expect(heightText(1_204, 'imperial')).toBe('3,950 ft');
    expect(bearingText(7.4)).toBe('007°');
    expect(bearingText(359.7)).toBe('000°');
  });
});
