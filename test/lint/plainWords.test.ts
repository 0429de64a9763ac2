import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { faultsOf, rulesOf, sentencesOf, wordCount } from '../../build/lint/plainWords.ts';
import { languages } from '../../src-preload/contract/index.ts';

const rules = { banned: ['of its own', 'nobody', '!'], mostWords: 5 };
const faults = (text: string, language = 'en') => faultsOf([['a.b', text]], rules, language);

describe('a message', () => {
  it.each([
    ['a banned word', 'The service has a fault of its own.', 'a.b: says “of its own”: The service has'],
    ['one in another case', 'Nobody acknowledged it.', 'a.b: says “nobody”'],
    ['a banned sign', 'Sent!', 'a.b: says “!”'],
    ['a sentence over the length', 'Sent. One two three four five six.', 'a.b: 6 words, at most 5: One two'],
    ['one in a plural form', 'One. | One two three four five six.', 'a.b: 6 words, at most 5'],
  ])('with %s is found', (_, text, expected) => {
    expect(faults(text).some((fault) => fault.startsWith(expected))).toBe(true);
  });

  it.each(['Everybody and nobodys.', 'One two three. Four five six.', '3.5 km of {a}.'])(
    'is good: %s',
    (text) => {
      expect(faults(text)).toEqual([]);
    },
  );

  it('is searched without spaces where the script has none', () => {
    const chinese = { banned: ['请'], mostWords: 30 };
    expect(faultsOf([['a.b', '登录前请等待。']], chinese, 'zh-Hans')).toHaveLength(1);
    expect(faultsOf([['a.b', 'يُرجى']], { banned: ['رجى'], mostWords: 30 }, 'ar')).toEqual([]);
  });

  it('ends its sentences as its script does', () => {
    expect(sentencesOf('Server error. Retrying in 3.5 s. | Sent “a.” Done?')).toHaveLength(4);
    expect(sentencesOf('服务器错误。正在重试。')).toHaveLength(2);
    expect(wordCount('Retrying at {time}, in {span}.', 'en')).toBe(5);
  });
});

it('each language has its rules, and no other has', () => {
  const files = readdirSync('build/lint/words').map((name) => name.replace(/\.json$/, ''));
  expect(files.toSorted()).toEqual([...languages].toSorted());
  for (const language of languages) {
    expect(rulesOf(language).banned.length).toBeGreaterThan(0);
    expect(rulesOf(language).mostWords).toBeLessThanOrEqual(30);
  }
});
