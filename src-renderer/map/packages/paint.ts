import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { mapFonts } from '../font.ts';
import { labelField, textSize, type LabelSize } from '../labelText.ts';
import type { MapTheme } from '../theme.ts';

/** What a package's layers are made from. Ids of layers begin with `prefix`. */
export interface PackagePaint {
  readonly theme: MapTheme;
  /** How many times larger than usual text is. */
  readonly textScale: number;
  readonly source: string;
  readonly prefix: string;
}

export const byZoom = (...stops: readonly (number | ExpressionSpecification)[]): ExpressionSpecification =>
  ['interpolate', ['exponential', 1.4], ['zoom'], ...stops] as unknown as ExpressionSpecification;

/** Sizes of text at zooms, between which it grows as lines do. */
export const sizeByZoom = (...stops: LabelSize['stops']): LabelSize => ({ base: 1.4, stops });

/** Whether a feature's property is one of the values. */
export const isOneOf = (property: string, values: readonly string[]): ExpressionSpecification => [
  'match',
  ['to-string', ['get', property]],
  [...values],
  true,
  false,
];

export const geometryIs = (type: 'Point' | 'LineString' | 'Polygon'): ExpressionSpecification => [
  '==',
  ['geometry-type'],
  type,
];

/** A feature's name as people there or readers of Latin letters write it; empty when it has none. */
export const nameOf: ExpressionSpecification = [
  'to-string',
  ['coalesce', ['get', 'name'], ['get', 'name:latin'], ['get', 'name_en'], ['get', 'name:en'], ''],
];

export function fill(
  { source, prefix }: PackagePaint,
  part: string,
  layer: string,
  colour: string,
  more: { filter?: ExpressionSpecification; minzoom?: number; opacity?: number } = {},
): LayerSpecification {
  const { filter = geometryIs('Polygon'), minzoom = 0, opacity = 1 } = more;
  return {
    id: `${prefix}${part}`,
    type: 'fill',
    source,
    'source-layer': layer,
    minzoom,
    filter,
    paint: { 'fill-color': colour, 'fill-opacity': opacity },
  };
}

export function line(
  { source, prefix }: PackagePaint,
  part: string,
  layer: string,
  colour: string,
  width: ExpressionSpecification,
  more: { filter?: ExpressionSpecification; minzoom?: number; dashes?: number[] } = {},
): LayerSpecification {
  const { filter = geometryIs('LineString'), minzoom = 0, dashes } = more;
  return {
    id: `${prefix}${part}`,
    type: 'line',
    source,
    'source-layer': layer,
    minzoom,
    filter,
    layout: { 'line-join': 'round', 'line-cap': dashes ? 'butt' : 'round' },
    paint: { 'line-color': colour, 'line-width': width, ...(dashes ? { 'line-dasharray': dashes } : {}) },
  };
}

/** Names at points, in the page's own font: nothing is asked of a glyph server. */
export function names(
  { theme, textScale, source, prefix }: PackagePaint,
  part: string,
  layer: string,
  more: {
    filter: ExpressionSpecification;
    size: LabelSize;
    minzoom?: number;
    along?: boolean;
    offset?: number;
    priority?: ExpressionSpecification;
  },
): LayerSpecification {
  const { filter, size, minzoom = 0, along = false, offset = 0, priority } = more;
  return {
    id: `${prefix}${part}`,
    type: 'symbol',
    source,
    'source-layer': layer,
    minzoom,
    filter: ['all', filter, ['!=', nameOf, '']],
    layout: {
      // A name along a road bends with it, which no image does: there MapLibre's own shaping has to do.
      'text-field': along ? nameOf : labelField(nameOf, size, textScale),
      'text-font': [...mapFonts],
      'text-size': textSize(size, textScale),
      'text-max-width': 8,
      'text-padding': 4,
      'symbol-placement': along ? 'line' : 'point',
      ...(offset > 0 ? { 'text-anchor': 'top', 'text-offset': [0, offset] } : {}),
      ...(priority ? { 'symbol-sort-key': priority } : {}),
    },
    paint: {
      'text-color': theme.mapLabel,
      'text-halo-color': theme.mapLabelHalo,
      'text-halo-width': 1.2,
      'text-halo-blur': 0.4,
    },
  };
}
