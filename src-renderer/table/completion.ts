import { fold } from './fold.ts';
import type { LengthUnits } from '../../src-preload/contract/index.ts';
import { searchFields, withMeasures } from './searchQuery.ts';

/** What may stand after a field's name: values that the data has shown, and usual measures. */
export type Completions = Readonly<Partial<Record<(typeof searchFields)[number], readonly string[]>>>;

const most = 8;

const usualDistances: Readonly<Record<LengthUnits, readonly string[]>> = {
  metric: ['10km', '50km', '200km', '500km'],
  imperial: ['5mi', '25mi', '100mi', '300mi'],
  nautical: ['5nm', '25nm', '100nm', '300nm'],
};

/** Distances and spans of time that are often asked for, in the operator's units. */
export const usualMeasures = (units: LengthUnits): Completions => ({
  within: usualDistances[units],
  since: ['1h', '6h', '24h', '7d'],
});

/**
 * How the word at the end of a text may continue: a field's name, a value after one, or the field of a measure
 * (`6h`). Each is the whole text with the word completed. Nothing for a word that is finished or too short to
 * guess at.
 */
export function completions(text: string, values: Completions): readonly string[] {
  const [word = ''] = /\S*$/.exec(text) ?? [];
  const before = text.slice(0, text.length - word.length);
  const [, field, begun] = /^([a-z]+):"?(.*)$/iu.exec(word) ?? [];
  if (field === undefined || begun === undefined) {
    const begins = fold(word);
    if (begins.length < 2) return [];
    const measured = withMeasures(word);
    if (measured !== word) return [`${before}${measured} `];
    return searchFields.filter((name) => name.startsWith(begins)).map((name) => `${before}${name}:`);
  }
  const name = searchFields.find((one) => one === field.toLowerCase());
  const offered = name === undefined ? [] : (values[name] ?? []);
  return offered
    .filter((value) => value !== '' && fold(value).startsWith(fold(begun)) && fold(value) !== fold(begun))
    .slice(0, most)
    .map((value) => `${before}${field}:${/\s/.test(value) ? `"${value}"` : value} `);
}
