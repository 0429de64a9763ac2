import type { LayerSpecification } from 'maplibre-gl';
import { constantSize } from '../labelText.ts';
import { byZoom, fill, geometryIs, isOneOf, line, names, sizeByZoom, type PackagePaint } from './paint.ts';

const majorRoads = ['motorway', 'trunk'];
const mediumRoads = ['primary', 'secondary', 'tertiary'];
const minorRoads = ['minor', 'service', 'track', 'raceway', 'busway'];

/** A quiet map from layers of the OpenMapTiles schema (openmaptiles.org/schema), from below up. */
export function openmaptilesLayers(paint: PackagePaint): LayerSpecification[] {
  const { theme } = paint;
  const road = (part: string, colour: string, classes: readonly string[], width: number, minzoom: number) =>
    line(paint, part, 'transportation', colour, byZoom(minzoom, width * 0.25, 13, width, 16, width * 3.5), {
      filter: ['all', geometryIs('LineString'), isOneOf('class', classes)],
      minzoom,
    });
  return [
    fill(paint, 'cover', 'landcover', theme.mapGreen, {
      filter: isOneOf('class', ['wood', 'grass', 'farmland', 'wetland']),
    }),
    fill(paint, 'use', 'landuse', theme.mapBuilt, { minzoom: 8 }),
    fill(paint, 'park', 'park', theme.mapGreen),
    fill(paint, 'water', 'water', theme.mapWater),
    line(paint, 'waterway', 'waterway', theme.mapWater, byZoom(8, 0.5, 14, 2.5), { minzoom: 8 }),
    fill(paint, 'building', 'building', theme.mapBuilding, { minzoom: 13 }),
    line(paint, 'aeroway', 'aeroway', theme.mapRoadEdge, byZoom(11, 1, 15, 12), { minzoom: 11 }),
    line(paint, 'path', 'transportation', theme.mapRoadEdge, byZoom(13, 0.6, 16, 1.6), {
      filter: ['all', geometryIs('LineString'), isOneOf('class', ['path'])],
      minzoom: 13,
      dashes: [2, 2],
    }),
    line(paint, 'rail', 'transportation', theme.mapRoadEdge, byZoom(10, 0.6, 16, 2), {
      filter: ['all', geometryIs('LineString'), isOneOf('class', ['rail', 'transit'])],
      minzoom: 10,
    }),
    road('minor-edge', theme.mapRoadEdge, minorRoads, 2.2, 12),
    road('medium-edge', theme.mapRoadEdge, mediumRoads, 3.4, 8),
    road('major-edge', theme.mapRoadEdge, majorRoads, 4.4, 5),
    road('minor', theme.mapRoad, minorRoads, 1.4, 12),
    road('medium', theme.mapRoad, mediumRoads, 2.4, 8),
    road('major', theme.mapRoadMajor, majorRoads, 3.2, 5),
    line(paint, 'boundary', 'boundary', theme.mapBorder, byZoom(2, 0.6, 8, 1.4), {
      filter: ['all', geometryIs('LineString'), ['<=', ['to-number', ['get', 'admin_level'], 9], 4]],
      dashes: [4, 2],
    }),
    names(paint, 'road-names', 'transportation_name', {
      filter: geometryIs('LineString'),
      size: sizeByZoom([12, 10], [16, 12]),
      minzoom: 12,
      along: true,
    }),
    names(paint, 'water-names', 'water_name', {
      filter: geometryIs('Point'),
      size: constantSize(11),
      minzoom: 3,
    }),
    names(paint, 'villages', 'place', {
      filter: isOneOf('class', ['village', 'hamlet', 'suburb', 'quarter', 'neighbourhood']),
      size: sizeByZoom([10, 10], [15, 13]),
      minzoom: 10,
    }),
    names(paint, 'towns', 'place', {
      filter: isOneOf('class', ['city', 'town']),
      size: sizeByZoom([4, 11], [12, 16]),
      minzoom: 4,
      priority: ['to-number', ['get', 'rank'], 99],
    }),
  ];
}
