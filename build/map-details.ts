import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature, GeoJsonProperties, Geometry, Position } from 'geojson';
import { merge, mesh } from 'topojson-client';
import { cutLine, cutPolygon, lineOf, polygonOf, type Point, type Polygon } from './basemap-geometry.ts';
import { labelPoint, polygonArea } from './basemap-labels.ts';
import { lakeName, riverName } from './water-names.ts';
import { nameLines } from './name-lines.ts';
import { pmtilesArchive, type Tile } from './pmtiles-archive.ts';

/**
 * Makes the details of the bundled map: `details.pmtiles`, vector tiles of zooms 2 to 7. The result is committed.
 *
 *   node build/map-details.ts FOLDER
 *
 * FOLDER holds Natural Earth (naturalearthdata.com, public domain) as gzipped GeoJSON, its attributes in small
 * letters: rivers, lakes, airports and ports at 10m, urban-areas and admin-1-lines at 50m. Land, coasts and borders at 10m
 * are those of world-atlas. Towns are those of the gazetteer (towns.ts), which the page cuts into tiles itself.
 *
 *   sea, land, coasts, borders  at zoom 7, in the place of the coarser ones of basemap.ts; `sea` fills the tiles
 *                               that have a coast, so that it hides the coarser land
 *   urban, lakes, rivers, provinces  `zoom`, from which they are worth being drawn; a river's `name` at zoom 7
 *   riverNames  lines for the rivers' names as long as their own turn too often: `name`, `zoom` of the river
 *   lakeNames  a point in each lake that has a name: `name`, and `zoom`, from which the lake has room for it
 *   airports, ports  `zoom`, and an airport's IATA `code`
 *
 * Natural Earth's zooms are those of tiles of 256 pixels; those here, as MapLibre's, are of 512.
 */
const firstZoom = 2;
const lastZoom = 7;
const fineZoom = 7;
const firstNameZoom = 4;
/** Of rivers and lakes: streams and ponds of greater rank would be half of the archive. */
const greatestRank = 10;
const extent = 4096;
const root = fileURLToPath(new URL('../', import.meta.url));
export const detailsFile = `${root}build/assets/basemap/details.pmtiles`;

/** An attribute of Natural Earth may be missing, as may a geometry. */
interface Source<P> {
  readonly properties: P;
  readonly geometry: Geometry;
}
interface Ranked {
  readonly scalerank: number;
  readonly min_zoom: number;
}
interface Water extends Ranked {
  readonly featurecla: string;
  readonly name: string | null;
}
interface Mark extends Ranked {
  readonly iata_code?: string | null;
}
/** What is drawn, from `zoom` on. */
type Drawn<P = GeoJsonProperties> = Feature<Geometry, P & { readonly zoom?: number }>;
interface River extends Drawn<{ readonly name?: string; readonly zoom: number }> {
  readonly rank: number;
}
/** `from`: the first zoom whose tiles have it. */
interface Layer {
  readonly from: number;
  readonly features?: readonly Drawn[];
  readonly featuresAt?: (zoom: number) => readonly Drawn[];
}

/** `folder`: where Natural Earth lies. */
async function buildDetails(folder: string): Promise<Buffer> {
  const read = async <P>(name: string): Promise<readonly Source<P>[]> =>
    JSON.parse(gunzipSync(await readFile(join(folder, `${name}.geojson.gz`))).toString('utf8')).features;
  const ranked = async (name: string) =>
    unique(await read<Water>(name)).filter(({ properties: { scalerank } }) => scalerank <= greatestRank);
  const topology = JSON.parse(await readFile(`${root}node_modules/world-atlas/countries-10m.json`, 'utf8'));
  const { countries } = topology.objects;
  const land = merge(topology, countries.geometries).coordinates.map(polygonOf).flatMap(cutPolygon);
  const lines = (isKept: Parameters<typeof mesh>[2]) =>
    mesh(topology, countries, isKept).coordinates.map(lineOf).flatMap(cutLine);
  /** One feature of all. The library changes nothing that it is given. */
  const plain = (
    type: 'MultiPolygon' | 'MultiLineString',
    coordinates: readonly object[],
  ): readonly Drawn[] => [{ type: 'Feature', properties: {}, geometry: { type, coordinates } as Geometry }];
  const lakes = await ranked('lakes-10m');
  const rivers = (await ranked('rivers-10m')).map(river);
  const layers: Readonly<Record<string, Layer>> = {
    land: { from: fineZoom, features: plain('MultiPolygon', land) },
    urban: { from: 3, features: (await read<Ranked>('urban-areas-50m')).map(zoomOnly) },
    lakes: { from: firstZoom, features: lakes.map(zoomOnly) },
    rivers: { from: firstZoom, features: rivers },
    provinces: { from: 3, features: (await read<Ranked>('admin-1-lines-50m')).map(zoomOnly) },
    coasts: {
      from: fineZoom,
      features: plain(
        'MultiLineString',
        lines((a, b) => a === b),
      ),
    },
    borders: {
      from: fineZoom,
      features: plain(
        'MultiLineString',
        lines((a, b) => a !== b),
      ),
    },
    ports: { from: 6, features: (await read<Mark>('ports-10m')).map(sign) },
    airports: { from: 6, features: (await read<Mark>('airports-10m')).map(sign) },
    riverNames: { from: firstNameZoom, featuresAt: (zoom) => riverNames(rivers, zoom) },
    lakeNames: { from: firstZoom, features: lakeNames(lakes) },
  };
  const tiles = tilesOf(layers);
  return pmtilesArchive({
    tiles,
    minZoom: firstZoom,
    maxZoom: lastZoom,
    metadata: {
      attribution: 'Natural Earth',
      vector_layers: ['sea', ...Object.keys(layers)].map((id) => ({ id, fields: {} })),
    },
  });
}

