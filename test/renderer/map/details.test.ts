import { VectorTile } from '@mapbox/vector-tile';
import { readFile } from 'node:fs/promises';
import { PbfReader } from 'pbf';
import { PMTiles } from 'pmtiles';
import { beforeAll, describe, expect, test } from 'vitest';
import { basemapFolder } from '../../../build/basemap.ts';
import { themeNames } from '../../../src-preload/contract/index.ts';
import { themes } from '../../../src-renderer/design/tokens.ts';
import { detailLayers } from '../../../src-renderer/map/details/detailStyle.ts';
import { DetailTiles, namesOn } from '../../../src-renderer/map/details/detailTiles.ts';

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

  test('are a PMTiles archive of zooms 2 to 7 that takes 6 MB at most', async () => {
    expect(new TextDecoder().decode(bytes.slice(0, 7))).toBe('PMTiles');
    expect(bytes.byteLength).toBeLessThan(6_000_000);
    const archive = new PMTiles({
      getKey: () => '',
      getBytes: (offset, length) => Promise.resolve({ data: bytes.slice(offset, offset + length) }),
    });
    expect(await archive.getHeader()).toMatchObject({ specVersion: 3, minZoom: 2, maxZoom: 7, tileType: 1 });
    const { vector_layers: layers } = (await archive.getMetadata()) as { vector_layers: { id: string }[] };
    const drawn = detailLayers({ theme: themes.day, textScale: 1, language: 'en' }).map(
      (layer) => 'source-layer' in layer && layer['source-layer'],
    );
    expect(new Set(drawn)).toEqual(new Set(layers.map(({ id }) => id)));
  });

  test('name Los Angeles and Vienna, and show what is around them', async () => {
    const west = await layersAt(losAngeles, 7);
    expect(Object.keys(west)).toEqual(
      expect.arrayContaining(['sea', 'land', 'coasts', 'urban', 'airports', 'towns']),
    );
    const east = await layersAt(vienna, 7);
    expect(Object.keys(east)).toEqual(
      expect.arrayContaining(['land', 'rivers', 'lakes', 'urban', 'borders', 'towns']),
    );
    expect(Object.keys(east), 'no sea inland').not.toContain('sea');
    const namesAt = async (place: typeof vienna, language: string) =>
      namesOn(await tiles.tile(...tileAt(place, 7)), language);
    expect(await namesAt(losAngeles, 'en')).toContain('Los Angeles');
    expect(await namesAt(vienna, 'es')).toContain('Viena');
    expect(await namesAt(vienna, 'fr')).toContain('Vienne');
    expect(await namesAt(vienna, 'zh-Hans')).toContain('維也納');
    expect(await namesAt(vienna, 'ar'), 'in English where there is no other').toContain('Vienna');
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
    expect(namesOn(await tiles.tile(...tileAt(vienna, 7)), 'fr')).toContain('Donau');
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

  test('hold few towns from afar, the important ones, and nothing of the open sea', async () => {
    const far = await layersAt(vienna, 2);
    const near = await layersAt(vienna, 7);
    expect(far['towns']?.length).toBeGreaterThan(3);
    expect(far['towns']?.length).toBeLessThan(60);
    expect(Object.keys(far)).not.toContain('land');
    expect(near['towns']?.length).toBeGreaterThan(3);
    const sea = await tiles.tile(...tileAt(pacific, 7));
    expect(sea.byteLength).toBe(0);
    expect(namesOn(sea, 'en')).toEqual([]);
  });

  test('hold many towns of a region at the last zoom', async () => {
    const names: string[] = [];
    // From Vienna to Sarajevo.
    for (let x = 68; x < 71; x += 1)
      for (let y = 43; y < 47; y += 1) names.push(...namesOn(await tiles.tile(7, x, y), 'en'));
    expect(new Set(names).size).toBeGreaterThan(60);
    expect(names).toEqual(expect.arrayContaining(['Vienna', 'Graz', 'Sarajevo']));
  });
});

test('names of waters give way to those of towns, airports and ports', () => {
  const order = detailLayers({ theme: themes.day, textScale: 1, language: 'en' }).map(({ id }) => id);
  const at = (part: string): number => order.indexOf(`details-${part}`);
  for (const water of ['river-names', 'river-names-near', 'lake-names'])
    for (const other of ['ports', 'airports', 'names']) expect(at(water)).toBeLessThan(at(other));
  expect(at('river-names')).toBeGreaterThan(at('coasts'));
});

test.each(themeNames)('details are drawn in the colours of %s, under ids that no package has', (name) => {
  const theme = themes[name];
  const layers = detailLayers({ theme, textScale: 1, language: 'fr' });
  expect(layers.filter(({ id }) => id.startsWith('map-'))).toEqual([]);
  expect(new Set(layers.map(({ id }) => id)).size).toBe(layers.length);
  const colours = new Set<unknown>(Object.values(theme));
  for (const { id, paint } of layers) {
    for (const [property, value] of Object.entries(paint ?? {})) {
      if (property.endsWith('color')) expect(colours.has(value), `${id} ${property}`).toBe(true);
    }
  }
});
