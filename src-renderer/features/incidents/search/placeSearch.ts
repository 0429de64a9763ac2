import type { PlaceArea } from '../../../table/search.ts';
import type { TextTerm } from '../../../table/searchQuery.ts';
import { distanceMetres } from '../../../table/sphere.ts';
import { placeId, type Gazetteer, type Place } from '../../../base/gazetteer/index.ts';

/** What lies within this of a town's middle is at the town. */
export const townReachMetres = 50_000;
/** A smaller town is not meant by a word that stands alone: Police is a town, too. */
const leastInhabitants = 50_000;
/** How many places an unfinished name may stand for. */
const mostPlaces = 12;
/** Minimum length of a place name alone: in Chinese, whose signs are whole syllables, most countries have two. */
const leastLetters = (text: string): number => (/\p{Script=Han}/u.test(text) ? 2 : 3);

/** Finds where the words of a search say, by the gazetteer's names. */
export class PlaceSearch {
  readonly #gazetteer: Gazetteer;

  constructor(gazetteer: Gazetteer) {
    this.#gazetteer = gazetteer;
  }

  /** What lies around the towns that a word names; null where it names none. */
  area(term: TextTerm): PlaceArea | null {
    const towns = this.#places(term).filter(({ kind }) => kind === 'town');
    if (towns.length === 0) return null;
    return {
      id: towns.map(placeId).join(';'),
      holds: (latitude, longitude) =>
        towns.some(
          (town) =>
            Math.abs(town.latitude - latitude) < 0.5 &&
            distanceMetres(town.latitude, town.longitude, latitude, longitude) <= townReachMetres,
        ),
    };
  }

  /** The countries that a word names: ISO 3166 alpha-2. */
  countries(term: TextTerm): ReadonlySet<string> {
    const countries = this.#places(term).filter(({ kind }) => kind === 'country');
    return new Set(countries.map(({ country }) => country));
  }

  /** A single word has to be a whole name; after `place:` the beginning of one will do, where none goes by the whole. */
  #places({ field, text }: TextTerm): readonly Place[] {
    if (field !== null && field !== 'place') return [];
    if (text.length < (field === null ? leastLetters(text) : 2)) return [];
    const named = this.#gazetteer.named(text);
    if (field === null) return named.filter(({ population }) => population >= leastInhabitants);
    // Another name than the one that stands there would not be seen.
    return named.length > 0 ? named : this.#gazetteer.search(text, mostPlaces, false);
  }
}
