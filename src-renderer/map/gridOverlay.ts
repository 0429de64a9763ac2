import type { GeoJSONSource, LayerSpecification, Map as GlMap } from 'maplibre-gl';
import { mapFonts } from './font.ts';
import type { DrawnMap } from './graphics.ts';
import { turnPixelsAtZero } from './oneWorld.ts';
import type { Corner, ViewArea } from './ring.ts';
import type { MapTheme } from './theme.ts';

/** A line of a grid; `main` ones are drawn heavier. */
export interface GridLine {
  readonly points: readonly Corner[];
  readonly main: boolean;
}

/** A text of a grid: in the middle of something, or inside the map's upper or left edge. */
export interface GridLabel {
  readonly at: Corner;
  readonly text: string;
  readonly place: 'middle' | 'top' | 'left';
}

export interface GridDrawing {
  readonly lines: readonly GridLine[];
  readonly labels: readonly GridLabel[];
}

/** What a grid is made for: what the map shows (longitudes may lie beyond 180 degrees), and how large. */
export interface GridView extends ViewArea {
  /** Of the map's middle. */
  readonly metresPerPixel: number;
  /** Of longitude, everywhere. */
  readonly pixelsPerDegree: number;
  /** The latitude at which names stand: the upper edge's. */
  readonly namesNorth: number;
}

type GridMaker = (view: GridView) => GridDrawing;
type GridName = 'graticule' | 'mgrs-grid';
export type GridMakers = Readonly<Record<GridName, GridMaker | null>>;

const names: readonly GridName[] = ['graticule', 'mgrs-grid'];
/** The lowest layer of the grids: what belongs under them is put before it. */
export const lowestGridLayer = 'graticule-lines';

export const gridSources = Object.fromEntries(
  names.map((name) => [
    name,
    { type: 'geojson' as const, data: { type: 'FeatureCollection' as const, features: [] }, maxzoom: 14 },
  ]),
);

/** Two hues of the map's own labels: the grids differ by weight and dash, not by colour. */
export const gridLayers = (theme: MapTheme, textScale: number): LayerSpecification[] =>
  names.flatMap((name): LayerSpecification[] => [
    {
      id: `${name}-lines`,
      type: 'line',
      source: name,
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: {
        'line-color': theme.mapLabel,
        'line-width': ['case', ['==', ['get', 'main'], 1], 1.5 * theme.stroke, 0.75 * theme.stroke],
        'line-opacity': ['case', ['==', ['get', 'main'], 1], 0.75, 0.5],
        ...(name === 'graticule' ? { 'line-dasharray': [5, 4] } : {}),
      },
    },
    {
      id: `${name}-labels`,
      type: 'symbol',
      source: name,
      filter: ['==', ['geometry-type'], 'Point'],
      layout: {
        'text-field': ['get', 'text'],
        'text-font': [...mapFonts],
        'text-size': 11 * textScale,
        'text-anchor': ['match', ['get', 'place'], 'top', 'top', 'left', 'left', 'center'],
        'text-offset': [
          'match',
          ['get', 'place'],
          'top',
          ['literal', [0, 0.4]],
          'left',
          ['literal', [0.4, 0]],
          // Not in the very middle, where the map's own mark may stand.
          ['literal', [0, 2]],
        ],
        'text-padding': 4,
      },
      paint: {
        'text-color': theme.mapLabel,
        'text-halo-color': theme.mapLabelHalo,
        'text-halo-width': 1.6,
      },
    },
  ]);

/** Draws grids that are made again whenever the map comes to rest. */
export class GridOverlay {
  readonly #map: GlMap;
  readonly #isDrawable: () => boolean;
  #makers: GridMakers = { graticule: null, 'mgrs-grid': null };

  constructor({ map, isDrawable }: DrawnMap) {
    this.#map = map;
    this.#isDrawable = isDrawable;
    map.on('moveend', () => {
      if (names.some((name) => this.#makers[name] !== null)) this.apply();
    });
  }

  setMakers(makers: GridMakers): void {
    this.#makers = makers;
    this.apply();
  }

  /** Writes the grids into the map; again after it lost its graphics. */
  apply(): void {
    if (!this.#isDrawable()) return;
    const view = viewOf(this.#map);
    for (const name of names) {
      const drawing = this.#makers[name]?.(view) ?? { lines: [], labels: [] };
      void this.#map.getSource<GeoJSONSource>(name)?.setData({
        type: 'FeatureCollection',
        features: [
          ...drawing.lines.map(({ points, main }) => ({
            type: 'Feature' as const,
            geometry: { type: 'LineString' as const, coordinates: points.map((point) => [...point]) },
            properties: { main: main ? 1 : 0 },
          })),
          ...drawing.labels.map(({ at, text, place }) => ({
            type: 'Feature' as const,
            geometry: { type: 'Point' as const, coordinates: [...at] },
            properties: { text, place },
          })),
        ],
      });
    }
    const drawn = names.filter((name) => this.#makers[name] !== null);
    this.#map.getContainer().dataset['grids'] = drawn.join(' ');
  }
}

/** Metres around the equator. */
const turnMetres = 40_075_016.686;

function viewOf(map: GlMap): GridView {
  const bounds = map.getBounds();
  const shrink = Math.cos((map.getCenter().lat * Math.PI) / 180);
  const turnPixels = turnPixelsAtZero * 2 ** map.getZoom();
  const { lng } = map.getCenter();
  return {
    west: Math.max(bounds.getWest(), lng - 180),
    south: bounds.getSouth(),
    east: Math.min(bounds.getEast(), lng + 180),
    north: bounds.getNorth(),
    metresPerPixel: (turnMetres * shrink) / turnPixels,
    pixelsPerDegree: turnPixels / 360,
    namesNorth: map.unproject([0, 0]).lat,
  };
}
