import type { ExpressionSpecification, LayerSpecification, VectorSourceSpecification } from 'maplibre-gl';
import { mapFonts } from '../font.ts';
import { labelField, textSize, type LabelSize } from '../labelText.ts';
import { byZoom } from '../packages/paint.ts';
import type { MapTheme } from '../theme.ts';

/** What every id of the details' layers begins with, and the id of their source. */
export const detailsSource = 'details';
/** The source of the towns, separate as the page cuts its tiles, and the layer of these. */
export const townsSource = 'details-towns';
export const townsLayer = 'towns';
/** The layers of the tiles with names of waters, which have one in the language of their country. */
export const waterNamesLayers = ['riverNames', 'rivers', 'lakeNames'] as const;
/** Zooms of the tiles; land, coasts and borders are at the last alone. */
const [firstZoom, lastZoom] = [2, 7];
/** From the last zoom on all towns are drawn. */
const firstTownZoom = 3;
export const lastTownZoom = 11;

export const airportIcon = 'airport';
export const portIcon = 'port';

/** How the details are drawn: colours, and how many times larger than usual text is. */
export interface DetailLook {
  readonly theme: MapTheme;
  readonly textScale: number;
}

export const detailSources = (
  details: string,
  towns: string,
): Readonly<Record<string, VectorSourceSpecification>> => ({
  [detailsSource]: { type: 'vector', tiles: [details], minzoom: firstZoom, maxzoom: lastZoom },
  [townsSource]: { type: 'vector', tiles: [towns], minzoom: firstTownZoom, maxzoom: lastTownZoom },
});

/** A river's or a lake's name; empty where it has none. */
export const waterName = ({ name }: Readonly<Record<string, unknown>>): string =>
  typeof name === 'string' ? name : '';

/** By inhabitants (townTiles.ts): a metropolis before a village. */
const townSize: LabelSize = {
  base: 1.4,
  stops: [
    [3, ['interpolate', ['linear'], ['get', 'size'], 250, 10.5, 400, 12]],
    [7, ['interpolate', ['linear'], ['get', 'size'], 70, 10.5, 400, 15]],
    [12, ['interpolate', ['linear'], ['get', 'size'], 70, 13, 400, 20]],
  ],
};
/** A river, or a lake, that is seen from afar before a stream. */
const waterSize: LabelSize = {
  base: 1.4,
  stops: [
    [4, ['interpolate', ['linear'], ['get', 'zoom'], 1, 11.5, 5, 10]],
    [9, ['interpolate', ['linear'], ['get', 'zoom'], 1, 13.5, 8, 10.5]],
    [13, 14],
  ],
};
const codeSize: LabelSize = {
  base: 1,
  stops: [
    [8, 9.5],
    [12, 11],
  ],
};

/** Clear of an incident's mark on the town, in ems: where an incident is, is what the name is for. */
const besideMark = 1.7;
/** Over, under and beside a town, so many ems from it. */
const namePlaces = (ems: number): (string | [number, number])[] => [
  'bottom',
  [0, -ems],
  'top',
  [0, ems],
  'left',
  [ems, 0],
  'right',
  [-ems, 0],
];

/** What is worth being drawn at the present zoom. */
const inTime: ExpressionSpecification = ['<=', ['get', 'zoom'], ['zoom']];
/** From so near the letters of a river's name stand along its own line, not along a smoother one. */
const ownLineZoom = 10;

