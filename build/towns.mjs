import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/**
 * Makes the list of towns that places are named after. The result is committed; a test makes it again and compares.
 *
 * Each town is "latitude|longitude|country|thousands of inhabitants|name in English", from south to north. Degrees
 * have 3 decimals, about 100 m; a country is its ISO 3166 alpha-2 code, or empty where it has none.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
export const townsFile = `${root}src-main/core/places/towns.json`;

export async function buildTowns() {
  const source = await readFile(`${root}build/assets/natural-earth/populated-places-10m.geojson.gz`);
  const { features } = JSON.parse(gunzipSync(source).toString('utf8'));
  const towns = features
    .map(({ properties: { name, name_en, iso_a2, pop_max }, geometry: { coordinates } }) => ({
      name: name_en || name,
      country: /^[A-Z]{2}$/.test(iso_a2) ? iso_a2 : '',
      thousands: Math.max(0, Math.round(pop_max / 1_000)),
      longitude: Number(coordinates[0].toFixed(3)),
      latitude: Number(coordinates[1].toFixed(3)),
    }))
    .sort((a, b) => a.latitude - b.latitude || a.longitude - b.longitude);
  for (const { name } of towns) if (name.includes('|')) throw new Error(`${name} holds the separator`);
  const lines = towns.map(({ name, country, thousands, longitude, latitude }) =>
    [latitude, longitude, country, thousands, name].join('|'),
  );
  return `${JSON.stringify({ source: 'Natural Earth, public domain', towns: lines }, null, 1)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await buildTowns();
  await writeFile(townsFile, text);
  process.stdout.write(`${townsFile} ${Buffer.byteLength(text)} bytes\n`);
}
