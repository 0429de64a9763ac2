import '@fontsource-variable/inter';
import type { GeoJSONSource } from 'maplibre-gl';
import type { IncidentColumns } from '../../../src-preload/contract/index.ts';
import { marksSource } from '../../../src-renderer/map/style.ts';
import { benchFeatures, benchFrame, severities } from '../data.ts';
import { nextFrame, watchStalls } from './api.ts';
import { flightCamera, fly, spotOf } from './flight.ts';
import { createBareMap } from './bareMap.ts';

/** The floor: MapLibre as it comes, its own clustering of a GeoJSON source, over the same basemap. */
const began = performance.now();
const { searchParams } = new URL(location.href);
const size = Number(searchParams.get('size'));
const points = searchParams.get('points') ?? `points-${String(size)}.geojson`;
const map = createBareMap({
  container: document.querySelector<HTMLElement>('#map') as HTMLElement,
  points: new URL(points, document.baseURI).href,
  base: document.baseURI,
});
const source = (): GeoJSONSource => map.getSource<GeoJSONSource>(marksSource) as GeoJSONSource;

async function drawn(): Promise<void> {
  while (!map.getSource(marksSource) || !map.isSourceLoaded(marksSource)) await nextFrame();
  await new Promise<void>((resolve) => {
    map.once('render', () => {
      resolve();
    });
    map.triggerRepaint();
  });
}

async function open(): Promise<number> {
  await drawn();
  return performance.now();
}

let arrivals = 0;
/** Made when first needed, so that the opening of the page does not pay for it. */
let prepared: { readonly columns: IncidentColumns; readonly features: GeoJSON.Feature[] } | null = null;
function prepare(): { readonly columns: IncidentColumns; readonly features: GeoJSON.Feature[] } {
  const frame = prepared ? null : benchFrame(size, 0, true);
  prepared ??= frame && { columns: frame.columns, features: benchFeatures(frame) };
  return prepared as NonNullable<typeof prepared>;
}

window.bench = {
  opened: open(),
  began,
  async filter(severity) {
    const { columns, features } = prepare();
    const from = performance.now();
    const wanted = severity === null ? -1 : severities.indexOf(severity as (typeof severities)[number]);
    const kept: GeoJSON.Feature[] = [];
    for (let row = 0; row < columns.length; row += 1) {
      const feature = features[row];
      if (feature && (wanted < 0 || columns.severity[row] === wanted)) kept.push(feature);
    }
    await source().setData({ type: 'FeatureCollection', features: kept });
    await drawn();
    return performance.now() - from;
  },
  async live() {
    const add = benchFeatures(benchFrame(100, size + arrivals, false));
    arrivals += 100;
    const stalls = watchStalls();
    const from = performance.now();
    await source().updateData({ add });
    await drawn();
    return { drawnMs: performance.now() - from, stallMs: stalls() };
  },
  async idle(ms) {
    const stalls = watchStalls();
    await new Promise((resolve) => setTimeout(resolve, ms));
    return stalls();
  },
  fly(count, ms) {
    const { longitude, latitude, zoom } = flightCamera;
    map.jumpTo({ center: [longitude, latitude], zoom });
    const pointOf = (drone: number, report: number): GeoJSON.Point => ({
      type: 'Point',
      coordinates: [...spotOf(drone, report)],
    });
    const drones = Array.from({ length: count }, (_, drone) => drone);
    map.addSource('flight', {
      type: 'geojson',
      data: {
        type: 'FeatureCollection',
        features: drones.map((drone) => ({
          type: 'Feature',
          id: drone + 1,
          geometry: pointOf(drone, 0),
          properties: {},
        })),
      },
    });
    map.addLayer({ id: 'flight', type: 'circle', source: 'flight', paint: { 'circle-radius': 6 } });
    return fly(ms, (report) => {
      void map.getSource<GeoJSONSource>('flight')?.updateData({
        update: drones.map((drone) => ({ id: drone + 1, newGeometry: pointOf(drone, report) })),
      });
    });
  },
};
