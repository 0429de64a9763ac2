import { CountryGrid } from '../../../table/countryGrid.ts';
import type { PlaceArea } from '../../../table/search.ts';
import type { TextTerm } from '../../../table/searchQuery.ts';
import { distanceMetres } from '../../../table/sphere.ts';
import type { Gazetteer, Place } from '../../../base/gazetteer/index.ts';

/** What lies within this of a city's middle is at the city. */
export const cityReachMetres = 50_000;
/** How many places an unfinished name may stand for. */
const mostPlaces = 12;
/** A shorter word names no place by itself; in Chinese, whose signs are whole syllables, most countries have two. */
const leastLetters = (text: string): number => (/\p{Script=Han}/u.test(text) ? 2 : 3);

/** Finds where the words of a search say, by the gazetteer's names. */
export class PlaceSearch {
  readonly #gazetteer: Gazetteer;
  #grid: CountryGrid | null = null;

  constructor(gazetteer: Gazetteer) {
    this.#gazetteer = gazetteer;
  }

  /**
   * A word by itself has to be a place's whole name; after `place:` the beginning of one will do, where
   * nothing goes by the whole of it. Null where it names no place.
   */
  area({ field, text }: TextTerm): PlaceArea | null {
    if (text.length < (field === null ? leastLetters(text) : 2)) return null;
    const named = this.#gazetteer.named(text);
    const places = named.length > 0 || field === null ? named : this.#gazetteer.search(text, mostPlaces);
    if (places.length === 0) return null;
    return { id: places.map(idOf).join(';'), holds: this.#holds(places) };
  }

  #holds(places: readonly Place[]): PlaceArea['holds'] {
    const cities = places.filter(({ kind }) => kind === 'city');
    const countries = new Set(places.filter(({ kind }) => kind === 'country').map(({ country }) => country));
    return (latitude, longitude) =>
      cities.some(
        (city) =>
          Math.abs(city.latitude - latitude) < 0.5 &&
          distanceMetres(city.latitude, city.longitude, latitude, longitude) <= cityReachMetres,
      ) ||
      (countries.size > 0 && countries.has(this.#countries().countryAt(latitude, longitude)));
  }

  /** Made at the first country that is asked for: it takes 13 MB. */
  #countries(): CountryGrid {
    this.#grid ??= new CountryGrid(this.#gazetteer.cities);
    return this.#grid;
  }
}

const idOf = ({ kind, country, latitude, longitude }: Place): string =>
  kind === 'country' ? country : `${latitude},${longitude}`;
