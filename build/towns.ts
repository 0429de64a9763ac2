import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/**
 * Makes the list of towns that places are named after. The result is committed; a test makes it again and compares.
 *
 * Each town is "latitude|longitude|country|thousands of inhabitants|name in English|in Spanish|in French|in Chinese",
 * from south to north. Degrees have 3 decimals, about 100 m; a country is its ISO 3166 alpha-2 code, or empty where it
 * has none; a name that is that in English is empty, and left out at the end.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
export const townsFile = `${root}build/assets/gazetteer/towns.json`;

/** As Natural Earth has it. */
interface Place {
  readonly properties: {
    readonly name: string;
    readonly name_en: string | null;
    readonly name_es: string | null;
    readonly name_fr: string | null;
    readonly name_zh: string | null;
    readonly iso_a2: string;
    readonly pop_max: number;
  };
  readonly geometry: { readonly coordinates: readonly [longitude: number, latitude: number] };
}

/** The text of the file, made of its source. */
export async function buildTowns(): Promise<string> {
  const source = await readFile(`${root}build/assets/natural-earth/populated-places-10m.geojson.gz`);
  const { features }: { readonly features: readonly Place[] } = JSON.parse(
    gunzipSync(source).toString('utf8'),
  );
  const towns = features
    .map(
      ({
        properties: { name, name_en, name_es, name_fr, name_zh, iso_a2, pop_max },
        geometry: { coordinates },
      }) => ({
        names: namesOf(name_en || name, [name_es, name_fr, name_zh]),
        country: /^[A-Z]{2}$/.test(iso_a2) ? iso_a2 : '',
        thousands: Math.max(0, Math.round(pop_max / 1_000)),
        longitude: Number(coordinates[0].toFixed(3)),
        latitude: Number(coordinates[1].toFixed(3)),
      }),
    )
    .sort((a, b) => a.latitude - b.latitude || a.longitude - b.longitude);
  for (const { names } of towns)
    if (names.some((name) => name.includes('|'))) throw new Error(`${names[0]} holds the separator`);
  const lines = towns.map(({ names, country, thousands, longitude, latitude }) =>
    [latitude, longitude, country, thousands, ...names].join('|').replace(/\|+$/, ''),
  );
  return `${JSON.stringify({ source: 'Natural Earth, public domain', towns: lines }, null, 1)}\n`;
}

function namesOf(english: string, others: readonly (string | null)[]): readonly string[] {
  return [english, ...others.map((name) => (name === english ? '' : (name ?? '')))];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await buildTowns();
  await writeFile(townsFile, text);
  process.stdout.write(`${townsFile} ${Buffer.byteLength(text)} bytes\n`);
}
