import { distanceMetres } from './sphere.ts';

interface Town {
  readonly latitude: number;
  readonly longitude: number;
  readonly country: string;
}

/** What lies farther than this from every town is nobody's. */
export const countryReachMetres = 300_000;

const cellsPerDegree = 10;
const cellRows = 180 * cellsPerDegree;
const cellColumns = 360 * cellsPerDegree;
const bucketDegrees = 3;
const bucketColumns = 360 / bucketDegrees;
const bucketRows = 180 / bucketDegrees;

/**
 * Which country a place is in: that of the nearest town, within `countryReachMetres`, in steps of a tenth of
 * a degree. The bundled map has land and borders as lines but no countries as areas, so at a border this can
 * be the neighbour's.
 */
export class CountryGrid {
  readonly #countries: string[] = [''];
  readonly #buckets = new Map<number, Town[]>();
  /** Index into the countries plus one for each cell, 0 for a cell that nobody asked for yet. */
  readonly #cells = new Uint16Array(cellRows * cellColumns);

  constructor(towns: readonly Town[]) {
    for (const town of towns) {
      const bucket = bucketOf(town.latitude, town.longitude);
      const there = this.#buckets.get(bucket);
      if (there) there.push(town);
      else this.#buckets.set(bucket, [town]);
    }
  }

  /** ISO 3166 alpha-2, empty for nobody's. */
  countryAt(latitude: number, longitude: number): string {
    const row = Math.min(cellRows - 1, Math.floor((latitude + 90) * cellsPerDegree));
    const column = Math.min(cellColumns - 1, Math.floor((longitude + 180) * cellsPerDegree));
    const cell = row * cellColumns + column;
    const known = this.#cells[cell] ?? 0;
    if (known > 0) return this.#countries[known - 1] ?? '';
    const country = this.#nearest((row + 0.5) / cellsPerDegree - 90, (column + 0.5) / cellsPerDegree - 180);
    let index = this.#countries.indexOf(country);
    if (index < 0) index = this.#countries.push(country) - 1;
    this.#cells[cell] = index + 1;
    return country;
  }

  #nearest(latitude: number, longitude: number): string {
    const reachDegrees = countryReachMetres / 111_000;
    const widest = Math.min(90, Math.abs(latitude) + reachDegrees);
    const reachColumns = reachDegrees / Math.max(0.01, Math.cos((widest * Math.PI) / 180));
    const besides = Math.min(bucketColumns / 2, Math.ceil(reachColumns / bucketDegrees));
    const above = Math.ceil(reachDegrees / bucketDegrees);
    const [row, column] = [bucketRow(latitude), bucketColumn(longitude)];
    let best = '';
    let least = countryReachMetres;
    for (let r = Math.max(0, row - above); r <= Math.min(bucketRows - 1, row + above); r += 1) {
      for (let c = column - besides; c <= column + besides; c += 1) {
        const towns = this.#buckets.get(r * bucketColumns + ((c + bucketColumns) % bucketColumns));
        for (const town of towns ?? []) {
          const metres = distanceMetres(latitude, longitude, town.latitude, town.longitude);
          if (metres >= least) continue;
          least = metres;
          best = town.country;
        }
      }
    }
    return best;
  }
}

const bucketRow = (latitude: number): number =>
  Math.min(bucketRows - 1, Math.floor((latitude + 90) / bucketDegrees));
const bucketColumn = (longitude: number): number =>
  Math.min(bucketColumns - 1, Math.floor((longitude + 180) / bucketDegrees));
const bucketOf = (latitude: number, longitude: number): number =>
  bucketRow(latitude) * bucketColumns + bucketColumn(longitude);
