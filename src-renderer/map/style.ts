import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl';
import borderLines from '../../build/assets/basemap/lines.json?url';
import landPolygons from '../../build/assets/basemap/land.json?url';
import { deepestZoom, markLayer } from './clusters/index.ts';
import { countryLabels, type NameCountry } from './countryLabels.ts';
import { droneLayers, droneSources } from './droneLayers.ts';
import { mapFonts } from './font.ts';
import { gridLayers, gridSources } from './gridOverlay.ts';
import { pinLayer, pinSources } from './pinOverlay.ts';
import { constantSize, labelField, textSize, type LabelSize } from './labelText.ts';
import { labelsSource } from './mapLabels.ts';
import type { MapTheme } from './theme.ts';
import type { IncidentMapOptions } from './types.ts';

export const marksSource = 'incidents';
export const selectionSource = 'selection';
export const areaSource = 'alarm-area';
export const measureSource = 'measure';
export const marksLayerId = 'incident-marks';
export const selectionLayerId = 'selected-mark';
/** The lowest layer of names: land and water, and what is on them, lie under it. */
export const lowestNameLayer = 'country-names';

export interface MapStyleOptions extends Pick<IncidentMapOptions, 'theme' | 'textScale'> {
  readonly nameCountry: NameCountry;
  /** Where the marks' tiles come from: a protocol of this map's own. */
  readonly tiles: string;
  /** The page's address, which the basemap's files are relative to: MapLibre's worker has another. */
  readonly base: string;
}

/** The whole style, made from the theme's tokens so that a theme is one thing for page and map. */
export function mapStyle({
  theme,
  textScale,
  nameCountry,
  tiles,
  base,
}: MapStyleOptions): StyleSpecification {
  const file = (path: string): string => new URL(path, base).href;
  return {
    version: 8,
    // No transition: a change of theme must not glow through the colours in between in a dark room.
    transition: { duration: 0, delay: 0 },
    sources: {
      land: { type: 'geojson', data: file(landPolygons), maxzoom: 9, tolerance: 0.5 },
      lines: { type: 'geojson', data: file(borderLines), maxzoom: 9, tolerance: 0.5 },
      [labelsSource]: { type: 'geojson', data: countryLabels(nameCountry), maxzoom: 6 },
      ...gridSources,
      [areaSource]: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, maxzoom: 12 },
      [measureSource]: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, maxzoom: 14 },
      [marksSource]: { type: 'vector', tiles: [tiles], minzoom: 0, maxzoom: deepestZoom },
      [selectionSource]: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, maxzoom: 12 },
      ...droneSources,
      ...pinSources,
    },
    layers: mapLayers(theme, textScale),
  };
}

const byZoom = (...stops: readonly number[]): ExpressionSpecification =>
  ['interpolate', ['linear'], ['zoom'], ...stops] as unknown as ExpressionSpecification;
/** Pairs of zoom and width, the widths made wider by the theme's stroke. */
const lineWidth = ({ stroke }: MapTheme, ...stops: readonly number[]): ExpressionSpecification =>
  byZoom(...stops.map((stop, at) => (at % 2 === 0 ? stop : stop * stroke)));

/** While it is drawn an area is in the colour of interaction; once set it is quieter. */
const areaColour = (theme: MapTheme): ExpressionSpecification => [
  'case',
  ['==', ['get', 'draft'], 1],
  theme.accent,
  theme.text,
];

/** Names come in by the size of their country, so that a small map is not a page of text. */
const labelRankAtZoom: ExpressionSpecification = [
  'step',
  ['zoom'],
  14,
  1.5,
  30,
  2.2,
  70,
  3,
  130,
  4,
  190,
  5,
  400,
];

/** By the country's size too. */
const countryNameSize: LabelSize = {
  base: 1,
  stops: [
    [1, ['interpolate', ['linear'], ['get', 'rank'], 0, 12, 40, 10.5]],
    [5, ['interpolate', ['linear'], ['get', 'rank'], 0, 17, 60, 13, 160, 11.5]],
  ],
};
const measureLabelSize = constantSize(13);

