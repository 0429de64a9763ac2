import { setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import './map.css';
import { countSample } from './clusters/countText.ts';
import { countryNames } from './countryLabels.ts';
import { loadFonts, mapFont } from './font.ts';
import { IncidentMap } from './incidentMap.ts';
import type { IncidentMapOptions, MapState } from './types.ts';

export type { IncidentMap, IncidentMapOptions, MapState };
export type { MapWords } from './types.ts';

/**
 * Makes the map. Resolves as soon as it takes rows, before it is drawn (state `ready`); without WebGL with null, and the
 * state becomes `no-webgl`.
 *
 * The container carries `data-map-state` and `data-drawn-incidents` (how many incidents the marks on
 * screen stand for, everywhere in the world), `data-pinned-incidents` and `data-drawn-drones`, for tests and for
 * a look from outside.
 */
export async function createIncidentMap(options: IncidentMapOptions): Promise<IncidentMap | null> {
  const report = (state: MapState): void => {
    options.container.dataset['mapState'] = state;
    options.onState(state);
  };
  report('loading');
  setWorkerUrl(workerUrl);
  await Promise.allSettled([
    document.fonts.load(`12px "${mapFont}"`),
    document.fonts.load(`600 12px "${mapFont}"`),
    loadFonts(countryNames(options.words.nameCountry).join(' ')),
    loadFonts(countSample(options.words.language)),
  ]);
  try {
    // Without WebGL MapLibre throws and leaves the container empty. To try that on a canvas before, and to lose
    // its context again, held up the page for about 0.5 s where the map is drawn in software.
    const map = new IncidentMap(options, report);
    await map.usable;
    return map;
  } catch {
    report('no-webgl');
    return null;
  }
}