const zoomOf = (minZoom: number) => Number(Math.max(0, minZoom - 1).toFixed(1));

const zoomOnly = ({ geometry, properties: { min_zoom } }: Source<Ranked>) => ({
  type: 'Feature' as const,
  properties: { zoom: zoomOf(min_zoom) },
  geometry,
});

/** Rivers of greater rank are named along their own line only: these would be half of all. */
const greatestSmoothRank = 9;

/** A line that only joins a lake's rivers has no name: there the lake's stands. */
function river(feature: Source<Water>): River {
  const { featurecla, name, scalerank } = feature.properties;
  const plain = { ...zoomOnly(feature), rank: scalerank };
  const text = featurecla.startsWith('Lake') ? null : riverName(name);
  return text === null ? plain : { ...plain, properties: { ...plain.properties, name: text } };
}

/** A river is named this much later than it is drawn: from afar its line says enough. */
const nameDelay = 1;
/** What is named before the next zoom's tiles are there, one feature for each name and zoom. */
function riverNames(rivers: readonly River[], zoom: number): readonly Drawn[] {
  const named = rivers.filter(
    ({ rank, properties }) =>
      properties.name && rank <= greatestSmoothRank && properties.zoom + nameDelay < zoom + 1,
  );
  const groups = Map.groupBy(named, ({ properties }) => `${properties.zoom} ${properties.name}`);
  return [...groups.values()].flatMap((group) => {
    const lines = group.flatMap(({ geometry }) => linesOf(geometry)).map(lineOf);
    const coordinates = nameLines(lines, zoom + 0.5).map((line) => line.map((point) => [...point]));
    return group.slice(0, 1).map(({ properties }) => ({
      type: 'Feature' as const,
      properties: { ...properties, zoom: properties.zoom + nameDelay },
      geometry: { type: 'MultiLineString' as const, coordinates },
    }));
  });
}

function linesOf(geometry: Geometry): readonly Position[][] {
  if (geometry.type === 'LineString') return [geometry.coordinates];
  return geometry.type === 'MultiLineString' ? geometry.coordinates : [];
}

function polygonsOf(geometry: Geometry): readonly Polygon[] {
  if (geometry.type === 'Polygon') return [polygonOf(geometry.coordinates)];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.map(polygonOf) : [];
}

/** Two parts of a lake nearer than this, in degrees, are named once. */
const oneLakeDegrees = 0.7;
/** How wide a letter is, in pixels, how many are on a line at most, and how far a name may reach over its lake. */
const [letterPx, lettersPerLine, overhang] = [6, 12, 1.6];

/** The largest lakes first. */
function lakeNames(lakes: readonly Source<Water>[]): readonly Drawn[] {
  const named = lakes
    .flatMap(({ geometry, properties }) => {
      const [polygon = []] = polygonsOf(geometry).toSorted((a, b) => polygonArea(b) - polygonArea(a));
      const name = lakeName(properties.name);
      return name === null ? [] : [{ polygon, area: polygonArea(polygon), name, properties }];
    })
    .toSorted((a, b) => b.area - a.area);
  const places = new Map<string, readonly Point[]>();
  return named.flatMap(({ polygon, name, properties }) => {
    const point = labelPoint(polygon);
    const others = places.get(name) ?? [];
    if (others.some(([lng, lat]) => Math.hypot(lng - point[0], lat - point[1]) < oneLakeDegrees)) return [];
    places.set(name, [...others, point]);
    const namePx = Math.min(name.length, lettersPerLine) * letterPx;
    const roomZoom = Math.log2(namePx / overhang / (512 * reachOf(polygon)));
    const zoom = Number(Math.max(zoomOf(properties.min_zoom), roomZoom).toFixed(1));
    return [
      {
        type: 'Feature' as const,
        properties: { name, zoom },
        geometry: { type: 'Point' as const, coordinates: [...point] },
      },
    ];
  });
}

