import { beforeAll, describe, expect, it } from 'vitest';
import file from '../../../../../build/assets/gazetteer/countries.json' with { type: 'json' };
import { townLines } from '../../../../../src-main/core/base/places/towns.ts';
import { Gazetteer } from '../../../../../src-renderer/base/gazetteer/index.ts';
import { PlaceSearch } from '../../../../../src-renderer/features/incidents/search/placeSearch.ts';
import { completions, usualMeasures } from '../../../../../src-renderer/table/completion.ts';
import { readSearch, type TextTerm } from '../../../../../src-renderer/table/searchQuery.ts';

let places: PlaceSearch;
beforeAll(() => {
  places = new PlaceSearch(new Gazetteer({ countries: file.countries, towns: townLines() }));
});
const term = (text: string) => readSearch(text).terms[0] as TextTerm;
const area = (text: string) => places.area(term(text));
const countries = (text: string) => [...places.countries(term(text))];

describe('a word that names a place', () => {
  it('is a town and what lies within 50 km of it', () => {
    const lima = area('lima');
    expect(lima?.holds(-12.05, -77.04)).toBe(true);
    expect(lima?.holds(-12.4, -76.8)).toBe(true);
    expect(lima?.holds(-12.7, -77.04)).toBe(false);
  });

  it('is a country', () => {
    expect([countries('chile'), countries('place:chile'), countries('type:chile')]).toEqual([
      ['CL'],
      ['CL'],
      [],
    ]);
    expect([countries('place:germ'), countries('germ')]).toEqual([['DE'], []]);
  });

  it('is a small town only after place:', () => {
    expect(area('police')).toBeNull();
    expect(area('place:police')?.holds(53.55, 14.57)).toBe(true);
  });

  it('has to be whole where it stands alone, and may be a beginning after place:', () => {
    expect(area('reykj')).toBeNull();
    expect(area('place:reykj')?.holds(64.14, -21.9)).toBe(true);
    expect(area('"são paulo"')?.holds(-23.5, -46.6)).toBe(true);
    expect(area('place:"new york"')?.holds(40.7, -74)).toBe(true);
    expect(area('place:qqqq')).toBeNull();
    expect(area('place:reykjavig')).toBeNull();
    expect(area('ab')).toBeNull();
  });

  it('is the same area for the same places, so that it is not looked for again', () => {
    expect(area('Zürich')?.id).toBe(area('place:zurich')?.id);
    expect(area('zurich')?.id).not.toBe(area('lima')?.id);
  });
});

describe('how a word may go on', () => {
  const values = { severity: ['high', 'highest', ''], type: ['forest fire'] };
  it('is a field’s name from two letters on, or a value that the data has shown', () => {
    expect(completions('fire se', values)).toEqual(['fire severity:']);
    expect(completions('s', values)).toEqual([]);
    expect(completions('severity:', values)).toEqual(['severity:high ', 'severity:highest ']);
    expect(completions('severity:HIGH', values)).toEqual(['severity:highest ']);
    expect(completions('type:for', values)).toEqual(['type:"forest fire" ']);
    expect(completions('id:x', values)).toEqual([]);
    expect(completions('fire ', values)).toEqual([]);
  });

  it('knows usual measures in the operator’s units, and the field of one that is typed', () => {
    expect(completions('fire within:', usualMeasures('metric'))).toEqual([
      'fire within:10km ',
      'fire within:50km ',
      'fire within:200km ',
      'fire within:500km ',
    ]);
    expect(completions('within:2', usualMeasures('nautical'))).toEqual(['within:25nm ']);
    expect(completions('within:2', usualMeasures('imperial'))).toEqual(['within:25mi ']);
    expect(completions('since:6', usualMeasures('metric'))).toEqual(['since:6h ']);
    expect(completions('since:6h', usualMeasures('metric'))).toEqual([]);
    expect(completions('fire 200km', values)).toEqual(['fire within:200km ']);
    expect(completions('6h', values)).toEqual(['since:6h ']);
    expect(completions('20m', values)).toEqual([]);
  });
});
