import { VectorTile } from '@mapbox/vector-tile';
import { readFile } from 'node:fs/promises';
import { PbfReader } from 'pbf';
import { PMTiles } from 'pmtiles';
import { beforeAll, describe, expect, test } from 'vitest';
import { basemapFolder } from '../../../build/basemap.ts';
import { townLines } from '../../../src-main/core/base/places/towns.ts';
import { themeNames } from '../../../src-preload/contract/index.ts';
import { themes } from '../../../src-renderer/design/tokens.ts';
import { detailLayers, lastTownZoom, townsSource } from '../../../src-renderer/map/details/detailStyle.ts';
import { DetailTiles, namesOn } from '../../../src-renderer/map/details/detailTiles.ts';
import { TownTiles } from '../../../src-renderer/map/details/townTiles.ts';

const losAngeles = { longitude: -118.24, latitude: 34.05 };
const vienna = { longitude: 16.37, latitude: 48.21 };
const pacific = { longitude: -140, latitude: 5 };

const tileAt = ({ longitude, latitude }: typeof vienna, zoom: number): readonly [number, number, number] => {
  const sine = Math.sin((latitude * Math.PI) / 180);
  const x = Math.floor((longitude / 360 + 0.5) * 2 ** zoom);
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / Math.PI / 4) * 2 ** zoom);
  return [zoom, x, y];
};

describe('the details of the bundled map', () => {
  let bytes: ArrayBuffer;
  let tiles: DetailTiles;
  beforeAll(async () => {
    bytes = Uint8Array.from(await readFile(`${basemapFolder}details.pmtiles`)).buffer;
    tiles = new DetailTiles(bytes);
  });
  const layersAt = async (place: typeof vienna, zoom: number) => {
    const tile = await tiles.tile(...tileAt(place, zoom));
    return tile.byteLength === 0 ? {} : new VectorTile(new PbfReader(tile)).layers;
  };

  test('are a PMTiles archive of zooms 2 to 7 that takes 5 MB at most', async () => {
    expect(new TextDecoder().decode(bytes.slice(0, 7))).toBe('PMTiles');
    expect(bytes.byteLength).toBeLessThan(5_000_000);
    const archive = new PMTiles({
      getKey: () => '',
      getBytes: (offset, length) => Promise.resolve({ data: bytes.slice(offset, offset + length) }),
    });
    expect(await archive.getHeader()).toMatchObject({ specVersion: 3, minZoom: 2, maxZoom: 7, tileType: 1 });
    const { vector_layers: layers } = (await archive.getMetadata()) as { vector_layers: { id: string }[] };
    const drawn = detailLayers({ theme: themes.day, textScale: 1 }).flatMap((layer) =>
      'source-layer' in layer && layer.source !== townsSource ? layer['source-layer'] : [],
    );
    expect(new Set(drawn)).toEqual(new Set(layers.map(({ id }) => id)));
  });

  test('show what is around Los Angeles and Vienna, and nothing of the open sea', async () => {
    const west = await layersAt(losAngeles, 7);
    expect(Object.keys(west)).toEqual(expect.arrayContaining(['sea', 'land', 'coasts', 'urban', 'airports']));
    const east = await layersAt(vienna, 7);
    expect(Object.keys(east)).toEqual(
      expect.arrayContaining(['land', 'rivers', 'lakes', 'urban', 'borders']),
    );
    expect(Object.keys(east), 'no sea inland').not.toContain('sea');
    expect(Object.keys(await layersAt(vienna, 2))).not.toContain('land');
    const sea = await tiles.tile(...tileAt(pacific, 7));
    expect(sea.byteLength).toBe(0);
    expect(namesOn(sea)).toEqual([]);
  });

  test('name rivers along smooth lines from afar and along their own near, and a lake once', async () => {
    const amazon = { longitude: -60, latitude: -3.2 };
    const finland = { longitude: 25.52, latitude: 61.71 };
    const named = async (place: typeof vienna, zoom: number, layer: string) => {
      const found = (await layersAt(place, zoom))[layer];
      return Array.from({ length: found?.length ?? 0 }, (_, at) => found?.feature(at).properties['name']);
    };
    expect(await named(vienna, 7, 'rivers')).toContain('Donau');
    expect(await named(vienna, 6, 'rivers'), 'written along the smooth ones').not.toContain('Donau');
    expect(await named(vienna, 6, 'riverNames')).toContain('Donau');
    expect(await named(amazon, 4, 'riverNames')).toContain('Amazonas');
    expect(await named(finland, 7, 'lakeNames'), 'with the letters that the source lost').toContain(
      'Päijänne',
    );
    expect(namesOn(await tiles.tile(...tileAt(vienna, 7)))).toContain('Donau');
    // The Great Lakes lie on many tiles.
    const lakes: unknown[] = [];
    for (let x = 14; x < 19; x += 1)
      for (let y = 21; y < 25; y += 1) {
        const tile = await tiles.tile(6, x, y);
        if (tile.byteLength === 0) continue;
        const found = new VectorTile(new PbfReader(tile)).layers['lakeNames'];
        for (let at = 0; at < (found?.length ?? 0); at += 1)
          lakes.push(found?.feature(at).properties['name']);
      }
    expect(lakes.filter((name) => name === 'Lake Superior')).toHaveLength(1);
  });
});

