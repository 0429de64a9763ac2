import { expect, it } from 'vitest';
import { townsOf } from '../../../../../src-renderer/features/incidents/search/townSearch.ts';
import { readSearch, type TextTerm } from '../../../../../src-renderer/table/searchQuery.ts';

const towns = [
  { id: 1, country: 'AT', folded: ['vienna', 'viena'] },
  { id: 2, country: 'US', folded: ['los angeles'] },
  { id: 3, country: 'FR', folded: ['vienne'] },
  { id: 4, country: 'US', folded: ['san jose'] },
];
/** The towns of each term of a search text. */
function found(text: string): (readonly number[])[] {
  const terms = readSearch(text).terms.filter((term): term is TextTerm => term.kind === 'text');
  const named = townsOf(terms, towns, ({ text }) => new Set(text === 'usa' ? ['US'] : []));
  return terms.map((term) => [...(named.get(term) ?? [])]);
}

it('finds a town by its whole name in each of its languages, whatever the accents', () => {
  expect(found('Vienna')).toEqual([[1]]);
  expect(found('viena')).toEqual([[1]]);
  expect(found('vien')).toEqual([[]]);
});

it('takes neighbouring words for one name, and each by itself for none', () => {
  expect(found('los angeles')).toEqual([[2], [2]]);
  expect(found('fire San José open')).toEqual([[], [4], [4], []]);
  expect(found('angeles los')).toEqual([[], []]);
});

it('takes the beginning of a name after its field, and none after another', () => {
  expect(found('place:vien')).toEqual([[1, 3]]);
  expect(found('type:vienna')).toEqual([[]]);
});

it('takes a country for all of its towns', () => {
  expect(found('usa')).toEqual([[2, 4]]);
});
