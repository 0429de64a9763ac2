import { Map as GlMap, setWorkerUrl, type StyleSpecification } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import { themes } from '../../../src-renderer/design/tokens.ts';
import { mapStyle, marksLayerId, marksSource, selectionLayerId } from '../../../src-renderer/map/style.ts';

/** MapLibre as it comes, its own clustering of a GeoJSON source, over the console's basemap. */
export function createBareMap({
  container,
  points,
  base,
}: {
  readonly container: HTMLElement;
  /** Where its GeoJSON is. */
  readonly points: string;
  /** Where the basemap's files are. */
  readonly base: string;
}): GlMap {
  setWorkerUrl(workerUrl);
  return new GlMap({
    container,
    style: bareStyle(points, base),
    bounds: [
      [-180, -58],
      [180, 74],
    ],
    fadeDuration: 0,
    attributionControl: false,
  });
}

function bareStyle(points: string, base: string): StyleSpecification {
  const style = mapStyle({
    theme: themes.night,
    textScale: 1,
    nameCountry: String,
    tiles: 'none://{z}/{x}/{y}',
    base,
  });
  const ours = new Set(['selection-ring', selectionLayerId, marksLayerId]);
  style.layers = style.layers.filter(({ id }) => !ours.has(id));
  style.sources = {
    ...style.sources,
    [marksSource]: {
      type: 'geojson',
      data: points,
      cluster: true,
      clusterRadius: 44,
      clusterMaxZoom: 16,
      clusterProperties: { worst: ['max', ['get', 'rank']] },
    },
  };
  style.layers.push(
    {
      id: 'marks',
      type: 'circle',
      source: marksSource,
      paint: { 'circle-radius': ['case', ['has', 'point_count'], 15, 6], 'circle-color': '#3ba4ff' },
    },
    {
      id: 'counts',
      type: 'symbol',
      source: marksSource,
      filter: ['has', 'point_count'],
      layout: {
        'text-field': ['get', 'point_count_abbreviated'],
        'text-font': ['Inter Variable'],
        'text-size': 12,
        'text-allow-overlap': true,
      },
    },
  );
  return style;
}
