import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { expect, test } from 'vitest';
import { countSample, countTextOf } from '../../../src-renderer/map/clusters/countText.ts';
import { markIcon, readMarkIcon } from '../../../src-renderer/map/clusters/icon.ts';
import { ClusterIndex, deepestZoom, markLayer } from '../../../src-renderer/map/clusters/index.ts';
import type { PointColumns } from '../../../src-renderer/map/clusters/points.ts';
import { casesOf } from '../../support/campaign.ts';

interface Place {
  readonly longitude: number;
  readonly latitude: number;
  readonly rank: number;
  /** 1 for one that the service no longer returns; returned when left out. */
  readonly gone?: number;
  /** 0 for one that is over; open when left out. */
  readonly open?: number;
}

const columnsOf = (places: readonly Place[]): PointColumns => ({
  length: places.length,
  key: Uint32Array.from(places, (_, at) => at + 1),
  longitude: Float64Array.from(places, ({ longitude }) => longitude),
  latitude: Float64Array.from(places, ({ latitude }) => latitude),
  rank: Uint8Array.from(places, ({ rank }) => rank),
  gone: Uint8Array.from(places, ({ gone = 0 }) => gone),
  open: Uint8Array.from(places, ({ open = 1 }) => open),
});

const said = countTextOf('en');

interface Mark {
  readonly count: number;
  readonly rank: number;
  readonly over: number;
  readonly key: number;
  readonly icon: string;
  readonly zoom: number;
  readonly faded: number;
  readonly longitude: number;
  readonly latitude: number;
}

function marksOf(index: ClusterIndex, zoom: number, x: number, y: number, counted = said): Mark[] {
  const bytes = index.tile(zoom, x, y, counted);
  const layer = new VectorTile(new PbfReader(bytes)).layers[markLayer];
  return Array.from({ length: layer?.length ?? 0 }, (_, at) => {
    const json = layer?.feature(at).toGeoJSON(x, y, zoom);
    if (json?.geometry.type !== 'Point') throw new Error('not a point');
    const [longitude = NaN, latitude = NaN] = json.geometry.coordinates;
    return { ...(json.properties as Omit<Mark, 'longitude' | 'latitude'>), longitude, latitude };
  });
}

/** All marks of a level, asked for tile by tile as the map does. */
function marksAt(index: ClusterIndex, places: readonly Place[], zoom: number): Mark[] {
  const tiles = 2 ** zoom;
  const wanted = new Set<string>();
  for (const { longitude, latitude } of places) {
    const sine = Math.sin((latitude * Math.PI) / 180);
    const x = Math.floor((((longitude / 360 + 0.5) % 1) + 1) * tiles) % tiles;
    const y = Math.min(
      tiles - 1,
      Math.max(0, Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / Math.PI / 4) * tiles)),
    );
    // A cluster may lie in a tile beside that of any of its incidents.
    for (const dx of [-1, 0, 1])
      for (const dy of [-1, 0, 1]) wanted.add(`${(x + dx + tiles) % tiles}/${y + dy}`);
  }
  return [...wanted].flatMap((name) => {
    const [x = 0, y = 0] = name.split('/').map(Number);
    return marksOf(index, zoom, x, y);
  });
}

const place = fc.record({
  longitude: fc.oneof(
    fc.constantFrom(-180, 180, 179.999, 12.5),
    fc.double({ min: -180, max: 180, noNaN: true }),
  ),
  latitude: fc.oneof(fc.constantFrom(-90, 90, 0, 47.25), fc.double({ min: -90, max: 90, noNaN: true })),
  rank: fc.integer({ min: 0, max: 4 }),
});

test('at every zoom each incident is in exactly one mark, and its worst severity is kept', () => {
  fc.assert(
    fc.property(
      fc.array(place, { maxLength: 80 }),
      fc.integer({ min: 0, max: deepestZoom }),
      (places, zoom) => {
        const index = new ClusterIndex(columnsOf(places));
        const marks = marksAt(index, places, zoom);
        expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(places.length);
        expect(Math.max(-1, ...marks.map(({ rank }) => rank))).toBe(
          Math.max(-1, ...places.map(({ rank }) => rank)),
        );
        const singles = marks.filter(({ count }) => count === 1);
        expect(new Set(singles.map(({ key }) => key)).size).toBe(singles.length);
        for (const { key, rank } of singles) expect(places[key - 1]?.rank).toBe(rank);
        for (const mark of marks) {
          expect(readMarkIcon(mark.icon)).toMatchObject({ rank: mark.rank, over: mark.over === 1 });
          expect(mark.zoom).toBe(zoom);
        }
      },
    ),
    { numRuns: casesOf({ part: 50, whole: 150 }) },
  );
});