/** The longer side of a polygon's box, as a share of the world's width in Web Mercator. */
function reachOf([outer = []]: Polygon): number {
  const spanOf = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  const north = (latitude: number) => Math.asinh(Math.tan((latitude * Math.PI) / 180)) / (2 * Math.PI);
  return Math.max(spanOf(outer.map(([lng]) => lng / 360)), spanOf(outer.map(([, lat]) => north(lat))));
}

/** Those of little rank come in closer: they are small, and many. */
const pointZoom = (scalerank: number) => Math.max(6, scalerank);

const sign = ({ geometry, properties: { iata_code, scalerank } }: Source<Mark>): Drawn => ({
  type: 'Feature',
  properties: { zoom: pointZoom(scalerank), ...(iata_code ? { code: iata_code } : {}) },
  geometry,
});

/** Those of the world, of Europe and of North America lie one after the other, and overlap. */
function unique<P>(features: readonly Source<P>[]): readonly Source<P>[] {
  const seen = new Set<string>();
  return features.filter(({ geometry }) => {
    const key = JSON.stringify(geometry);
    return geometry && !seen.has(key) && seen.add(key);
  });
}

function tilesOf(layers: Readonly<Record<string, Layer>>): readonly Tile[] {
  const indexOf = (features: readonly Drawn[], tolerance = 3) =>
    new GeoJSONVT(
      { type: 'FeatureCollection', features: [...features] },
      // One zoom more than is taken: the deepest is not made simpler.
      { maxZoom: lastZoom + 1, indexMaxZoom: 4, tolerance, buffer: 64, extent },
    );
  const indexes = Object.entries(layers).map(([name, { from, features, featuresAt }]) => ({
    name,
    from,
    indexAt: featuresAt ? (zoom: number) => indexOf(featuresAt(zoom), 12) : always(indexOf(features ?? [])),
  }));
  const tiles: Tile[] = [];
  for (let zoom = firstZoom; zoom <= lastZoom; zoom += 1) {
    const drawn = indexes
      .filter(({ from }) => from <= zoom)
      .map(({ name, indexAt }) => ({ name, index: indexAt(zoom) }));
    for (let x = 0; x < 2 ** zoom; x += 1) {
      for (let y = 0; y < 2 ** zoom; y += 1) {
        const content: Record<string, Content> = {};
        for (const { name, index } of drawn) {
          const features = inTime(name, index.getTile(zoom, x, y), zoom);
          if (features.length > 0) content[name] = { features };
        }
        if (Object.keys(content).length === 0) continue;
        if (content['coasts']) content['sea'] = { features: [whole] };
        tiles.push({ zoom, x, y, data: fromGeojsonVt(asTiles(content), { version: 2, extent }) });
      }
    }
  }
  return tiles;
}

const always =
  <T>(value: T) =>
  () =>
    value;

/** What of a tile is encoded. */
interface Content {
  readonly features: readonly {
    readonly type: number;
    readonly geometry: unknown;
    readonly tags: { readonly zoom?: number } | null;
  }[];
}

/** What of a tile may be drawn before the next zoom's are; at the last zoom all is, and rivers have their names. */
const asTiles = (content: object) => content as Record<string, GeoJSONVTTile>;

function inTime(layer: string, tile: Content | null, zoom: number): Content['features'] {
  const isLast = zoom === lastZoom;
  return (tile?.features ?? [])
    .filter(({ tags }) => isLast || (tags?.zoom ?? 0) < zoom + 1)
    .map((feature) =>
      layer === 'rivers' && !isLast ? { ...feature, tags: { zoom: feature.tags?.zoom ?? 0 } } : feature,
    );
}

const [near, far] = [-64, extent + 64];
const whole: Content['features'][number] = {
  type: 3,
  geometry: [
    [
      [near, near],
      [far, near],
      [far, far],
      [near, far],
      [near, near],
    ],
  ],
  tags: {},
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error('Say where Natural Earth lies: node build/map-details.ts FOLDER');
  const archive = await buildDetails(folder);
  await writeFile(detailsFile, archive);
  process.stdout.write(`${detailsFile} ${archive.byteLength} bytes\n`);
}
