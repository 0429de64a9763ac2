import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestNames, rankName } from '../../../../src-renderer/app/commands/fuzzy.ts';

const names = [
  'Theme: night',
  'Theme: day',
  'Show all incidents on the map',
  'Sort by time',
  'Measure a line',
  'Refresh the incidents',
];
const actions = names.map((name, at) => ({ id: `a${at}`, name }));
const best = (typed: string, recent: readonly string[] = []): string[] =>
  bestNames(actions, typed, recent).map(({ name }) => name);

describe('finding an action by a few letters', () => {
  it('puts whole beginnings before beginnings of words, those before first letters, and pieces last', () => {
    expect(best('the')).toEqual([
      'Theme: night',
      'Theme: day',
      'Show all incidents on the map',
      'Refresh the incidents',
    ]);
    expect(best('night')).toEqual(['Theme: night']);
    expect(best('sbt')).toEqual(['Sort by time']);
    expect(rankName('Refresh the incidents', 'fresh')).toBeGreaterThan(
      rankName('Refresh the incidents', 'inc') ?? 9,
    );
    expect(best('shmap')).toEqual(['Show all incidents on the map']);
    expect(rankName('Show all incidents', 'shcdt')).toBeNull();
  });

  it('takes the words in any order, and wants all of them', () => {
    expect(best('map all')).toEqual(['Show all incidents on the map']);
    expect(best('map night')).toEqual([]);
  });

  it('prefers what was used last among equals only', () => {
    expect(best('theme', ['a1'])).toEqual(['Theme: day', 'Theme: night']);
    expect(best('m', ['a2']).slice(0, 2)).toEqual(['Measure a line', 'Show all incidents on the map']);
  });

  it('keeps everything, in its order, while nothing is typed', () => {
    expect(best('  ')).toEqual(names);
  });

  it('finds every name by its own beginning and by its own words, without accents and case', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat({ max: 12 }), (name, length) => {
        expect(best(name.slice(0, length).toUpperCase())).toContain(name);
      }),
    );
    expect(rankName('Thème : été', 'ete')).toBe(1);
  });
});
