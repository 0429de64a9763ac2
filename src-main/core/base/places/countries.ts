import { featuresContaining, iso1A2Code } from '@rapideditor/country-coder';

const several = Symbol('several countries');

/** Finds the country of a position, by borders that are true to about a kilometre. */
export class Countries {
  /** What each cell of a degree lies in, for those that were asked for: most lie in one country, or in none. */
  readonly #cells = new Map<number, string | null | typeof several>();

  /** ISO 3166 alpha-2 of the land or coastal water at a position; null where it is in none, or disputed. Degrees. */
  at(latitude: number, longitude: number): string | null {
    const [south, west] = [Math.floor(latitude), Math.floor(longitude)];
    const cell = south * 360 + west;
    let country = this.#cells.get(cell);
    if (country === undefined) {
      country = countryOf([west, south, west + 1, south + 1]);
      this.#cells.set(cell, country);
    }
    return country === several ? iso1A2Code([longitude, latitude], { level: 'territory' }) : country;
  }
}

/** A region without a code, such as the mainland of a country, is followed by the country. */
function countryOf(box: [west: number, south: number, east: number, north: number]) {
  const regions = featuresContaining(box);
  const areas = regions.filter(({ geometry }) => (geometry as unknown) !== null);
  if (areas.length > 1) return several;
  return regions.find(({ properties }) => properties.iso1A2)?.properties.iso1A2 ?? null;
}