const landLayers = (theme: MapTheme): LayerSpecification[] => [
  { id: 'water', type: 'background', paint: { 'background-color': theme.mapWater } },
  { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': theme.mapLand } },
  {
    id: 'borders',
    type: 'line',
    source: 'lines',
    filter: ['==', ['get', 'kind'], 'border'],
    layout: { 'line-join': 'round' },
    paint: { 'line-color': theme.mapBorder, 'line-width': lineWidth(theme, 0, 0.6, 4, 0.9, 8, 1.4) },
  },
  {
    id: 'coasts',
    type: 'line',
    source: 'lines',
    filter: ['==', ['get', 'kind'], 'coast'],
    layout: { 'line-join': 'round' },
    paint: { 'line-color': theme.mapCoast, 'line-width': lineWidth(theme, 0, 0.5, 4, 0.9, 8, 1.4) },
  },
];

const countryNames = (theme: MapTheme, textScale: number): LayerSpecification => ({
  id: lowestNameLayer,
  type: 'symbol',
  source: labelsSource,
  filter: ['<=', ['get', 'rank'], labelRankAtZoom],
  layout: {
    'text-field': labelField(['get', 'name'], countryNameSize, textScale),
    'text-font': [...mapFonts],
    'text-size': textSize(countryNameSize, textScale),
    'text-letter-spacing': 0.06,
    'text-max-width': 7,
    'text-padding': 3,
    'text-variable-anchor': ['center', 'top', 'bottom', 'left', 'right'],
    'text-radial-offset': 1.1,
    'text-justify': 'auto',
    'symbol-sort-key': ['get', 'rank'],
  },
  paint: {
    'text-color': theme.mapLabel,
    'text-halo-color': theme.mapLabelHalo,
    'text-halo-width': 1.2,
    'text-halo-blur': 0.4,
  },
});

/** Every layer of the style, from the lowest to the uppermost. */
export function mapLayers(theme: MapTheme, textScale: number): LayerSpecification[] {
  return [
    ...landLayers(theme),
    countryNames(theme, textScale),
    ...gridLayers(theme, textScale),
    {
      id: 'alarm-area-edge',
      type: 'line',
      source: areaSource,
      filter: ['==', ['geometry-type'], 'LineString'],
      layout: { 'line-join': 'round', 'line-cap': 'butt' },
      paint: {
        'line-color': areaColour(theme),
        'line-width': 1.75 * theme.stroke,
        'line-opacity': ['case', ['==', ['get', 'draft'], 1], 1, 0.75],
        'line-dasharray': [4, 2.5],
      },
    },
    {
      id: 'alarm-area-corners',
      type: 'circle',
      source: areaSource,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-radius': 4.5,
        'circle-color': theme.surface,
        'circle-stroke-color': theme.accent,
        'circle-stroke-width': 2,
      },
    },
    ...droneLayers(theme, textScale),
    {
      id: marksLayerId,
      type: 'symbol',
      source: marksSource,
      'source-layer': markLayer,
      layout: {
        'icon-image': ['get', 'icon'],
        'icon-allow-overlap': true,
        // Marks take their place from the names under them, which move aside or give way.
        'icon-ignore-placement': false,
        'icon-padding': 0,
        // What is open lies over what is over, the worst on top, a cluster above one incident of its severity.
        'symbol-sort-key': [
          '-',
          ['+', ['*', ['get', 'rank'], 2], ['case', ['>', ['get', 'count'], 1], 1, 0]],
          ['*', ['get', 'over'], 20],
        ],
      },
      // What the service no longer returns stays, as a shadow of itself.
      paint: { 'icon-opacity': ['case', ['==', ['get', 'faded'], 1], 0.45, 1] },
    },
    {
      id: 'selection-ring',
      type: 'circle',
      source: selectionSource,
      paint: {
        'circle-radius': ['get', 'radius'],
        'circle-color': theme.surface,
        // The mark of several stays to be seen.
        'circle-opacity': ['case', ['has', 'icon'], 0.85, 0],
        'circle-stroke-color': theme.accent,
        'circle-stroke-width': 3 + theme.stroke - 1,
      },
    },
    {
      id: selectionLayerId,
      type: 'symbol',
      source: selectionSource,
      filter: ['has', 'icon'],
      layout: { 'icon-image': ['get', 'icon'], 'icon-allow-overlap': true, 'icon-ignore-placement': true },
    },
    pinLayer,
    ...measureLayers(theme, textScale),
  ];
}

/** What is measured lies over everything: it is what the operator is doing. */
const measureLayers = (theme: MapTheme, textScale: number): LayerSpecification[] => [
  {
    id: 'measure-line',
    type: 'line',
    source: measureSource,
    filter: ['==', ['geometry-type'], 'LineString'],
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': theme.accent, 'line-width': 2.5 * theme.stroke },
  },
  {
    id: 'measure-corners',
    type: 'circle',
    source: measureSource,
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      'circle-radius': 4,
      'circle-color': theme.surface,
      'circle-stroke-color': theme.accent,
      'circle-stroke-width': 2,
    },
  },
  {
    id: 'measure-label',
    type: 'symbol',
    source: measureSource,
    filter: ['==', ['geometry-type'], 'Point'],
    layout: {
      'text-field': labelField(['to-string', ['get', 'label']], measureLabelSize, textScale),
      'text-font': [...mapFonts],
      'text-size': textSize(measureLabelSize, textScale),
      'text-anchor': 'bottom',
      'text-offset': [0, -0.8],
      'text-allow-overlap': true,
      'text-ignore-placement': true,
    },
    paint: { 'text-color': theme.text, 'text-halo-color': theme.surface, 'text-halo-width': 2 },
  },
];
