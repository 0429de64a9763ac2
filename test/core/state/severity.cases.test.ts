import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldWord,
  openRule,
  rankingFault,
  scaleOf,
  severitiesWorstFirst,
  statusClassOf,
  type SeverityRanking,
} from '../../../src-preload/contract/index.ts';
import { casesOf } from '../../support/campaign.ts';
import { codePoint } from '../../support/codePoints.ts';

const usual = scaleOf(null);

describe('the fold of words', () => {
  it.each([
    ['Critical', 'critical'],
    [' CRITICAL\u00a0', 'critical'],
    // As a Turkish computer writes it in lower and in upper case.
    ['cr\u0131t\u0131cal', 'critical'],
    ['CR\u0130T\u0130CAL', 'critical'],
    ['ｃｒｉｔｉｃａｌ', 'critical'],
    ['crit\u200bical\u200e', 'critical'],
    ['very_high', 'very high'],
    ['Very-High', 'very high'],
    ['ÉLEVÉE', 'élevée'],
    ['e\u0301leve\u0301e', 'élevée'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['\ud800', '\ud800'],
    ['', ''],
  ])('makes of %j and %j the same', (text, other) => {
    expect(foldWord(text)).toBe(foldWord(other));
  });

  it('tells different words apart', () => {
    const words = ['critical', 'criticality', 'high', 'very high', 'veryhigh', '', '0', '重大', '重度'];
    expect(new Set(words.map(foldWord)).size).toBe(words.length);
  });

  it('does not depend on the language of the computer, and folds what is folded to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 12 }), (text) => {
        const folded = foldWord(text);
        expect(foldWord(folded)).toBe(folded);
        expect(foldWord(` ${text} `)).toBe(folded);
      }),
      { numRuns: casesOf({ part: 200, whole: 2_000 }) },
    );
  });
});

describe('severities that nobody ranked', () => {
  it.each([
    ['CRIT', 'critical'],
    ['Extreme', 'critical'],
    ['severe', 'high'],
    ['Moderate', 'medium'],
    ['MED', 'medium'],
    ['minor', 'low'],
  ])('takes %s for %s', (text, name) => {
    expect(usual.classOf(text)).toBe(usual.classOf(name));
    expect(usual.classOf(text)).toMatchObject({ key: name, name, mark: name, known: true });
  });

  it('weighs what has no rank as much as the worst, with a mark of its own', () => {
    const critical = usual.classOf('critical');
    for (const text of ['catastrophic', '', 'unknown', '__proto__', 'constructor', 'toString', '3']) {
      expect(usual.classOf(text)).toMatchObject({ weight: critical.weight, mark: 'unknown', known: false });
    }
    expect(usual.classOf(' Catastrophic')).toMatchObject({ key: 'catastrophic', name: 'Catastrophic' });
    expect(severitiesWorstFirst).toEqual(['critical', 'unknown', 'high', 'medium', 'low']);
  });

  it('ranks critical over high over medium over low', () => {
    const weights = ['critical', 'high', 'medium', 'low'].map((name) => usual.classOf(name).weight);
    expect(weights).toEqual([3, 2, 1, 0]);
  });
});

const ranking = (...entries: readonly (string | readonly string[])[]): NonNullable<SeverityRanking> =>
  entries.map((entry) => {
    const [name = '', ...synonyms] = typeof entry === 'string' ? [entry] : entry;
    return { name, synonyms };
  });
const shown = (entries: NonNullable<SeverityRanking>) =>
  scaleOf(entries).ranked.map(({ name, mark }) => `${name}: ${mark}`);

