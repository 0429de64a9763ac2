import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { byZoom, fill, geometryIs, isOneOf, line, names, sizeByZoom, type PackagePaint } from './paint.ts';

const green = [
  'park',
  'forest',
  'wood',
  'grassland',
  'grass',
  'nature_reserve',
  'farmland',
  'scrub',
  'cemetery',
];
/** Versions 2 and 3 of the schema named the kind in `pmap:kind`. */
const kind: ExpressionSpecification = ['to-string', ['coalesce', ['get', 'kind'], ['get', 'pmap:kind'], '']];
const kindIs = (values: readonly string[]): ExpressionSpecification => [
  'match',
  kind,
  [...values],
  true,
  false,
];

/** How many inhabitants a place has by its kind, where a package does not say it. */
const inhabitantsOfKind: ExpressionSpecification = [
  'match',
  ['to-string', ['coalesce', ['get', 'kind_detail'], ['get', 'pmap:kind'], '']],
  ['city', 'town'],
  5_000,
  0,
];
const population: ExpressionSpecification = ['to-number', ['get', 'population'], 0];
/** Whether the basemap lacks a place: it has all towns of 5,000 and more. */
const isNotOnBasemap: ExpressionSpecification = [
  '<',
  ['case', ['>', population, 0], population, inhabitantsOfKind],
  5_000,
];

/**
 * A quiet map from layers of the Protomaps basemap (docs.protomaps.com/basemaps/layers), from below up. `onBasemap`: the
 * basemap's towns are seen through it, so that it names other places only.
 */
export function protomapsLayers(paint: PackagePaint, onBasemap: boolean): LayerSpecification[] {
  const { theme } = paint;
  const road = (part: string, colour: string, kinds: readonly string[], width: number, minzoom: number) =>
    line(paint, part, 'roads', colour, byZoom(minzoom, width * 0.25, 13, width, 16, width * 3.5), {
      filter: ['all', geometryIs('LineString'), kindIs(kinds)],
      minzoom,
    });
  return [
    fill(paint, 'earth', 'earth', theme.mapLand),
    fill(paint, 'cover', 'landcover', theme.mapGreen, { filter: kindIs(green) }),
    fill(paint, 'use', 'landuse', theme.mapBuilt, {
      filter: kindIs(['residential', 'industrial', 'commercial', 'school', 'hospital', 'aerodrome']),
      minzoom: 8,
    }),
    fill(paint, 'park', 'landuse', theme.mapGreen, { filter: kindIs(green) }),
    fill(paint, 'water', 'water', theme.mapWater),
    line(paint, 'waterway', 'water', theme.mapWater, byZoom(8, 0.5, 14, 2.5), { minzoom: 8 }),
    fill(paint, 'building', 'buildings', theme.mapBuilding, { minzoom: 13 }),
    line(paint, 'path', 'roads', theme.mapRoadEdge, byZoom(13, 0.6, 16, 1.6), {
      filter: ['all', geometryIs('LineString'), kindIs(['path', 'other'])],
      minzoom: 13,
      dashes: [2, 2],
    }),
    line(paint, 'rail', 'roads', theme.mapRoadEdge, byZoom(10, 0.6, 16, 2), {
      filter: ['all', geometryIs('LineString'), kindIs(['rail'])],
      minzoom: 10,
    }),
    line(paint, 'transit', 'transit', theme.mapRoadEdge, byZoom(10, 0.6, 16, 2), { minzoom: 10 }),
    road('minor-edge', theme.mapRoadEdge, ['minor_road'], 2.2, 12),
    road('medium-edge', theme.mapRoadEdge, ['major_road', 'medium_road'], 3.4, 7),
    road('major-edge', theme.mapRoadEdge, ['highway'], 4.4, 5),
    road('minor', theme.mapRoad, ['minor_road'], 1.4, 12),
    road('medium', theme.mapRoad, ['major_road', 'medium_road'], 2.4, 7),
    road('major', theme.mapRoadMajor, ['highway'], 3.2, 5),
    line(paint, 'boundary', 'boundaries', theme.mapBorder, byZoom(2, 0.6, 8, 1.4), { dashes: [4, 2] }),
    names(paint, 'road-names', 'roads', {
      filter: ['all', geometryIs('LineString'), ['!', kindIs(['path', 'other', 'rail'])]],
      size: sizeByZoom([12, 10], [16, 12]),
      minzoom: 12,
      along: true,
    }),
    names(paint, 'places', 'places', {
      filter: [
        'all',
        [
          'any',
          isOneOf('kind', ['locality', 'neighbourhood']),
          isOneOf('pmap:kind', ['city', 'town', 'village']),
        ],
        onBasemap ? isNotOnBasemap : true,
      ],
      size: sizeByZoom([4, 11], [12, 15]),
      minzoom: 4,
      priority: ['-', 0, ['to-number', ['get', 'population_rank'], 0]],
    }),
  ];
}
