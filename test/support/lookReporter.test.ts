import { describe, expect, it } from 'vitest';
import { lookCounts, type Look } from './lookReporter.ts';

const look = (state: string, language: string, theme: string | null, found: string[] = []): Look => ({
  state,
  language,
  theme,
  found,
});
const themes = ['day', 'night'];
const all = (state: string, language: string): Look[] => themes.map((theme) => look(state, language, theme));

describe('the counts of a run over states, languages and themes', () => {
  it('are those of its looks, each state, language and theme once', () => {
    const looks = ['en', 'ar'].flatMap((language) => [...all('log', language), ...all('maps', language)]);
    expect(lookCounts(looks, 3)).toEqual([
      'en: 2 states, 4 looks',
      'ar: 2 states, 4 looks',
      'Looked at 2 states in 2 themes and 2 languages: 8 of 8 looks, 0 findings, 3.0 minutes',
    ]);
  });

  it('name what only another language reached, and count that it was not as found', () => {
    const looks = [
      ...all('log', 'en'),
      ...all('maps', 'en'),
      ...all('log', 'ar'),
      look('maps', 'ar', null, ['not reached']),
    ];
    expect(lookCounts(looks, 0.26)).toEqual([
      'en: 2 states, 4 looks',
      'ar: 1 states, 2 looks; without maps',
      'Looked at 2 states in 2 themes and 2 languages: 6 of 8 looks, 1 findings, 0.3 minutes',
    ]);
  });

  it('say a theme that one state was not drawn in', () => {
    const looks = [...all('log', 'en'), look('maps', 'en', 'day', ['a name', 'another'])];
    expect(lookCounts(looks, 1).at(-1)).toBe(
      'Looked at 2 states in 2 themes and 1 languages: 3 of 4 looks, 2 findings, 1.0 minutes',
    );
  });
});
