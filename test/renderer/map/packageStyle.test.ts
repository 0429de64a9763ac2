import { expect, test } from 'vitest';
import type { MapPackage } from '../../../src-preload/contract/index.ts';
import { themes } from '../../../src-renderer/design/tokens.ts';
import { packageStyle } from '../../../src-renderer/map/packages/packageStyle.ts';

const entry: Omit<MapPackage, 'scheme' | 'layers'> = {
  ...{ id: '0123456789abcdef', name: 'Valley', attribution: '', bytes: 1, visible: true },
  format: 'pmtiles',
  kind: 'vector',
  tileType: 'mvt',
  tileSize: 512,
  minZoom: 0,
  maxZoom: 14,
  bounds: [16, 50, 17, 51],
};
const lowest = (scheme: MapPackage['scheme'], layers: readonly string[]): string | undefined =>
  packageStyle(
    { ...entry, scheme, layers: layers.map((id) => ({ id, minZoom: 0, maxZoom: 14 })) },
    { theme: themes.day, textScale: 1, tilesBase: 'tiles/' },
  ).layers[0]?.id;

// What the basemap has there, as the names of its towns, is drawn under a package's land.
test.each<[string, MapPackage['scheme'], string[], boolean]>([
  ['a schema without land', 'openmaptiles', ['place', 'transportation'], true],
  ['a package that has its land', 'protomaps', ['earth', 'places', 'roads', 'water'], false],
  ['a package that lacks it', 'protomaps', ['places', 'roads', 'water'], true],
  ['one that adds to the basemap', 'protomaps', ['places', 'roads'], false],
])('land lies under %s where it is missing', (_, scheme, layers, isLaid) => {
  expect(lowest(scheme, layers)?.endsWith('ground')).toBe(isLaid);
});
