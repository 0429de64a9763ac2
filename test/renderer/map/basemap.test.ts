import type { FeatureCollection, LineString, MultiLineString, MultiPolygon, Point } from 'geojson';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { cutLine, cutPolygon, type Line } from '../../../build/basemap-geometry.ts';
import { basemapFolder } from '../../../build/basemap.ts';

const read = async <G extends MultiPolygon | MultiLineString | LineString | Point>(name: string) =>
  JSON.parse(await readFile(basemapFolder + name, 'utf8')) as FeatureCollection<G>;

/** The largest step in longitude along a line: over 180 it would be drawn across the whole map. */
function largestStep(line: readonly (readonly number[])[]): number {
  return Math.max(0, ...line.slice(1).map(([lng = 0], at) => Math.abs(lng - (line[at]?.[0] ?? 0))));
}

test('no ring and no line jumps over the antimeridian, and every ring is closed', async () => {
  const land = await read<MultiPolygon>('land.json');
  const rings = land.features.flatMap(({ geometry }) => geometry.coordinates.flat());
  expect(rings.length).toBeGreaterThan(1000);
  for (const ring of rings) {
    expect(largestStep(ring)).toBeLessThanOrEqual(180);
    expect(ring[0]).toEqual(ring.at(-1));
    for (const [lng = NaN, lat = NaN] of ring) {
      expect(Math.abs(lng) <= 180 && Math.abs(lat) <= 90).toBe(true);
    }
  }
  const lines = await read<MultiLineString>('lines.json');
  for (const line of lines.features.flatMap(({ geometry }) => geometry.coordinates)) {
    expect(largestStep(line)).toBeLessThanOrEqual(180);
  }
});

test('countries are named inside the map, the largest first', async () => {
  const { features } = await read<Point>('labels.json');
  const names = features.map(({ properties }) => properties?.['name'] as string);
  expect(names.slice(0, 4)).toEqual(['Russia', 'Antarctica', 'Canada', 'United States of America']);
  expect(names).toContain('Fiji');
  const codes = features.map(({ properties }) => properties?.['code'] as string);
  expect(codes.slice(0, 4)).toEqual(['RU', 'AQ', 'CA', 'US']);
  expect(codes[names.indexOf('Kosovo')]).toBe('XK');
  expect(new Set(codes).size).toBe(codes.length);
  expect(features.map(({ properties }) => properties?.['rank'] as number)).toEqual(
    names.map((_, rank) => rank),
  );
});

test('the basemap stays small on the wire', async () => {
  const texts = await Promise.all(
    ['land.json', 'lines.json', 'labels.json'].map((name) => readFile(basemapFolder + name)),
  );
  expect(texts.reduce((sum, text) => sum + gzipSync(text).length, 0)).toBeLessThan(1_200_000);
});

test('a square across the antimeridian becomes two that touch it', () => {
  const square: Line = [
    [170, 0],
    [-170, 0],
    [-170, 10],
    [170, 10],
    [170, 0],
  ];
  const parts = cutPolygon([square]);
  expect(parts).toHaveLength(2);
  const spans = parts.map(([ring = []]) => [
    Math.min(...ring.map(([lng = NaN]) => lng)),
    Math.max(...ring.map(([lng = NaN]) => lng)),
  ]);
  expect(spans.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual([
    [-180, -170],
    [170, 180],
  ]);
});

test('a ring around the pole is closed over it, and a line is cut where it crosses', () => {
  const coast = Array.from({ length: 37 }, (_, at) => [((at * 10 + 180) % 360) - 180, -70] as const);
  const parts = cutPolygon([coast]);
  const lats = parts.flat(2).map(([, lat]) => lat);
  expect(Math.min(...(lats as number[]))).toBe(-90);
  for (const [ring = []] of parts) expect(largestStep(ring)).toBeLessThanOrEqual(180);
  expect(
    cutLine([
      [179, 0],
      [-179, 2],
    ]),
  ).toEqual([
    [
      [179, 0],
      [180, 1],
    ],
    [
      [-180, 1],
      [-179, 2],
    ],
  ]);
});