test('the incidents behind a mark are those it counts, the worst first', () => {
  fc.assert(
    fc.property(
      fc.array(place, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 0, max: 8 }),
      (places, zoom) => {
        const index = new ClusterIndex(columnsOf(places));
        const seen = new Set<number>();
        for (const { longitude, latitude, count, rank } of marksAt(index, places, zoom)) {
          const members = index.members(zoom, longitude, latitude);
          if (members?.count !== count) continue;
          expect(places[(members.keys[0] ?? 0) - 1]?.rank).toBe(rank);
          for (const key of members.keys) seen.add(key);
        }
        // Marks within a tile unit of each other (an eighth of a pixel) may be taken for one another.
        expect(seen.size).toBeGreaterThan(0);
      },
    ),
    { numRuns: casesOf({ part: 50, whole: 100 }) },
  );
});

test.each([
  [179.9, -179.9],
  [-179.9, 179.9],
])('incidents at %d and %d degrees are one cluster, on the antimeridian', (first, second) => {
  const places = [
    { longitude: first, latitude: -17, rank: 1 },
    { longitude: second, latitude: -17, rank: 3 },
  ];
  const index = new ClusterIndex(columnsOf(places));
  const [mark, ...others] = marksAt(index, places, 2);
  expect(others).toEqual([]);
  expect(mark).toMatchObject({ count: 2, rank: 3 });
  expect(Math.abs(mark?.longitude ?? 0)).toBeCloseTo(180, 0);
});

test('the box around incidents crosses the antimeridian rather than the world', () => {
  const near = new ClusterIndex(
    columnsOf([
      { longitude: 170, latitude: -20, rank: 0 },
      { longitude: -175, latitude: 10, rank: 0 },
    ]),
  );
  const [west, south, east, north] = near.bounds ?? [];
  expect([west, south, east, north].map((value) => Math.round(value ?? NaN))).toEqual([170, -20, 185, 10]);
  expect(new ClusterIndex(columnsOf([])).bounds).toBeNull();
  const one = new ClusterIndex(columnsOf([{ longitude: 7, latitude: 46, rank: 0 }]));
  expect(one.bounds?.map((value) => Math.round(value))).toEqual([7, 46, 7, 46]);
});

test('incidents at one place stay one mark at the deepest zoom and are all behind it', () => {
  const stack = Array.from({ length: 7 }, (_, at) => ({ longitude: 8.5, latitude: 47.4, rank: at % 5 }));
  const index = new ClusterIndex(columnsOf(stack));
  const members = index.members(deepestZoom, 8.5, 47.4);
  expect(members?.count).toBe(7);
  expect(members?.keys).toEqual([5, 4, 3, 2, 7, 1, 6]);
  expect(members?.open, 'by rank').toEqual([2, 2, 1, 1, 1]);
});

test('an empty tile has no bytes', () => {
  const index = new ClusterIndex(columnsOf([{ longitude: 100, latitude: 50, rank: 2 }]));
  expect(index.tile(6, 0, 63, said)).toHaveLength(0);
});

test('counts are exact below a thousand and short above it', () => {
  expect([2, 999, 1000, 1049, 1051, 9949, 9951, 12_345, 999_499].map(said)).toEqual([
    '2',
    '999',
    '1k',
    '1k',
    '1.1k',
    '9.9k',
    '10k',
    '12k',
    '999k',
  ]);
});

test('they are shortened as each language shortens them, in Latin digits', () => {
  const inLanguage = (language: string): string[] =>
    [999, 1234, 12_345, 123_456].map(countTextOf(language)).map((text) => text.replaceAll('\u00a0', ' '));
  expect(inLanguage('es')).toEqual(['999', '1,2 mil', '12 mil', '123 mil']);
  expect(inLanguage('fr')).toEqual(['999', '1,2 k', '12 k', '123 k']);
  expect(inLanguage('ar')).toEqual(['999', '1.2 ألف', '12 ألف', '123 ألف']);
  expect(inLanguage('hi')).toEqual(['999', '1.2 हज़ार', '12 हज़ार', '1.2 लाख']);
  expect(inLanguage('zh-Hans')).toEqual(['999', '1234', '1.2万', '12万']);
});

