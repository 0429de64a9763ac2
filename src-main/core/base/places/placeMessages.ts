import { languages, valueIn, type Language } from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../messages/message.ts';
import { nameOf, type Nearby, type Town } from './towns.ts';

/** Kilometres. Nearer to a town's centre than this, a direction says nothing. */
export const besideKm = 3;

/** `12 km NW of Vienna, AT`, or `Vienna, AT`: a place relative to its town. */
export const messageOfPlace = (nearby: Nearby, language: Language = 'en'): Message =>
  relativeTo(nearby, { town: named(nearby.town, language) });

/** The same for readers of any language, with each name of the town. */
export const messageOfPlaceInAll = (nearby: Nearby): Message =>
  relativeTo(nearby, { town: named(nearby.town, 'en'), ...otherNames(nearby.town) });

type TownNames = Readonly<Record<string, string>>;

const relativeTo = ({ km, from }: Nearby, town: TownNames): Message =>
  km < besideKm
    ? message('place.near', town)
    : message(`place.away.${from}`, { km: Math.round(km), ...town });

function named(town: Town, language: Language): string {
  const name = nameOf(town, language);
  return town.country === '' ? name : `${name}, ${town.country}`;
}

/** The names that differ from the English one. */
const otherNames = (town: Town): TownNames =>
  Object.fromEntries(
    languages
      .filter((language) => town.names[language] !== undefined)
      .map((language) => [valueIn('town', language), named(town, language)]),
  );
