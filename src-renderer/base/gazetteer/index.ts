import { distance } from 'fastest-levenshtein';
import { language } from '../../i18n/index.ts';
import { countryName } from '../countryNames.ts';
import { foldName } from './foldName.ts';

export { foldName } from './foldName.ts';

/** A country or a town of the bundled gazetteer. Degrees, WGS 84. */
export interface Place {
  /** In the page's language where it has a name in it; a town's else in English. */
  readonly name: string;
  /** ISO 3166 alpha-2. */
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
  /** To the nearest thousand; a country's is that of its towns. */
  readonly population: number;
  readonly kind: 'town' | 'country';
}

/** As build/gazetteer.ts and build/towns.ts describe them. */
interface GazetteerFiles {
  readonly countries: Readonly<Record<string, string>>;
  readonly towns: readonly string[];
}

interface Country {
  readonly place: Place;
  /** Every name it goes by, folded. */
  readonly names: readonly string[];
}

interface Match {
  /** The better the lower. */
  readonly rank: number;
  readonly place: Place;
}

/** A name with a mistake is looked for from so many letters on; with two from `longLetters` on. */
const shortLetters = 4;
const longLetters = 7;
/** In front of the fields of a town, which fold to themselves. */
const line = '\u0001';
/** Where the English name stands among the fields of a town, and the names in other languages. */
const firstName = 4;
const nameAt: Readonly<Record<string, number>> = { es: 5, fr: 6, 'zh-Hans': 7 };

/** Countries and towns by name. */
export class Gazetteer {
  readonly #files: GazetteerFiles;
  /** The names of each town, folded. */
  readonly #names: readonly (readonly string[])[];
  readonly #zooms = new Map<string, number>();
  #countries: readonly Country[] = [];
  #language: string | null = null;

  constructor(files: GazetteerFiles) {
    this.#files = files;
    // All at once: a fold of each name takes four times as long.
    this.#names = foldName(files.towns.join(line))
      .split(line)
      .map((town) =>
        town
          .split('|')
          .slice(firstName)
          .filter(Boolean)
          .map((name) => name.trim()),
      );
  }

  /**
   * Places whose name begins with the text, then those with a word that does, then those that hold it; a whole name
   * comes before the rest, countries before towns, the larger first. Where there are none, names that differ by a letter
   * or two, unless these are unwanted (`mistakes`). "Paris, US" or "paris france" keeps to that country.
   */
  search(text: string, limit: number, mistakes = true): readonly Place[] {
    this.#nameCountries();
    const wanted = foldName(text);
    if (wanted === '') return [];
    let found = this.#inCountries(wanted, rankOf);
    if (mistakes && found.length === 0) found = this.#inCountries(wanted, mistakesOf);
    found.sort((a, b) => a.rank - b.rank || b.place.population - a.place.population);
    const seen = new Set<string>();
    return found
      .map(({ place }) => place)
      .filter((place) => !seen.has(placeId(place)) && seen.add(placeId(place)))
      .slice(0, limit);
  }

  /** The countries and towns that go by exactly this name. */
  named(text: string): readonly Place[] {
    this.#nameCountries();
    return this.#matching(foldName(text), null, (name, wanted) => (name === wanted ? 0 : nowhere)).map(
      ({ place }) => place,
    );
  }

  /** The zoom at which a place fills a map. */
  zoomOf({ kind, country, population }: Place): number {
    if (kind === 'country') return this.#zooms.get(country) ?? 5;
    if (population < 50_000) return 11;
    return population >= 2_000_000 ? 9 : 10;
  }

  /** What follows a comma, or the last words, may say the country. */
  #inCountries(wanted: string, rank: Ranking): Match[] {
    const found = this.#matching(wanted, null, rank);
    const words = wanted.split(' ');
    for (let at = words.length - 1; at > 0; at -= 1) {
      const code = this.#countryOf(words.slice(at).join(' '));
      if (code !== null) found.push(...this.#matching(words.slice(0, at).join(' '), code, rank));
    }
    return found;
  }

  #matching(wanted: string, country: string | null, rank: Ranking): Match[] {
    const found: Match[] = [];
    const best = (names: readonly string[]): number => {
      let least = nowhere;
      for (const name of names) least = Math.min(least, rank(name, wanted));
      return least;
    };
    if (country === null)
      for (const { place, names } of this.#countries) {
        const least = best(names);
        if (least < nowhere) found.push({ rank: least * 2, place });
      }
    this.#names.forEach((names, at) => {
      const least = best(names);
      if (least === nowhere) return;
      const place = this.#town(at);
      if (country === null || place.country === country) found.push({ rank: least * 2 + 1, place });
    });
    return found;
  }

  #town(at: number): Place {
    const fields = (this.#files.towns[at] ?? '').split('|');
    const [latitude, longitude, country = '', thousands, english = ''] = fields;
    return {
      name: fields[nameAt[language.value] ?? firstName] || english,
      country,
      latitude: Number(latitude),
      longitude: Number(longitude),
      population: Number(thousands) * 1_000,
      kind: 'town',
    };
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
    this.#countries = Object.entries(this.#files.countries).map(([country, fields]) => {
      const [latitude = 0, longitude = 0, zoom = 5, thousands = 0] = fields.split('|').map(Number);
      const name = countryName(country);
      this.#zooms.set(country, zoom);
      return {
        place: { name, country, latitude, longitude, population: thousands * 1_000, kind: 'country' },
        names: [...new Set([foldName(name), foldName(english.of(country) ?? country)])],
      };
    });
  }
}

/** The same for the same place, whatever its name is in a language. */
export const placeId = ({ kind, country, latitude, longitude }: Place): string =>
  kind === 'country' ? country : `${latitude},${longitude}`;

type Ranking = (name: string, wanted: string) => number;
const nowhere = 4;

const rankOf: Ranking = (name, wanted) => {
  const at = name.indexOf(wanted);
  if (at < 0) return nowhere;
  if (at === 0) return name.length === wanted.length ? 0 : 1;
  return name.includes(` ${wanted}`) ? 2 : 3;
};

const mistakesOf: Ranking = (name, wanted) => {
  const most = wanted.length < shortLetters ? 0 : wanted.length < longLetters ? 1 : 2;
  if (Math.abs(name.length - wanted.length) > most) return nowhere;
  const mistakes = distance(name, wanted);
  return mistakes > most ? nowhere : mistakes;
};
