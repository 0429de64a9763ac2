import { brotliDecompressSync } from 'node:zlib';
import {
  compassPoints,
  type CompassPoint,
  type Language,
  type TownName,
} from '../../../../src-preload/contract/index.ts';
import file from '../../../../build/assets/gazetteer/towns.json' with { type: 'json' };
import { Countries } from './countries.ts';
import { TownTree, type GlobePoint } from './townTree.ts';

/** A town of the list that build/towns.ts makes. Degrees, WGS 84. */
export interface Town {
  /** Its number in the list. Another edition of the list may change it. */
  readonly id: number;
  readonly name: string;
  /** Names that differ from the English one. No other languages are known. */
  readonly names: { readonly [L in Language]?: string };
  /** ISO 3166 alpha-2; empty where a territory has none. */
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Inhabitants, in thousands. */
  readonly thousands: number;
}

export const nameOf = ({ name, names }: Town, language: Language): string => names[language] ?? name;

export const townName = (town: Town, language: Language): TownName => ({
  id: town.id,
  name: nameOf(town, language),
  english: town.name,
  country: town.country,
});

/** The town nearest to a place, how far it is, and where the place lies as seen from the town. */
export interface Nearby {
  readonly town: Town;
  readonly km: number;
  readonly from: CompassPoint;
}

type Position = Pick<Town, 'latitude' | 'longitude'>;

const radians = Math.PI / 180;
/** Mean radius of the earth. Distances are accurate to half a per cent. */
const earthKm = 6_371;
/** A town of the same country goes before a nearer one beyond the border within this. Much farther it says little. */
const homeKm = 100;

let lines: readonly string[] | null = null;

/** A line for each town, as build/towns.ts describes them. */
export function townLines(): readonly string[] {
  lines ??= brotliDecompressSync(Buffer.from(file.towns, 'base64')).toString().split('\n');
  return lines;
}

const read = (line: string, id: number): Town => {
  const [latitude, longitude, country = '', thousands, name = '', es, fr, zh] = line.split('|');
  return {
    id,
    name,
    names: { ...(es && { es }), ...(fr && { fr }), ...(zh && { 'zh-Hans': zh }) },
    country,
    latitude: Number(latitude),
    longitude: Number(longitude),
    thousands: Number(thousands),
  };
};

const pointOnGlobe = (latitude: number, longitude: number): GlobePoint => {
  const [up, around] = [latitude * radians, longitude * radians];
  return [Math.cos(up) * Math.cos(around), Math.cos(up) * Math.sin(around), Math.sin(up)];
};

/** All towns, and those of each country. */
interface Globe {
  readonly all: TownTree;
  readonly of: ReadonlyMap<string, TownTree>;
}

function readGlobe(): Globe {
  const towns = townLines();
  const points = new Float64Array(towns.length * 3);
  const members = new Map<string, number[]>();
  towns.forEach((line, id) => {
    const [latitude, longitude, country = ''] = line.split('|', 3);
    points.set(pointOnGlobe(Number(latitude), Number(longitude)), id * 3);
    const there = members.get(country);
    if (there) there.push(id);
    else members.set(country, [id]);
  });
  return {
    all: new TownTree(points, towns.keys()),
    of: new Map(Array.from(members, ([country, ids]) => [country, new TownTree(points, ids)])),
  };
}

/** Finds the town that a position is named after, over the whole globe: about 5 microseconds each. */
export class Towns {
  /** Built at the first use, which takes 60 ms. */
  #globe: Globe | null = null;
  readonly #countries = new Countries();

  /** The nearest town of the position's country within `homeKm`; else the nearest of all. */
  nearest(position: Position): Nearby {
    const globe = (this.#globe ??= readGlobe());
    const point = pointOnGlobe(position.latitude, position.longitude);
    const closest = townOf(globe.all.nearest(point));
    const home = this.#countries.at(position.latitude, position.longitude);
    const own = home === null || home === closest.country ? -1 : this.#own(globe, home, point);
    // The list gives some towns to another country than the borders do.
    const isOwn = own >= 0 && this.#countries.at(closest.latitude, closest.longitude) === home;
    const town = own < 0 || isOwn ? closest : townOf(own);
    return { town, km: distanceKm(town, position), from: pointOf(town, position) };
  }

  #own(globe: Globe, country: string, point: GlobePoint): number {
    return globe.of.get(country)?.nearest(point, 2 * Math.sin(homeKm / earthKm / 2)) ?? -1;
  }
}

const townOf = (id: number): Town => read(townLines()[id] as string, id);

/** One instance for all: its tables take some megabytes. */
export const towns = new Towns();

/** The great-circle distance of two positions, by the haversine formula, which is exact for near positions too. */
function distanceKm(one: Position, other: Position): number {
  const half = (degrees: number): number => Math.sin((degrees * radians) / 2) ** 2;
  const a =
    half(other.latitude - one.latitude) +
    Math.cos(one.latitude * radians) *
      Math.cos(other.latitude * radians) *
      half(other.longitude - one.longitude);
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(a)));
}

/** The direction in which the great circle from one position to another begins. */
function pointOf(from: Position, to: Position): CompassPoint {
  const [a, b] = [from.latitude * radians, to.latitude * radians];
  const turn = (to.longitude - from.longitude) * radians;
  const east = Math.sin(turn) * Math.cos(b);
  const north = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(turn);
  const eighths = Math.round(Math.atan2(east, north) / (Math.PI / 4));
  return compassPoints[(eighths + 8) % 8] as CompassPoint;
}
