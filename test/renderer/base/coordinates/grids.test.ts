import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graticule } from '../../../../src-renderer/base/coordinates/graticule.ts';
import { toGrid, toZone, zoneOf } from '../../../../src-renderer/base/coordinates/grid.ts';
import { formatMgrs } from '../../../../src-renderer/base/coordinates/mgrs.ts';
import { cellOf, mgrsGrid } from '../../../../src-renderer/base/coordinates/mgrsGrid.ts';
import type { GridView } from '../../../../src-renderer/map/gridOverlay.ts';

/** What a map of 1000 by 700 pixels shows around a place. */
function viewAround(longitude: number, latitude: number, metresPerPixel: number): GridView {
  const perDegree = 111_320 * Math.cos((latitude * Math.PI) / 180);
  const [wide, high] = [(500 * metresPerPixel) / perDegree, (350 * metresPerPixel) / 111_320];
  return {
    west: longitude - wide,
    east: longitude + wide,
    south: Math.max(-85, latitude - high),
    north: Math.min(85, latitude + high),
    metresPerPixel,
    pixelsPerDegree: perDegree / metresPerPixel,
    namesNorth: Math.min(85, latitude + high),
  };
}

const anyView = fc
  .record({
    longitude: fc.double({ min: -540, max: 540, noNaN: true }),
    latitude: fc.double({ min: -84.5, max: 84.5, noNaN: true }),
    zoom: fc.double({ min: 0, max: 16, noNaN: true }),
  })
  .map(({ longitude, latitude, zoom }) =>
    viewAround(longitude, latitude, (78_271 * Math.cos((latitude * Math.PI) / 180)) / 2 ** zoom),
  );

describe('the graticule', () => {
  it('names the lines of a view at its edges', () => {
    const { lines, labels } = graticule(viewAround(44.4, 33.3, 100), 'dms');
    expect(labels.map(({ text }) => text)).toEqual([
      '44°00′ E',
      '44°10′ E',
      '44°20′ E',
      '44°30′ E',
      '44°40′ E',
      '44°50′ E',
      '33°00′ N',
      '33°10′ N',
      '33°20′ N',
      '33°30′ N',
    ]);
    expect(lines).toHaveLength(labels.length);
    expect(labels.every(({ at, place }) => (place === 'top' ? at[1] > 33.6 : at[0] < 43.9))).toBe(true);
  });

  it('speaks decimal degrees to those who read them', () => {
    const texts = graticule(viewAround(44.4, 33.3, 100), 'dd').labels.map(({ text }) => text);
    expect(texts).toContain('44.2° E');
    expect(texts).toContain('33.2° N');
  });

  it('goes on over the antimeridian, whose line is on neither side', () => {
    const { labels, lines } = graticule(viewAround(180, 0, 5_000), 'dd');
    const texts = labels.map(({ text }) => text);
    expect(texts).toContain('180°');
    expect(texts).toContain('0°');
    expect(texts).toContain('170° E');
    expect(texts).toContain('170° W');
    expect(lines.filter(({ main }) => main)).toHaveLength(2);
  });

  it('keeps its lines readable apart at every zoom, and few', () => {
    fc.assert(
      fc.property(anyView, fc.constantFrom('dd', 'dm'), (view, format) => {
        const { lines } = graticule(view, format);
        const pixels = 1_000 / (view.east - view.west);
        const meridians = lines.flatMap(({ points: [from, to] }) => (from![0] === to![0] ? [from![0]] : []));
        meridians.slice(1).forEach((longitude, at) => {
          expect((longitude - meridians[at]!) * pixels).toBeGreaterThan(80);
        });
        expect(lines.length).toBeLessThan(60);
      }),
    );
  });
});

