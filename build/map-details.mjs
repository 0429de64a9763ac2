import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { GeoJSONVT } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { merge, mesh } from 'topojson-client';
import { cutLine, cutPolygon } from './basemap-geometry.mjs';
import { labelPoint, polygonArea } from './basemap-labels.mjs';
import { lakeName, riverName } from './water-names.mjs';
import { nameLines } from './name-lines.mjs';
import { pmtilesArchive } from './pmtiles-archive.mjs';

/**
 * Makes the details of the bundled map: `details.pmtiles`, vector tiles of zooms 2 to 7. The result is committed.
 *
 *   node build/map-details.mjs FOLDER
 *
 * FOLDER holds Natural Earth (naturalearthdata.com, public domain) as gzipped GeoJSON, its attributes in small
 * letters: populated-places, rivers, lakes, airports and ports at 10m, urban-areas and admin-1-lines at 50m. Land,
 * coasts and borders at 10m are those of world-atlas.
 *
 *   sea, land, coasts, borders  at zoom 7, in the place of the coarser ones of basemap.mjs; `sea` fills the tiles
 *                               that have a coast, so that it hides the coarser land
 *   urban, lakes, rivers, provinces  `zoom`, from which they are worth being drawn; a river's `name` at zoom 7
 *   riverNames  lines for the rivers' names as long as their own turn too often: `name`, `zoom` of the river
 *   lakeNames  a point in each lake that has a name: `name`, and `zoom`, from which the lake has room for it
 *   towns     `en`, and `es`, `fr`, `zh` where they differ; `zoom`; `order`, the least the most important; `capital`
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

/** @param {string} folder Where Natural Earth lies. */
async function buildDetails(folder) {
  const read = async (name) =>
    JSON.parse(gunzipSync(await readFile(join(folder, `${name}.geojson.gz`))).toString('utf8')).features;
  const ranked = async (name) =>
    unique(await read(name)).filter(({ properties: { scalerank } }) => scalerank <= greatestRank);
  const topology = JSON.parse(await readFile(`${root}node_modules/world-atlas/countries-10m.json`, 'utf8'));
  const { countries } = topology.objects;
  const area = { type: 'MultiPolygon', coordinates: merge(topology, countries.geometries).coordinates };
  const lines = (isKept) => ({
    type: 'MultiLineString',
    coordinates: mesh(topology, countries, isKept).coordinates.flatMap(cutLine),
  });
  const plain = (geometry) => [{ type: 'Feature', properties: {}, geometry }];
  const lakes = await ranked('lakes-10m');
  const rivers = (await ranked('rivers-10m')).map(river);
  const layers = {
    land: { from: fineZoom, features: plain({ ...area, coordinates: area.coordinates.flatMap(cutPolygon) }) },
    urban: { from: 3, features: (await read('urban-areas-50m')).map(zoomOnly) },
    lakes: { from: firstZoom, features: lakes.map(zoomOnly) },
    rivers: { from: firstZoom, features: rivers },
    provinces: { from: 3, features: (await read('admin-1-lines-50m')).map(zoomOnly) },
    coasts: { from: fineZoom, features: plain(lines((a, b) => a === b)) },
    borders: { from: fineZoom, features: plain(lines((a, b) => a !== b)) },
    ports: { from: 6, features: (await read('ports-10m')).map(sign) },
    airports: { from: 6, features: (await read('airports-10m')).map(sign) },
    riverNames: { from: firstNameZoom, featuresAt: (zoom) => riverNames(rivers, zoom) },
    lakeNames: { from: firstZoom, features: lakeNames(lakes) },
    towns: { from: firstZoom, features: (await read('populated-places-10m')).map(town) },
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

const zoomOf = (minZoom) => Number(Math.max(0, minZoom - 1).toFixed(1));

const zoomOnly = ({ geometry, properties: { min_zoom } }) => ({
  type: 'Feature',
  properties: { zoom: zoomOf(min_zoom) },
  geometry,
});

/** Rivers of greater rank are named along their own line only: these would be half of all. */
const greatestSmoothRank = 9;

/** A line that only joins a lake's rivers has no name: there the lake's stands. */
function river(feature) {
  const { featurecla, name, scalerank } = feature.properties;
  const plain = { ...zoomOnly(feature), rank: scalerank };
  const text = featurecla.startsWith('Lake') ? null : riverName(name);
  return text === null ? plain : { ...plain, properties: { ...plain.properties, name: text } };
}

/** A river is named this much later than it is drawn: from afar its line says enough. */
const nameDelay = 1;
/** What is named before the next zoom's tiles are there, one feature for each name and zoom. */
function riverNames(rivers, zoom) {
  const named = rivers.filter(
    ({ rank, properties }) =>
      properties.name && rank <= greatestSmoothRank && properties.zoom + nameDelay < zoom + 1,
  );
  const groups = Map.groupBy(named, ({ properties }) => `${properties.zoom} ${properties.name}`);
  return [...groups.values()].map((group) => ({
    type: 'Feature',
    properties: { ...group[0].properties, zoom: group[0].properties.zoom + nameDelay },
    geometry: {
      type: 'MultiLineString',
      coordinates: nameLines(
        group.flatMap(({ geometry: { type, coordinates } }) =>
          type === 'LineString' ? [coordinates] : coordinates,
        ),
        zoom + 0.5,
      ),
    },
  }));
}

/** Two parts of a lake nearer than this, in degrees, are named once. */
const oneLakeDegrees = 0.7;
/** How wide a letter is, in pixels, how many are on a line at most, and how far a name may reach over its lake. */
const [letterPx, lettersPerLine, overhang] = [6, 12, 1.6];

/** The largest lakes first. */
function lakeNames(lakes) {
  const named = lakes
    .map(({ geometry, properties }) => {
      const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
      const [largest] = polygons.toSorted((a, b) => polygonArea(b) - polygonArea(a));
      return { polygon: largest, area: polygonArea(largest), name: lakeName(properties.name), properties };
    })
    .filter(({ name }) => name !== null)
    .toSorted((a, b) => b.area - a.area);
  const places = new Map();
  return named.flatMap(({ polygon, name, properties }) => {
    const point = labelPoint(polygon);
    const others = places.get(name) ?? [];
    if (others.some(([lng, lat]) => Math.hypot(lng - point[0], lat - point[1]) < oneLakeDegrees)) return [];
    places.set(name, [...others, point]);
    const namePx = Math.min(name.length, lettersPerLine) * letterPx;
    const roomZoom = Math.log2(namePx / overhang / (512 * reachOf(polygon)));
    const zoom = Number(Math.max(zoomOf(properties.min_zoom), roomZoom).toFixed(1));
    return [{ type: 'Feature', properties: { name, zoom }, geometry: { type: 'Point', coordinates: point } }];
  });
}

/** The longer side of a polygon's box, as a share of the world's width in Web Mercator. */
function reachOf([outer]) {
  const spanOf = (values) => Math.max(...values) - Math.min(...values);
  const north = (latitude) => Math.asinh(Math.tan((latitude * Math.PI) / 180)) / (2 * Math.PI);
  return Math.max(spanOf(outer.map(([lng]) => lng / 360)), spanOf(outer.map(([, lat]) => north(lat))));
}

function town({ geometry, properties }) {
  const { name, name_en, name_es, name_fr, name_zh, adm0cap, pop_max, scalerank, min_zoom } = properties;
  const en = name_en || name;
  const others = Object.entries({ es: name_es, fr: name_fr, zh: name_zh });
  return {
    type: 'Feature',
    properties: {
      en,
      ...Object.fromEntries(others.filter(([, other]) => other && other !== en)),
      zoom: zoomOf(min_zoom),
      // By rank, and by inhabitants within one.
      order: Math.round(scalerank * 100 - 10 * Math.log10(Math.max(1, pop_max))),
      ...(adm0cap === 1 ? { capital: 1 } : {}),
    },
    geometry,
  };
}

/** Those of little rank come in closer: they are small, and many. */
const pointZoom = (scalerank) => Math.max(6, scalerank);

const sign = ({ geometry, properties: { iata_code, scalerank } }) => ({
  type: 'Feature',
  properties: { zoom: pointZoom(scalerank), ...(iata_code ? { code: iata_code } : {}) },
  geometry,
});

/** Those of the world, of Europe and of North America lie one after the other, and overlap. */
function unique(features) {
  const seen = new Set();
  return features.filter(({ geometry }) => {
    const key = JSON.stringify(geometry);
    return geometry && !seen.has(key) && seen.add(key);
  });
}

function tilesOf(layers) {
  const indexOf = (features, tolerance = 3) =>
    new GeoJSONVT(
      { type: 'FeatureCollection', features },
      // One zoom more than is taken: the deepest is not made simpler.
      { maxZoom: lastZoom + 1, indexMaxZoom: 4, tolerance, buffer: 64, extent },
    );
  const indexes = Object.entries(layers).map(([name, { from, features, featuresAt }]) => ({
    name,
    from,
    indexAt: featuresAt ? (zoom) => indexOf(featuresAt(zoom), 12) : always(indexOf(features)),
  }));
  const tiles = [];
  for (let zoom = firstZoom; zoom <= lastZoom; zoom += 1) {
    const drawn = indexes
      .filter(({ from }) => from <= zoom)
      .map(({ name, indexAt }) => ({ name, index: indexAt(zoom) }));
    for (let x = 0; x < 2 ** zoom; x += 1) {
      for (let y = 0; y < 2 ** zoom; y += 1) {
        const found = drawn
          .map(({ name, index }) => [name, inTime(name, index.getTile(zoom, x, y), zoom)])
          .filter(([, tile]) => tile !== null);
        if (found.length === 0) continue;
        const content = Object.fromEntries(found);
        if (content.coasts) content.sea = { features: [whole] };
        tiles.push({ zoom, x, y, data: fromGeojsonVt(content, { version: 2, extent }) });
      }
    }
  }
  return tiles;
}

const always = (value) => () => value;

/** What of a tile may be drawn before the next zoom's are; at the last zoom all is, and rivers have their names. */
function inTime(layer, tile, zoom) {
  const isLast = zoom === lastZoom;
  const features = (tile?.features ?? [])
    .filter(({ tags }) => isLast || (tags.zoom ?? 0) < zoom + 1)
    .map((feature) =>
      layer === 'rivers' && !isLast ? { ...feature, tags: { zoom: feature.tags.zoom } } : feature,
    );
  return features.length === 0 ? null : { features };
}

const [near, far] = [-64, extent + 64];
const whole = {
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
  if (folder === undefined)
    throw new Error('Say where Natural Earth lies: node build/map-details.mjs FOLDER');
  const archive = await buildDetails(folder);
  await writeFile(detailsFile, archive);
  process.stdout.write(`${detailsFile} ${archive.byteLength} bytes\n`);
}