/** From below up. Towns are written over all; what is asked for by importance alone is left out where it has no room. */
export function detailLayers({ theme, textScale }: DetailLook): LayerSpecification[] {
  const wide = (...stops: readonly number[]): ExpressionSpecification =>
    byZoom(...stops.map((stop, at) => (at % 2 === 0 ? stop : stop * theme.stroke)));
  const fill = (
    layer: string,
    colour: string,
    {
      opacity = 1,
      ...rest
    }: {
      opacity?: ExpressionSpecification | number;
      minzoom?: number;
      filter?: ExpressionSpecification;
    } = {},
  ): LayerSpecification => ({
    id: `${detailsSource}-${layer}`,
    type: 'fill',
    source: detailsSource,
    'source-layer': layer,
    paint: { 'fill-color': colour, 'fill-antialias': false, 'fill-opacity': opacity },
    ...rest,
  });
  const line = (
    layer: string,
    colour: string,
    width: ExpressionSpecification,
    more: {
      readonly part?: string;
      readonly filter?: ExpressionSpecification;
      readonly dash?: number[];
    } = {},
  ): LayerSpecification => ({
    id: `${detailsSource}-${more.part ?? layer}`,
    type: 'line',
    source: detailsSource,
    'source-layer': layer,
    ...(more.filter && { filter: more.filter }),
    layout: { 'line-join': 'round' },
    paint: {
      'line-color': colour,
      'line-width': width,
      ...(more.dash && { 'line-dasharray': more.dash }),
    },
  });
  return [
    fill('sea', theme.mapWater, { minzoom: lastZoom }),
    fill('land', theme.mapLand, { minzoom: lastZoom }),
    // Near, where it fills the screen, it must not be taken for the land's own colour.
    fill('urban', theme.mapBuilding, { filter: inTime, opacity: byZoom(4, 1, 9, 0.55) }),
    line('provinces', theme.mapBorder, wide(3, 0.5, 8, 1), { filter: inTime, dash: [3, 2] }),
    line('rivers', theme.mapRiver, wide(2, 0.4, 6, 0.8, 12, 2.4), { filter: inTime }),
    fill('lakes', theme.mapWater, { filter: inTime }),
    line('lakes', theme.mapRiver, wide(2, 0.3, 8, 0.9), { part: 'shores', filter: inTime }),
    line('borders', theme.mapBorder, wide(7, 1.2, 12, 1.8)),
    line('coasts', theme.mapCoast, wide(7, 1.2, 12, 1.6)),
    ...waterNames(theme, textScale),
    ...signs(theme, textScale),
    {
      id: `${detailsSource}-dots`,
      type: 'circle',
      source: townsSource,
      'source-layer': townsLayer,
      minzoom: 4,
      paint: {
        'circle-radius': ['interpolate', ['linear'], ['get', 'size'], 100, 1.6, 350, 2.6],
        'circle-color': theme.mapLabel,
        'circle-stroke-color': theme.mapLabelHalo,
        'circle-stroke-width': 1,
      },
    },
    {
      id: `${detailsSource}-names`,
      type: 'symbol',
      source: townsSource,
      'source-layer': townsLayer,
      layout: {
        'text-field': labelField(['to-string', ['get', 'name']], townSize, textScale),
        'text-font': [...mapFonts],
        'text-size': textSize(townSize, textScale),
        'text-max-width': 8,
        'text-padding': 4,
        'text-variable-anchor-offset': [...namePlaces(0.45), ...namePlaces(besideMark)],
        'text-justify': 'auto',
        'symbol-sort-key': ['get', 'order'],
      },
      paint: {
        'text-color': theme.mapLabel,
        'text-halo-color': theme.mapLabelHalo,
        'text-halo-width': 1.2,
        'text-halo-blur': 0.4,
      },
    },
  ];
}

/** Along rivers and in lakes. They give way to everything else that is written. */
function waterNames(theme: MapTheme, textScale: number): LayerSpecification[] {
  const layout = {
    'text-field': ['to-string', ['get', 'name']] as ExpressionSpecification,
    'text-font': [...mapFonts],
    'text-size': textSize(waterSize, textScale),
    'text-letter-spacing': 0.04,
    'symbol-sort-key': ['get', 'zoom'] as ExpressionSpecification,
  };
  const paint = {
    'text-color': theme.mapWaterLabel,
    'text-halo-color': theme.mapLabelHalo,
    'text-halo-width': 1.2,
    'text-halo-blur': 0.4,
  };
  const [smoothRivers, rivers, lakes] = waterNamesLayers;
  const along = {
    ...layout,
    'symbol-placement': 'line' as const,
    'symbol-spacing': 420,
    'text-max-angle': 35,
    'text-padding': 6,
  };
  const common = { type: 'symbol' as const, source: detailsSource, paint };
  return [
    {
      ...common,
      id: `${detailsSource}-river-names`,
      'source-layer': smoothRivers,
      minzoom: 4,
      maxzoom: ownLineZoom,
      filter: inTime,
      layout: along,
    },
    {
      ...common,
      id: `${detailsSource}-river-names-near`,
      'source-layer': rivers,
      minzoom: ownLineZoom,
      filter: ['has', 'name'],
      layout: along,
    },
    {
      ...common,
      id: `${detailsSource}-lake-names`,
      'source-layer': lakes,
      minzoom: 3,
      filter: inTime,
      layout: { ...layout, 'text-max-width': 7, 'text-padding': 4 },
    },
  ];
}

/** Airports with their codes, and ports, from as near as an operator plans a flight. */
function signs(theme: MapTheme, textScale: number): LayerSpecification[] {
  const common = { type: 'symbol' as const, source: detailsSource, minzoom: 8, filter: inTime };
  return [
    {
      ...common,
      id: `${detailsSource}-ports`,
      'source-layer': 'ports',
      layout: { 'icon-image': portIcon, 'icon-padding': 2 },
    },
    {
      ...common,
      id: `${detailsSource}-airports`,
      'source-layer': 'airports',
      layout: {
        'icon-image': airportIcon,
        'icon-padding': 2,
        'text-field': ['to-string', ['coalesce', ['get', 'code'], '']],
        'text-font': [...mapFonts],
        'text-size': textSize(codeSize, textScale),
        'text-anchor': 'top',
        'text-offset': [0, 0.8],
        'text-optional': true,
      },
      paint: {
        'text-color': theme.mapLabel,
        'text-halo-color': theme.mapLabelHalo,
        'text-halo-width': 1.2,
      },
    },
  ];
}
