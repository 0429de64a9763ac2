import { fold } from './fold.ts';

export const searchFields = [
  'type',
  'status',
  'severity',
  'id',
  'anchor',
  'place',
  'within',
  'since',
] as const;
export type SearchField = (typeof searchFields)[number];
export type TextField = Exclude<SearchField, 'within' | 'since'>;

export interface TextTerm {
  readonly kind: 'text';
  /** Where the text has to be; null for any of them. */
  readonly field: TextField | null;
  /** Folded, never empty. */
  readonly text: string;
  /** As it was typed. */
  readonly said: string;
}

export type SearchTerm =
  | TextTerm
  /** At most so many metres from the station. */
  | { readonly kind: 'within'; readonly metres: number; readonly said: string }
  /** Created within so many milliseconds. */
  | { readonly kind: 'since'; readonly ms: number; readonly said: string };

export interface SearchProblem {
  readonly field: SearchField;
  readonly why: 'empty' | 'no-distance' | 'no-span' | 'no-station';
  /** As it was typed. */
  readonly said: string;
}

/** What an incident has to satisfy, all of it, and what could not be understood. */
export interface SearchQuery {
  readonly terms: readonly SearchTerm[];
  readonly problems: readonly SearchProblem[];
}

/** More words than these say nothing more, and each costs a pass over the rows. */
const mostTerms = 24;

const metresPer: Readonly<Record<string, number>> = {
  m: 1,
  km: 1_000,
  mi: 1_609.344,
  nm: 1_852,
  nmi: 1_852,
  ft: 0.3048,
};
const minute = 60_000;
const msPer: Readonly<Record<string, number>> = {
  s: 1_000,
  m: minute,
  min: minute,
  h: 60 * minute,
  d: 1_440 * minute,
  w: 10_080 * minute,
};

/** A field's name and a colon, then words in quotes or one word. */
const words = /(?:([a-z]+):)?"([^"]*)"?|(?:([a-z]+):)(\S*)|(\S+)/giu;

/**
 * Reads what the search box holds: words that must all match, `"words held together"`, and `field:word`. A
 * name before a colon that is no field's belongs to the word, since ids may hold colons.
 */
export function readSearch(text: string): SearchQuery {
  const terms: SearchTerm[] = [];
  const problems: SearchProblem[] = [];
  const seen = new Set<string>();
  for (const [said, quotedField, quoted, wordField, word, plain] of text
    .replaceAll(/[“”„«»]/g, '"')
    .matchAll(words)) {
    if (seen.has(said) || terms.length === mostTerms) continue;
    seen.add(said);
    const named = (quotedField ?? wordField)?.toLowerCase();
    const field = searchFields.find((name) => name === named);
    const value = field === undefined && wordField !== undefined ? said : (quoted ?? word ?? plain ?? '');
    const read = readTerm(field ?? null, value, said);
    if (read === null) continue;
    if ('kind' in read) terms.push(read);
    else problems.push(read);
  }
  return { terms, problems };
}

function readTerm(field: SearchField | null, value: string, said: string): SearchTerm | SearchProblem | null {
  const text = fold(value.trim());
  if (text === '') return field === null ? null : { field, why: 'empty', said };
  switch (field) {
    case 'within': {
      const metres = measured(text, metresPer, 'km');
      return metres === null ? { field, why: 'no-distance', said } : { kind: 'within', metres, said };
    }
    case 'since': {
      const ms = measured(text, msPer, 'h');
      return ms === null ? { field, why: 'no-span', said } : { kind: 'since', ms, said };
    }
    case null:
    case 'type':
    case 'status':
    case 'severity':
    case 'id':
    case 'anchor':
    case 'place':
      return { kind: 'text', field, text, said };
  }
}

/** A measure with its unit, its field's name before it or not. A bare `m` is left: metres and minutes share it. */
const measures = /(?<!\S)(?:(?:within|since):?\s*)?(\d+(?:[.,]\d+)?)\s*(km|mi|nmi?|ft|min|h|d|w)(?!\S)/giu;

/** A severity that stands for itself: as a word alone it would find ids that hold it too. */
const severities = /(?<!\S)(critical|high|medium|low)(?!\S)/giu;

/**
 * A text with its measures made words of a search, and the severities beside them:
 * `critical 200 km 6h` is `severity:critical within:200km since:6h`. A text without a measure stays as it is.
 */
export function withMeasures(text: string): string {
  const measured = text.replaceAll(measures, (_, figure: string, unit: string) => {
    const field = Object.hasOwn(metresPer, unit.toLowerCase()) ? 'within' : 'since';
    return `${field}:${figure}${unit}`;
  });
  return measured === text ? text : measured.replaceAll(severities, 'severity:$1');
}

/** `200km`, `1.5 h`, `1,5h`; a bare number is in `usual`. Null for anything else. */
function measured(text: string, units: Readonly<Record<string, number>>, usual: string): number | null {
  const [, figure = '', unit = ''] = /^(\d+(?:[.,]\d+)?)\s*([a-z]*)$/.exec(text) ?? [];
  const size = Object.hasOwn(units, unit || usual) ? units[unit || usual] : undefined;
  if (figure === '' || size === undefined) return null;
  return Number(figure.replace(',', '.')) * size;
}
