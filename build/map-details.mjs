import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { GeoJSONVT } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { merge, mesh } from 'topojson-client';
import { cutLine, cutPolygon } from './basemap-geometry.mjs';
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
 *   urban, lakes, rivers, provinces  without properties but `zoom`, from which they are worth being drawn
 *   towns     `en`, and `es`, `fr`, `zh` where they differ; `zoom`; `order`, the least the most important; `capital`
 *   airports, ports  `zoom`, and an airport's IATA `code`
 *
 * Natural Earth's zooms are those of tiles of 256 pixels; those here, as MapLibre's, are of 512.
 */
const firstZoom = 2;
const lastZoom = 7;
const fineZoom = 7;
/** Of rivers and lakes: streams and ponds of greater rank would be half of the archive. */
const greatestRank = 10;
const extent = 4096;
const root = fileURLToPath(new URL('../', import.meta.url));
export const detailsFile = `${root}src-renderer/map/basemap/details.pmtiles`;

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
  const layers = {
    land: { from: fineZoom, features: plain({ ...area, coordinates: area.coordinates.flatMap(cutPolygon) }) },
    urban: { from: 3, features: (await read('urban-areas-50m')).map(zoomOnly) },
    lakes: { from: firstZoom, features: (await ranked('lakes-10m')).map(zoomOnly) },
    rivers: { from: firstZoom, features: (await ranked('rivers-10m')).map(zoomOnly) },
    provinces: { from: 3, features: (await read('admin-1-lines-50m')).map(zoomOnly) },
    coasts: { from: fineZoom, features: plain(lines((a, b) => a === b)) },
    borders: { from: fineZoom, features: plain(lines((a, b) => a !== b)) },
    ports: { from: 6, features: (await read('ports-10m')).map(sign) },
    airports: { from: 6, features: (await read('airports-10m')).map(sign) },
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
  const indexes = Object.entries(layers).map(([name, { from, features }]) => ({
    name,
    from,
    // One zoom more than is taken: the deepest is not made simpler.
    index: new GeoJSONVT(
      { type: 'FeatureCollection', features },
      { maxZoom: lastZoom + 1, indexMaxZoom: 4, tolerance: 3, buffer: 64, extent },
    ),
  }));
  const tiles = [];
  for (let zoom = firstZoom; zoom <= lastZoom; zoom += 1) {
    for (let x = 0; x < 2 ** zoom; x += 1) {
      for (let y = 0; y < 2 ** zoom; y += 1) {
        const found = indexes
          .filter(({ from }) => from <= zoom)
          .map(({ name, index }) => [name, inTime(index.getTile(zoom, x, y), zoom)])
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

/** What of a tile may be drawn before the next zoom's are; at the last zoom all is. */
function inTime(tile, zoom) {
  const features = (tile?.features ?? []).filter(
    ({ tags }) => zoom === lastZoom || (tags.zoom ?? 0) < zoom + 1,
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