test('a mark’s image is that of its count in the language it is asked for in', () => {
  const stack = Array.from({ length: 1_200 }, () => ({ longitude: 12, latitude: 50, rank: 3 }));
  const index = new ClusterIndex(columnsOf(stack));
  const [x, y] = [Math.floor((12 / 360 + 0.5) * 8), 2];
  const icons = ['en', 'hi', 'es'].map(
    (language) => readMarkIcon(marksOf(index, 3, x, y, countTextOf(language))[0]?.icon ?? '')?.cluster?.text,
  );
  expect(icons).toEqual(['1.2k', '1.2\u00a0हज़ार', '1,2\u00a0mil']);
});

test('the sample of a language’s counts has every letter of them', () => {
  for (const language of ['en', 'es', 'fr', 'ar', 'hi', 'zh-Hans']) {
    const letters = new Set(countSample(language));
    const count = countTextOf(language);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900_000_000 }), (value) => {
        expect([...count(value)].filter((letter) => /\p{L}/u.test(letter) && !letters.has(letter))).toEqual(
          [],
        );
      }),
    );
  }
});

test('a mark is faded when the service returns none of its incidents any more', () => {
  const near = (longitude: number, gone: number): Place => ({ longitude, latitude: 10, rank: 2, gone });
  const places = [near(0, 1), near(0.001, 1), near(90, 1), near(90.001, 0), near(-90, 0), near(170, 1)];
  const marks = marksAt(new ClusterIndex(columnsOf(places)), places, 3);
  const faded = marks.map(({ longitude, count, faded }) => [Math.round(longitude), count, faded]);
  expect(faded.sort(([a = 0], [b = 0]) => a - b)).toEqual([
    [-90, 1, 0],
    [0, 2, 1],
    [90, 2, 0],
    [170, 1, 1],
  ]);
});

test('a cluster says how many of the worst that are open there are, and shares its ring among all', () => {
  const near = (rank: number, open: number, count: number): Place[] =>
    Array.from({ length: count }, () => ({ longitude: 12, latitude: 50, rank, open }));
  const places = [...near(4, 0, 30), ...near(3, 1, 2), ...near(1, 1, 8)];
  const [mark, ...others] = marksAt(new ClusterIndex(columnsOf(places)), places, 3);
  expect(others).toEqual([]);
  expect(mark).toMatchObject({ count: 40, rank: 3, over: 0 });
  expect(readMarkIcon(mark?.icon ?? '')).toEqual({
    rank: 3,
    over: false,
    // Two of 40 are less than a step of twelve, and are seen.
    cluster: { text: '2', figures: 2, ring: [0, 2, 0, 1, 0, 9] },
  });
  const members = new ClusterIndex(columnsOf(places)).members(3, 12, 50);
  expect(members?.keys.slice(0, 3), 'what is open comes first').toEqual([31, 32, 33]);
});

test('the name of a cluster’s image says its kind, rank, count, figures and the steps of each part of its ring', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 3_000 }), { minLength: 5, maxLength: 5 }),
      fc.nat({ max: 9_000 }),
      fc.integer({ min: 0, max: 4 }),
      (open, closed, worstOver) => {
        const opened = open.reduce((sum, number) => sum + number, 0);
        const count = opened + closed;
        fc.pre(count > 1);
        const rank = opened === 0 ? worstOver : open.findLastIndex((number) => number > 0);
        const steps = [...open, closed].map((number) =>
          number === 0 ? 0 : Math.max(1, Math.round((12 * number) / count)),
        );
        expect(readMarkIcon(markIcon({ rank, count, open, said }))).toEqual({
          rank,
          over: opened === 0,
          cluster: {
            text: said(opened === 0 ? count : (open[rank] ?? 0)),
            figures: String(count).length,
            ring: steps,
          },
        });
      },
    ),
    { numRuns: casesOf({ part: 200, whole: 2_000 }) },
  );
});

test('where nothing is open a mark is drawn back, with how many there are', () => {
  const places = [1, 4, 2].map((rank) => ({ longitude: 12, latitude: 50, rank, open: 0 }));
  const [cluster] = marksAt(new ClusterIndex(columnsOf(places)), places, 3);
  expect(cluster).toMatchObject({ count: 3, rank: 4, over: 1 });
  expect(readMarkIcon(cluster?.icon ?? '')).toMatchObject({ over: true, cluster: { text: '3' } });
  const [single] = marksAt(new ClusterIndex(columnsOf(places.slice(0, 1))), places, 3);
  expect(single?.icon).toBe(markIcon({ rank: 1, count: 1, open: [0, 0, 0, 0, 0], said }));
  expect(readMarkIcon(single?.icon ?? '')).toEqual({ rank: 1, over: true, cluster: null });
  expect(readMarkIcon('label|12|over'), 'no mark').toBeNull();
});
