import { language } from '../../i18n/index.ts';
import { countryName } from '../countryNames.ts';

/** A country or a city of the bundled gazetteer. Degrees, WGS 84. */
export interface Place {
  /** A country's in the page's language, a city's as GeoNames has it. */
  readonly name: string;
  /** ISO 3166 alpha-2. */
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
  /** To the nearest thousand; a country's is that of its towns. */
  readonly population: number;
  readonly kind: 'city' | 'country';
}

/** The file that build/gazetteer.ts makes and describes. */
interface PlacesFile {
  readonly countries: Readonly<Record<string, string>>;
  readonly cities: Readonly<Record<string, string>>;
}

/** Reads the bundled places (250 kB, once): about 20 ms of work the first time. */
export async function loadGazetteer(): Promise<Gazetteer> {
  const { default: file } = await import('../../../build/assets/gazetteer/places.json');
  return new Gazetteer(file);
}

/** Letters that Unicode does not take apart into a letter and a mark. */
const loneLetters: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ى: 'ي',
  ة: 'ه',
};

/**
 * How a name is compared: without case, accents, apostrophes and hyphens; Arabic as it is typed in a hurry,
 * without signs over and under its letters. A vowel sign of Hindi is a letter, its dot (ज़) is not always typed.
 */
export function foldName(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{Script=Inherited}\u093c\u0640'’‘ʻʼ`]/gu, '')
    .replace(/[łøđðþßæœıىة]/g, (letter) => loneLetters[letter] ?? letter)
    .replace(/[\s\-–.,_/()（）]+/g, ' ')
    .trim();
}

interface Entry {
  readonly place: Place;
  /** Every name it goes by, folded. */
  readonly names: readonly string[];
}

/** Countries and cities by name. */
export class Gazetteer {
  readonly #file: PlacesFile;
  readonly #cities: readonly Entry[];
  readonly #zooms = new Map<string, number>();
  #countries: readonly Entry[] = [];
  #language: string | null = null;

  constructor(file: PlacesFile) {
    this.#file = file;
    this.#cities = Object.entries(file.cities).flatMap(([country, line]) =>
      line.split(';').map((entry) => readCity(country, entry)),
    );
  }

  /**
   * Places whose name begins with the text, then those with a word that does, then those that hold it; a
   * whole name comes before the rest, countries before cities, the larger first. "Paris, US" or "paris
   * france" keeps to that country.
   */
  search(text: string, limit: number): readonly Place[] {
    this.#nameCountries();
    const wanted = foldName(text);
    if (wanted === '') return [];
    const found = this.#matching(wanted, null);
    // What follows a comma or the last words may say the country.
    const words = wanted.split(' ');
    for (let at = words.length - 1; at > 0; at -= 1) {
      const code = this.#countryOf(words.slice(at).join(' '));
      if (code !== null) found.push(...this.#matching(words.slice(0, at).join(' '), code));
    }
    found.sort((a, b) => a.rank - b.rank || b.place.population - a.place.population);
    return [...new Set(found.map(({ place }) => place))].slice(0, limit);
  }

  /** The countries and cities that go by exactly this name. */
  named(text: string): readonly Place[] {
    this.#nameCountries();
    return this.#matching(foldName(text), null).flatMap(({ rank, place }) => (rank < 2 ? [place] : []));
  }

  /** Every city, for finding the nearest. */
  get cities(): readonly Place[] {
    return this.#cities.map(({ place }) => place);
  }

  /** The zoom at which a place fills a map. */
  zoomOf({ kind, country, population }: Place): number {
    if (kind === 'country') return this.#zooms.get(country) ?? 5;
    return population >= 2_000_000 ? 9 : 10;
  }

  #matching(wanted: string, country: string | null): { readonly rank: number; readonly place: Place }[] {
    const found: { readonly rank: number; readonly place: Place }[] = [];
    for (const entries of [this.#countries, this.#cities]) {
      for (const { place, names } of entries) {
        if (country !== null && (place.country !== country || place.kind === 'country')) continue;
        const rank = Math.min(...names.map((name) => rankOf(name, wanted)));
        if (rank < nowhere) found.push({ rank: rank * 2 + (place.kind === 'country' ? 0 : 1), place });
      }
    }
    return found;
  }

  #countryOf(text: string): string | null {
    const entry = this.#countries.find(
      ({ place, names }) => place.country.toLowerCase() === text || names.includes(text),
    );
    return entry?.place.country ?? null;
  }

  /** Countries in the page's language and in English; again when the language has changed. */
  #nameCountries(): void {
    if (this.#language === language.value) return;
    this.#language = language.value;
    const english = new Intl.DisplayNames(['en'], { type: 'region' });
    this.#countries = Object.entries(this.#file.countries).map(([country, line]) => {
      const [latitude = 0, longitude = 0, zoom = 5, thousands = 0] = line.split('|').map(Number);
      const name = countryName(country);
      this.#zooms.set(country, zoom);
      return {
        place: { name, country, latitude, longitude, population: thousands * 1_000, kind: 'country' },
        names: [...new Set([foldName(name), foldName(english.of(country) ?? country)])],
      };
    });
  }
}

/** `Genève=Geneva|46.202|6.146|184`. */
function readCity(country: string, entry: string): Entry {
  const [names = '', latitude, longitude, thousands] = entry.split('|');
  const all = names.split('=');
  return {
    place: {
      name: all[0] ?? '',
      country,
      latitude: Number(latitude),
      longitude: Number(longitude),
      population: Number(thousands) * 1_000,
      kind: 'city',
    },
    names: all.map(foldName),
  };
}

const nowhere = 4;

function rankOf(name: string, wanted: string): number {
  const at = name.indexOf(wanted);
  if (at < 0) return nowhere;
  if (at === 0) return name.length === wanted.length ? 0 : 1;
  return name.includes(` ${wanted}`) ? 2 : 3;
}