describe('severities that an administrator ranked', () => {
  it('gives what is ranked its place, and keeps those of the specification', () => {
    expect(shown(ranking('catastrophic', 'critical', 'high', 'elevated', 'medium', 'low'))).toEqual([
      'catastrophic: critical',
      'critical: critical',
      'high: high',
      'elevated: high',
      'medium: medium',
      'low: low',
    ]);
    expect(shown(ranking('catastrophic'))).toEqual([
      'catastrophic: critical',
      'critical: critical',
      'high: high',
      'medium: medium',
      'low: low',
    ]);
  });

  it('takes synonyms for the same, and a word that it names away from the usual ones', () => {
    const { classOf } = scaleOf(ranking(['Sev 1', 'critical', 'P1'], 'extreme', ['high', 'bad']));
    for (const text of ['sev-1', 'CRITICAL', 'p1', 'crit'])
      expect(classOf(text)).toMatchObject({ name: 'Sev 1', mark: 'critical' });
    expect(classOf('Extreme')).toMatchObject({ name: 'extreme', mark: 'critical' });
    expect(classOf('Extreme').weight).toBeLessThan(classOf('critical').weight);
    expect(classOf('BAD')).toBe(classOf('severe'));
  });

  it('spreads names that the specification does not have over all marks', () => {
    const marks = (count: number) =>
      scaleOf(ranking(...Array.from({ length: count }, (_, at) => `P${at}`)))
        .ranked.filter(({ name }) => name.startsWith('P'))
        .map(({ mark }) => mark[0])
        .join('');
    expect([1, 2, 3, 4, 5, 8].map(marks)).toEqual(['c', 'ch', 'chm', 'chml', 'cchml', 'cchhmmll']);
  });

  it('weighs an unranked severity as much as the worst of the list', () => {
    const { classOf } = scaleOf(ranking('catastrophic', 'critical'));
    expect(classOf('dire')).toMatchObject({ weight: classOf('catastrophic').weight, mark: 'unknown' });
  });

  it.each([
    [ranking('a', 'A '), { fault: 'twice', at: 1 }],
    [ranking(['a', 'b'], ['c', 'B']), { fault: 'twice', at: 1 }],
    [ranking(['a', 'a']), { fault: 'twice', at: 0 }],
    [ranking('high', '\u200b'), { fault: 'blank', at: 1 }],
    [ranking('low', 'critical'), { fault: 'order', at: 1 }],
    [ranking(['x', 'medium'], ['y', 'High']), { fault: 'order', at: 1 }],
    [ranking(['x', 'medium', 'high'], 'severe', 'low'), null],
    [ranking('severe', 'critical'), null],
  ] as const)('%j: %j', (entries, fault) => {
    expect(rankingFault(entries)).toEqual(fault);
  });

  it('has every usable list from worst to least, each word in its place', () => {
    const words = ['critical', 'high', 'medium', 'low', 'crit', 'severe', 'a', 'b', 'c', 'd', 'e', 'f'];
    const lists = fc.shuffledSubarray(words, { minLength: 1 }).chain((chosen) =>
      fc
        .array(fc.integer({ min: 1, max: 3 }), { minLength: chosen.length, maxLength: chosen.length })
        .map((sizes) => {
          const left = [...chosen];
          return sizes.flatMap((size) => (left.length === 0 ? [] : [left.splice(0, size)]));
        }),
    );
    fc.assert(
      fc.property(lists, (groups) => {
        const entries = ranking(...groups);
        fc.pre(rankingFault(entries) === null);
        const { classOf, ranked } = scaleOf(entries);
        const weights = groups.map(([name = '']) => classOf(name).weight);
        expect(weights).toEqual(weights.toSorted((a, b) => b - a));
        expect(new Set(weights).size).toBe(weights.length);
        for (const group of groups) expect(new Set(group.map(classOf)).size).toBe(1);
        const marks = ranked.map(({ mark }) => severitiesWorstFirst.indexOf(mark));
        expect(marks).toEqual(marks.toSorted((a, b) => a - b));
        for (const name of ['critical', 'high', 'medium', 'low'] as const)
          expect(classOf(name).known, name).toBe(true);
      }),
      { numRuns: casesOf({ part: 200, whole: 1_000 }) },
    );
  });
});

describe('statuses', () => {
  it.each([
    ['Resolved', 'resolved', true],
    [' CLOSED', 'resolved', true],
    ['solved', 'resolved', true],
    ['Open', 'open', false],
    ['OPENED', 'open', false],
    ['In_Progress', 'in progress', false],
    ['unresolved', 'unresolved', false],
    ['', '', false],
  ])('%j is %j, over: %s', (text, key, over) => {
    expect(statusClassOf(text)).toMatchObject({ key });
    expect(openRule()(text)).toBe(!over);
  });

  it.each([
    ['Dismissed', false],
    [' false-alarm', false],
    ['RESOLVED', false],
    ['dismissed again', true],
    ['open', true],
    ['', true],
  ])('%j is open where the deployment adds words for closed: %s', (text, open) => {
    expect(openRule(['dismissed', 'False Alarm'])(text)).toBe(open);
  });
});
