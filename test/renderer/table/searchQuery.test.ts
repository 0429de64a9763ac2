import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../src-renderer/table/fold.ts';
import { readSearch, withMeasures } from '../../../src-renderer/table/searchQuery.ts';
import { codePoint } from '../../support/codePoints.ts';

const hour = 3_600_000;

describe('what the search box holds', () => {
  it('is words that all have to match, those in quotes held together', () => {
    expect(readSearch('  Fire  "New York" place:"são paulo" ').terms).toEqual([
      { kind: 'text', field: null, text: 'fire', said: 'Fire' },
      { kind: 'text', field: null, text: 'new york', said: '"New York"' },
      { kind: 'text', field: 'place', text: 'sao paulo', said: 'place:"são paulo"' },
    ]);
  });

  it('takes a quote that is not closed, and quotes as a text program makes them', () => {
    expect(readSearch('"new yo').terms).toMatchObject([{ field: null, text: 'new yo' }]);
    expect(readSearch('type:“a b”').terms).toMatchObject([{ field: 'type', text: 'a b' }]);
  });

  it('leaves a colon to the word where no field stands before it: ids may hold one', () => {
    expect(readSearch('urn:incident:7 http://x TYPE:Fire').terms).toMatchObject([
      { field: null, text: 'urn:incident:7' },
      { field: null, text: 'http://x' },
      { field: 'type', text: 'fire' },
    ]);
  });

  it('reads distances and spans in the units that operators write', () => {
    const metres = (text: string) => readSearch(text).terms.map((term) => 'metres' in term && term.metres);
    expect(metres('within:200km within:200 within:1,5nm within:3MI within:50m')).toEqual([
      200_000,
      200_000,
      2_778,
      3 * 1_609.344,
      50,
    ]);
    const spans = (text: string) => readSearch(text).terms.map((term) => 'ms' in term && term.ms);
    expect(spans('since:6h since:6 since:30min since:1.5d since:2w')).toEqual([
      6 * hour,
      6 * hour,
      hour / 2,
      36 * hour,
      336 * hour,
    ]);
  });

  it('says what it does not understand, and looks for the rest', () => {
    const { terms, problems } = readSearch('fire within:far since:yesterday type: within:5constructor');
    expect(terms).toMatchObject([{ text: 'fire' }]);
    expect(problems).toEqual([
      { field: 'within', why: 'no-distance', said: 'within:far' },
      { field: 'since', why: 'no-span', said: 'since:yesterday' },
      { field: 'type', why: 'empty', said: 'type:' },
      { field: 'within', why: 'no-distance', said: 'within:5constructor' },
    ]);
  });

  it.each([
    ['critical 200 km 6 h', 'severity:critical within:200km since:6h'],
    ['within 1,5 nm since 2 d', 'within:1,5nm since:2d'],
    ['within: 200KM', 'within:200KM'],
    ['within:200km since:30min', 'within:200km since:30min'],
    // Metres or minutes, a part of an id, a size without a unit.
    ['20m id:6h 6h-east x6h 200', '20m id:6h 6h-east x6h 200'],
  ])('makes a search of the measures in “%s”', (text, search) => {
    expect(withMeasures(text)).toBe(search);
  });

  it('reads every measure that it has named', () => {
    const unit = fc.constantFrom('km', 'mi', 'nm', 'nmi', 'ft', 'min', 'h', 'd', 'w', 'KM', 'H');
    fc.assert(
      fc.property(fc.nat(9_999), unit, (figure, sign) => {
        const { terms, problems } = readSearch(withMeasures(`${figure} ${sign}`));
        expect(problems).toEqual([]);
        expect(terms.map(({ kind }) => kind)).toEqual([/^(km|mi|nmi?|ft)$/i.test(sign) ? 'within' : 'since']);
      }),
    );
  });

  it('makes something of anything: no text throws, and every term has a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 200 }), (text) => {
        for (const term of readSearch(text).terms) {
          if (term.kind !== 'text') continue;
          expect(term.text).not.toBe('');
          expect(fold(term.text)).toBe(term.text);
        }
        expect(readSearch(text).terms.length).toBeLessThanOrEqual(24);
      }),
    );
  });

  it('compares without case and accents', () => {
    expect(['ÉÈÊ', 'Überprüft', 'ΣΊΣΥΦΟΣ', 'naïve ﬁre'].map(fold)).toEqual([
      'eee',
      'uberpruft',
      'σισυφοσ',
      'naive fire',
    ]);
  });
});
