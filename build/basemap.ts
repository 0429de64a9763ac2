import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import iso from 'i18n-iso-countries';
import type { MultiPolygon, Polygon as GeoPolygon } from 'geojson';
import { feature, merge, mesh } from 'topojson-client';
import {
  cutLine,
  cutPolygon,
  lineOf,
  polygonOf,
  roundLine,
  roundPolygon,
  type Line,
  type Polygon,
} from './basemap-geometry.ts';
import { labelPoint, polygonArea } from './basemap-labels.ts';

/**
 * Makes the bundled basemap from Natural Earth (by way of world-atlas), so that a console that was
 * never online shows a proper map. The result is committed; a test makes it again and compares.
 *
 *   land.json    one MultiPolygon, cut at the antimeridian
 *   lines.json   borders (kind "border") and coasts (kind "coast"), cut at the antimeridian
 *   labels.json  one point per country: `name`, `rank` (0 the largest), and `code`, by which the page knows its
 *                name in other languages: ISO 3166 alpha-2, a word in small letters for a part of a country
 *   land.svg     the land alone and coarse, as a picture for a page without a map
 */
const decimals = 3;
const root = fileURLToPath(new URL('../', import.meta.url));
/** Named by Natural Earth without a number; CLDR knows Kosovo, the page the others, by these codes. */
const codesByName: Readonly<Record<string, string>> = {
  Kosovo: 'XK',
  Somaliland: 'somaliland',
  'N. Cyprus': 'northernCyprus',
  'Siachen Glacier': 'siachenGlacier',
  'Indian Ocean Ter.': 'indianOcean',
  // Has the number of Australia.
  'Ashmore and Cartier Is.': 'ashmoreCartier',
};
export const basemapFolder = `${root}build/assets/basemap/`;

/** A country or a piece of land, of world-atlas. */
interface Area {
  readonly id: string;
  readonly properties: { readonly name: string };
  readonly geometry: GeoPolygon | MultiPolygon | null;
}

/** An object of a file of world-atlas, as GeoJSON. */
const areasOf = (...of: Parameters<typeof feature>): readonly Area[] =>
  (feature(...of) as unknown as { readonly features: readonly Area[] }).features;

/** The text of each file by its name. */
export async function buildBasemap(): Promise<Readonly<Record<string, string>>> {
  const topology = JSON.parse(await readFile(`${root}node_modules/world-atlas/countries-50m.json`, 'utf8'));
  const { countries } = topology.objects;
  const land = merge(topology, countries.geometries).coordinates.map(polygonOf).flatMap(cutPolygon);
  const borders = mesh(topology, countries, (a, b) => a !== b)
    .coordinates.map(lineOf)
    .flatMap(cutLine);
  const coasts = mesh(topology, countries, (a, b) => a === b)
    .coordinates.map(lineOf)
    .flatMap(cutLine);
  const coarse = JSON.parse(await readFile(`${root}node_modules/world-atlas/land-110m.json`, 'utf8'));
  return {
    'land.svg': picture(areasOf(coarse, coarse.objects.land).flatMap(polygons)),
    'land.json': collection([
      {
        type: 'MultiPolygon',
        coordinates: land.map((polygon) => roundPolygon(polygon, decimals)).filter(Boolean),
      },
    ]),
    'lines.json': collection(
      [
        {
          type: 'MultiLineString',
          coordinates: coasts.map((line) => roundLine(line, decimals)).filter(Boolean),
        },
        {
          type: 'MultiLineString',
          coordinates: borders.map((line) => roundLine(line, decimals)).filter(Boolean),
        },
      ],
      [{ kind: 'coast' }, { kind: 'border' }],
    ),
    'labels.json': labels(areasOf(topology, countries)),
  };
}

/** The largest polygon of each country carries its name, at the point farthest from its edges. */
function labels(countries: readonly Area[]): string {
  const named = countries
    .filter((country) => country.geometry && country.properties.name)
    .map((country) => {
      const parts = polygons(country);
      const largest = parts.reduce((best, polygon) =>
        polygonArea(polygon) > polygonArea(best) ? polygon : best,
      );
      const area = parts.reduce((sum, polygon) => sum + polygonArea(polygon), 0);
      const { name } = country.properties;
      const code = codesByName[name] ?? iso.numericToAlpha2(country.id);
      return { name, code, area, point: labelPoint(largest) };
    })
    .sort((a, b) => b.area - a.area || (a.name < b.name ? -1 : 1));
  const codes = new Set(named.map(({ code }) => code));
  if (codes.has(undefined) || codes.size !== named.length) throw new Error('Two names have the same code');
  return collection(
    named.map(({ point }) => ({
      type: 'Point',
      coordinates: point.map((value) => Number(value.toFixed(2))),
    })),
    named.map(({ name, code }, rank) => ({ name, rank, code })),
  );
}

/** Cut at the antimeridian. */
function polygons({ geometry }: Area): readonly Polygon[] {
  if (geometry === null) return [];
  const all = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return all.map(polygonOf).flatMap(cutPolygon);
}

/** Longitudes and latitudes as they are, without the poles. */
function picture(land: readonly Polygon[]): string {
  const ring = (points: Line) =>
    `M${points.map(([x, y]) => `${x.toFixed(1)} ${(-y).toFixed(1)}`).join('L')}z`;
  const path = land.flatMap((polygon) => polygon.map(ring)).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-180 -80 360 140"><path d="${path}"/></svg>\n`;
}

function collection(geometries: readonly object[], properties: readonly object[] = []): string {
  const features = geometries.map((geometry, at) => ({
    type: 'Feature',
    properties: properties[at] ?? {},
    geometry,
  }));
  return `${JSON.stringify({ type: 'FeatureCollection', features })}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(basemapFolder, { recursive: true });
  for (const [name, text] of Object.entries(await buildBasemap())) {
    await writeFile(basemapFolder + name, text);
    process.stdout.write(
      `${name} ${text.length} bytes ${createHash('sha256').update(text).digest('hex').slice(0, 12)}\n`,
    );
  }
}