describe('the MGRS grid', () => {
  it('knows the cells around Norway and Svalbard', () => {
    // NGA.STND.0037, The Universal Grids.
    expect(cellOf(31, 'V')).toEqual({ west: 0, south: 56, east: 3, north: 64 });
    expect(cellOf(32, 'V')).toEqual({ west: 3, south: 56, east: 12, north: 64 });
    expect(cellOf(32, 'X')).toBeNull();
    expect(cellOf(33, 'X')).toEqual({ west: 9, south: 72, east: 21, north: 84 });
    expect(cellOf(37, 'X')).toEqual({ west: 33, south: 72, east: 42, north: 84 });
    expect(cellOf(38, 'X')).toEqual({ west: 42, south: 72, east: 48, north: 84 });
  });

  it('covers every place between 80° S and 84° N with the cell that its reference names', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -80, max: 83.999, noNaN: true }),
        fc.integer({ min: -180e6, max: 179_999_999 }),
        (latitude, micro) => {
          const longitude = micro / 1e6;
          const [, zone = '', band = ''] = /^(\d+)([A-Z])/.exec(formatMgrs({ latitude, longitude }, 0)) ?? [];
          const cell = cellOf(Number(zone), band)!;
          expect(longitude >= cell.west && longitude < cell.east).toBe(true);
          expect(latitude >= cell.south - 1e-9 && latitude <= cell.north).toBe(true);
        },
      ),
    );
  });

  it('draws zones on a small map, and squares that grow finer', () => {
    const texts = (metresPerPixel: number) =>
      mgrsGrid(viewAround(44.4, 33.3, metresPerPixel)).labels.map(({ text }) => text);
    expect(texts(20_000)).toContain('38S');
    expect(texts(1_000)).toContain('38S MB');
    expect(texts(100)).toContain('38S MB');
    expect(texts(100).filter((text) => /^\d$/.test(text)).length).toBeGreaterThan(8);
    expect(texts(10).filter((text) => /^\d\d$/.test(text)).length).toBeGreaterThan(12);
  });

  it('every line of squares lies on a multiple of the spacing, inside its zone', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -178, max: 178, noNaN: true }),
        fc.double({ min: -70, max: 70, noNaN: true }),
        fc.constantFrom(100, 1_000),
        (longitude, latitude, perPixel) => {
          const spacing = perPixel === 100 ? 10_000 : 100_000;
          for (const { points, main } of mgrsGrid(viewAround(longitude, latitude, perPixel)).lines) {
            if (points.length < 3 || (main && spacing === 100_000)) continue;
            const [lng, lat] = points[1]!;
            const inner = { longitude: lng, latitude: lat };
            const { easting, northing } = toZone(inner, zoneOf(inner));
            const off = (metres: number): number => Math.abs(metres - Math.round(metres / spacing) * spacing);
            expect(Math.min(off(easting), off(northing))).toBeLessThan(0.01);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('every name of a square stands in it', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        for (const {
          at: [longitude, latitude],
          text,
        } of mgrsGrid(view).labels) {
          if (!text.includes(' ')) continue;
          const place = { latitude, longitude: ((((longitude + 180) % 360) + 360) % 360) - 180 };
          expect(formatMgrs(place, 0)).toBe(text);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('stays few at every zoom, also with the world shown twice', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const { lines, labels } = mgrsGrid(view);
        expect(lines.length).toBeLessThan(6_000);
        expect(labels.length).toBeLessThan(3_000);
        const isInside = ([longitude, latitude]: readonly [number, number]): boolean =>
          longitude > view.west - 1e-6 && longitude < view.east + 1e-6 && Math.abs(latitude) <= 85;
        // One expectation: of hundred thousands of points, each its own took a second.
        expect(lines.flatMap(({ points }) => points.filter((point) => !isInside(point)))).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  it('goes on beyond 180 degrees, in the zones of the other side', () => {
    const { labels } = mgrsGrid(viewAround(190, 12, 1_000));
    const beyond = labels.filter(({ at }) => at[0] > 180);
    expect(beyond.some(({ text }) => text.startsWith('2P '))).toBe(true);
    expect(beyond.every(({ text }) => /^[12][A-Z]/.test(text) || text.startsWith('3'))).toBe(true);
  });

  it('goes on beyond 84° N and 80° S in the squares of the polar grid', () => {
    const texts = (longitude: number, latitude: number, metresPerPixel: number) =>
      mgrsGrid(viewAround(longitude, latitude, metresPerPixel)).labels.map(({ text }) => text);
    expect(texts(20, -83, 20_000)).toEqual(expect.arrayContaining(['A', 'B']));
    expect(texts(-100, 84.5, 3_000)).toContain('Y');
    // GeoConvert(1): 81° S 10° E is B 2173854.98 2985980.58.
    expect(texts(10, -81, 1_000)).toContain('B BX');
    // NGA.STND.0037: 84° N at 0° is Z AA 00000 33272, at 90° W Y RH 33272 00000.
    expect(texts(0.5, 84.1, 500)).toContain('Z AA');
    expect(texts(-90, 84.1, 500)).toContain('Y RH');
  });

  it('names the lines of the polar grid by their figures where they cross an edge', () => {
    const view = viewAround(10, -81, 100);
    const { labels } = mgrsGrid(view);
    const gridAt = ([longitude, latitude]: readonly [number, number]) => toGrid({ longitude, latitude });
    const figures = labels.filter(({ text }) => /^\d$/.test(text));
    const top = figures.filter(({ place }) => place === 'top');
    const left = figures.filter(({ place }) => place === 'left');
    expect(top.map(({ text }) => text)).toContain('7');
    expect(left.map(({ text }) => text)).toContain('8');
    for (const { at, text } of top) {
      expect(gridAt(at).easting / 10_000).toBeCloseTo(Math.round(gridAt(at).easting / 10_000), 2);
      expect(String(Math.round(gridAt(at).easting / 10_000) % 10)).toBe(text);
    }
    for (const { at, text } of left) {
      expect(gridAt(at).northing / 10_000).toBeCloseTo(Math.round(gridAt(at).northing / 10_000), 2);
      expect(String(Math.round(gridAt(at).northing / 10_000) % 10)).toBe(text);
    }
  });

  it('draws the lines of the polar grid on multiples of its spacing, all around both poles', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -400, max: 400, noNaN: true }),
        fc.constantFrom(-84.5, -82, -80.4, 84.3, 84.9),
        fc.constantFrom(100, 1_000),
        (longitude, latitude, perPixel) => {
          const spacing = perPixel === 100 ? 10_000 : 100_000;
          const view = viewAround(longitude, latitude, perPixel);
          const lines = mgrsGrid(view).lines.filter(({ points }) => {
            const [, at = 0] = points[Math.floor(points.length / 2)] ?? [];
            return points.length > 3 && (at > 84 || at < -80);
          });
          expect(lines.length).toBeGreaterThan(1);
          for (const { points } of lines) {
            // The ends are cut where the view ends, and lie on the line only as far as a piece is straight.
            for (const [lng, lat] of points.slice(1, -1)) {
              const { easting, northing } = toGrid({ longitude: lng, latitude: lat });
              const off = (metres: number): number =>
                Math.abs(metres - Math.round(metres / spacing) * spacing);
              expect(Math.min(off(easting), off(northing))).toBeLessThan(0.01);
            }
            for (const [at, [lng]] of points.slice(1).entries()) {
              expect(Math.abs(lng - points[at]![0])).toBeLessThan(60);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('draws a line of the polar grid on both sides of the pole', () => {
    const around = { west: 0, east: 180, south: -83, north: -80 };
    const scale = { metresPerPixel: 1_000, pixelsPerDegree: 20, namesNorth: -80 };
    const { lines } = mgrsGrid({ ...around, ...scale });
    // 300 km east of the pole: from 80° S to 83° S towards Greenwich, and again towards the antimeridian.
    const northings = lines.flatMap(({ points }) => {
      const [longitude, latitude] = points[Math.floor(points.length / 2)]!;
      const { easting, northing } = toGrid({ longitude, latitude });
      return latitude < -80 && Math.abs(easting - 2_300_000) < 1 ? [Math.sign(northing - 2_000_000)] : [];
    });
    expect(northings.toSorted()).toEqual([-1, 1]);
  });

  it('covers every place of the poles that a map reaches with the square that its reference names', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -179.9, max: 179.9, noNaN: true }),
        fc.oneof(
          fc.double({ min: -84.8, max: -80.01, noNaN: true }),
          fc.double({ min: 84.01, max: 84.8, noNaN: true }),
        ),
        (longitude, latitude) => {
          const square = formatMgrs({ longitude, latitude }, 0);
          const view = { ...viewAround(longitude, latitude, 1_000), south: latitude - 0.001 };
          const around = { ...view, north: latitude + 0.001, west: longitude - 0.01, east: longitude + 0.01 };
          expect(mgrsGrid(around).labels.map(({ text }) => text)).toContain(square);
        },
      ),
    );
  });

  it('the equator belongs to the north', () => {
    expect(toGrid({ latitude: 0, longitude: 3 })).toMatchObject({ north: true, northing: 0 });
  });
});
