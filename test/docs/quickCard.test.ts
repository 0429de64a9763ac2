import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { quickCard } from '../../build/quick-card.ts';
import { languages } from '../../src-preload/contract/preferences.ts';

const fileOf = (language: string): string => `docs/quick-card/${language}.html`;

describe('the quick card', () => {
  it('stands in every language of the page, and in no other', () => {
    expect(readdirSync('docs/quick-card').toSorted()).toEqual(
      languages.map((language) => `${language}.html`).toSorted(),
    );
    const page = readFileSync('docs/quick-card.md', 'utf8');
    for (const language of languages) expect(page).toContain(`(quick-card/${language}.html)`);
  });

  it.each(languages)(
    'of %s says what the console says now; node build/quick-card.ts makes it again',
    (language) => {
      expect(readFileSync(fileOf(language), 'utf8')).toBe(quickCard(language));
    },
  );

  it.each(languages)('of %s has the language’s direction, and fetches nothing', (language) => {
    const text = readFileSync(fileOf(language), 'utf8');
    const direction = language === 'ar' ? 'rtl' : 'ltr';
    expect(text).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(text).not.toMatch(/https?:|src=|href=|url\(|@import|<script/);
  });

  it.each(languages)('of %s has as many steps as the English one, with the same labels', (language) => {
    const stepsOf = (name: string): string[] =>
      (JSON.parse(readFileSync(`build/quick-card/${name}.json`, 'utf8')) as { steps: string[] }).steps;
    const labelsOf = (step: string): string[] => (step.match(/\{[^}]+\}/g) ?? []).toSorted();
    expect(existsSync(`build/quick-card/${language}.json`)).toBe(true);
    expect(stepsOf(language).map(labelsOf)).toEqual(stepsOf('en').map(labelsOf));
  });
});