describe('the towns of the map', () => {
  let towns: TownTiles;
  beforeAll(() => {
    towns = new TownTiles(townLines());
  });
  const namesAt = (place: typeof vienna, zoom: number, language = 'en'): readonly string[] =>
    towns.tile(...tileAt(place, zoom), language).names;

  test('are the important ones from afar, far enough from each other, with capitals first', () => {
    const far = namesAt(vienna, 4);
    expect(far).toEqual(expect.arrayContaining(['Vienna', 'Rome', 'Budapest']));
    expect(far).not.toContain('Graz');
    for (let zoom = 3; zoom < lastTownZoom; zoom += 1)
      for (const place of [vienna, losAngeles]) expect(namesAt(place, zoom).length).toBeLessThan(90);
    // Bern has a third of the inhabitants of Zurich.
    expect(namesAt({ longitude: 7.45, latitude: 46.95 }, 5)).toContain('Bern');
  });

  test('come in as the map comes near, and all of a region are there at the last zoom', () => {
    const klodzko = { longitude: 16.66, latitude: 50.44 };
    const near = new Set<string>();
    for (let zoom = 3; zoom <= lastTownZoom; zoom += 1)
      for (const name of namesAt(klodzko, zoom)) near.add(name);
    expect(near).toContain('Kłodzko');
    // Around Naples there are towns within a kilometre of each other.
    const drawn = new Set<string>();
    const [, west, north] = tileAt({ longitude: 14, latitude: 41 }, lastTownZoom);
    const [, east, south] = tileAt({ longitude: 15, latitude: 40.5 }, lastTownZoom);
    for (let x = west; x <= east; x += 1)
      for (let y = north; y <= south; y += 1)
        for (const name of towns.tile(lastTownZoom, x, y, 'en').names) drawn.add(name);
    const listed = townLines()
      .map((line) => line.split('|'))
      .filter(
        ([latitude, longitude]) =>
          Number(longitude) >= 14 &&
          Number(longitude) <= 15 &&
          Number(latitude) >= 40.5 &&
          Number(latitude) <= 41,
      )
      .map((fields) => fields[4] ?? '');
    expect(listed.length).toBeGreaterThan(100);
    expect(listed.filter((name) => !drawn.has(name))).toEqual([]);
  });

  test('have their names in the language, in English where there is no other', () => {
    expect(namesAt(vienna, 7, 'es')).toContain('Viena');
    expect(namesAt(vienna, 7, 'fr')).toContain('Vienne');
    expect(namesAt(vienna, 7, 'zh-Hans')).toContain('維也納');
    expect(namesAt(vienna, 7, 'ar')).toContain('Vienna');
  });

  test('lie where they are on their tile, by name, order and size', () => {
    const [zoom, x, y] = tileAt(vienna, 8);
    const { layers } = new VectorTile(new PbfReader(towns.tile(zoom, x, y, 'en').data));
    const first = layers['towns']?.feature(0);
    expect(first?.properties).toEqual({ name: 'Vienna', order: expect.any(Number), size: 323 });
    const [longitude, latitude] = (first?.toGeoJSON(x, y, zoom).geometry as GeoJSON.Point).coordinates;
    expect(longitude).toBeCloseTo(vienna.longitude, 1);
    expect(latitude).toBeCloseTo(vienna.latitude, 1);
    expect(towns.tile(...tileAt(pacific, 7), 'en')).toEqual({ data: new ArrayBuffer(0), names: [] });
  });
});

test('names of waters give way to those of towns, airports and ports', () => {
  const order = detailLayers({ theme: themes.day, textScale: 1 }).map(({ id }) => id);
  const at = (part: string): number => order.indexOf(`details-${part}`);
  for (const water of ['river-names', 'river-names-near', 'lake-names'])
    for (const other of ['ports', 'airports', 'names']) expect(at(water)).toBeLessThan(at(other));
  expect(at('river-names')).toBeGreaterThan(at('coasts'));
});

test.each(themeNames)('details are drawn in the colours of %s, under ids that no package has', (name) => {
  const theme = themes[name];
  const layers = detailLayers({ theme, textScale: 1 });
  expect(layers.filter(({ id }) => id.startsWith('map-'))).toEqual([]);
  expect(new Set(layers.map(({ id }) => id)).size).toBe(layers.length);
  const colours = new Set<unknown>(Object.values(theme));
  for (const { id, paint } of layers) {
    for (const [property, value] of Object.entries(paint ?? {})) {
      if (property.endsWith('color')) expect(colours.has(value), `${id} ${property}`).toBe(true);
    }
  }
});
