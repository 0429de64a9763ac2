import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope, nextTick, type EffectScope } from 'vue';
import { defaultPreferences } from '../../../src-main/core/features/preferences/preferences.ts';
import {
  languageOf,
  languages,
  pluralForms,
  pluralRule,
  type Language,
} from '../../../src-preload/contract/index.ts';
import { keepLanguage } from '../../../src-renderer/app/keepLanguage.ts';
import { failureReport, pageFailure, remedyOf, sentenceOf } from '../../../src-renderer/base/failure.ts';
import { messageText, messageZone } from '../../../src-renderer/base/messages.ts';
import { useCommands } from '../../../src-renderer/base/stores/commands.ts';
import { direction, i18n, language, sideOf, t, type Messages } from '../../../src-renderer/i18n/index.ts';
import en from '../../../src-renderer/i18n/messages/en.ts';
import { messageMap, placeholdersOf } from '../../support/messages.ts';
import { pseudoText, pseudoWords } from '../../support/pseudo.ts';
import { createPage } from '../pageRig.ts';

let scope: EffectScope;
const page = { lang: '', dir: '' };
const longWords = pseudoWords(en, 'en-XA') as unknown as Messages;
const leftWords = pseudoWords(en, 'ar-XB') as unknown as Messages;

beforeEach(() => {
  scope = effectScope();
  Object.assign(page, { lang: '', dir: '' });
  vi.stubGlobal('document', { documentElement: page });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('navigator', { languages: ['de-CH', 'fr-CA', 'en'] });
});
afterEach(() => {
  scope.stop();
  vi.unstubAllGlobals();
  i18n.global.locale.value = 'en';
  for (const added of languages) if (added !== 'en') i18n.global.setLocaleMessage(added, {} as Messages);
});

describe('the language of a computer’s owner', () => {
  it.each([
    [['es-MX'], 'es'],
    [['de', 'fr-CA', 'en'], 'fr'],
    [['zh-CN'], 'zh-Hans'],
    [['zh-SG', 'en'], 'zh-Hans'],
    [['zh'], 'zh-Hans'],
    [['zh-TW', 'hi-IN'], 'hi'],
    [['zh-Hant-HK'], 'en'],
    [['ar-EG'], 'ar'],
    [['not a tag', 'x', ''], 'en'],
    [[], 'en'],
  ])('%j is read in %s', (wished, expected) => {
    expect(languageOf('system', wished)).toBe(expected);
  });

  it('gives way to what was chosen', () => {
    expect(languageOf('hi', ['fr'])).toBe('hi');
  });
});

describe('plural forms', () => {
  it('stand in a message in one order', () => {
    expect(pluralForms('en')).toEqual(['one', 'other']);
    expect(pluralForms('fr')).toEqual(['one', 'many', 'other']);
    expect(pluralForms('ar')).toEqual(['zero', 'one', 'two', 'few', 'many', 'other']);
    expect(pluralForms('zh-Hans')).toEqual(['other']);
  });

  it.each([
    ['ar', [0, 1, 2, 3, 11, 100], [0, 1, 2, 3, 4, 5]],
    ['fr', [0, 1, 2, 1_000_000], [0, 0, 2, 1]],
    ['hi', [0, 1, 2], [0, 0, 1]],
    ['zh-Hans', [0, 1, 2], [0, 0, 0]],
  ])('of %s are chosen by Intl', (tag, counts, forms) => {
    const rule = pluralRule(tag);
    expect(counts.map((n) => rule(n, pluralForms(tag).length))).toEqual(forms);
  });

  it('may begin with one for exactly none', () => {
    const rule = pluralRule('en');
    expect([0, 1, 2].map((n) => rule(n, 3))).toEqual([0, 1, 2]);
    expect([0, 1, 2].map((n) => rule(n, 1))).toEqual([0, 0, 0]);
  });

  it('are never asked for beyond those that a message has', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...languages),
        fc.nat(),
        fc.integer({ min: 1, max: 7 }),
        (tag, n, given) => {
          const form = pluralRule(tag)(n, given);
          expect(form).toBeGreaterThanOrEqual(0);
          expect(form).toBeLessThan(given);
        },
      ),
    );
  });

  it('of a language are those that its messages are said in', () => {
    const forms = ['صفر', 'واحد', 'اثنان', '{n} قليل', '{n} كثير', '{n} آخر'];
    const words = { ...en, common: { ...en.common, newAbove: forms.join(' | ') } };
    i18n.global.setLocaleMessage('ar', words);
    i18n.global.locale.value = 'ar';
    const number = new Intl.NumberFormat('ar').format(11);
    expect([0, 1, 2].map((n) => t('common.newAbove', {}, n))).toEqual(['صفر', 'واحد', 'اثنان']);
    expect(t('common.newAbove', {}, 11)).toBe(`${number} كثير`);
  });
});

describe('messages of the core', () => {
  const at = Date.UTC(2026, 10, 21, 14, 2);

  it('are English where the page is, and where the language does not know them', () => {
    const cancelled = { id: 'failure.cancelled.sentence', values: {} };
    expect(messageText(cancelled)).toBe('Cancelled.');
    i18n.global.setLocaleMessage('fr', { ...longWords, core: {} } as unknown as Messages);
    i18n.global.locale.value = 'fr';
    expect(messageText(cancelled)).toBe('Cancelled.');
    expect(messageText({ text: 'Not ours.' })).toBe('Not ours.');
  });

  it('are said in the page’s language, with its plural forms and its times', () => {
    const words = {
      ...en,
      core: { a: '{n} envoi | beaucoup | {n} envois', b: 'à {sentAt}', c: '{freeBytes} libres', d: '{name}' },
    };
    i18n.global.setLocaleMessage('fr', words as unknown as Messages);
    i18n.global.locale.value = 'fr';
    messageZone.value = 'utc';
    expect(messageText({ id: 'a', values: { n: 1 } })).toBe('1 envoi');
    expect(messageText({ id: 'a', values: { n: 2 } })).toBe('2 envois');
    expect(messageText({ id: 'b', values: { sentAt: at } })).toMatch(/^à .*14.02.*UTC/);
    expect(messageText({ id: 'c', values: { freeBytes: 1_900_000 } })).toMatch(/^1[.,]9.* libres$/);
    expect(messageText({ id: 'd', values: { name: '{n} @:x | y' } })).toBe('{n} @:x | y');
  });

  it('of the page’s own failures follow the language, and reports stay English', () => {
    const failure = pageFailure('bridge-lost', 'failures.lost', 'failures.lostRemedy');
    expect(sentenceOf(failure)).toBe(en.failures.lost);
    i18n.global.setLocaleMessage('es', longWords);
    i18n.global.locale.value = 'es';
    expect(sentenceOf(failure)).toBe(pseudoText(en.failures.lost, 'en-XA'));
    expect(remedyOf(failure)).toBe(pseudoText(en.failures.lostRemedy, 'en-XA'));
    expect(failureReport(failure)).toContain(en.failures.lost);
  });
});

describe('a page', () => {
  function open(load: (language: Language) => Promise<Messages>) {
    const page = createPage();
    const commands = page.run(() => {
      scope.run(() => {
        keepLanguage(load);
      });
      return useCommands();
    });
    let revision = 0;
    const prefer = async (preference: Language | 'system'): Promise<void> => {
      revision += 1;
      const preferences = { ...defaultPreferences, language: preference };
      page.push({ epoch: 'a', revision, base: null, incidents: null, slices: { preferences } });
      for (let turn = 0; turn < 5; turn += 1) await nextTick();
    };
    return { commands, prefer };
  }

  it('turns to another language as it stands, and says so to whoever reads it aloud', async () => {
    const asked: Language[] = [];
    const { prefer } = open((wanted) => {
      asked.push(wanted);
      return Promise.resolve(wanted === 'ar' ? leftWords : longWords);
    });
    expect(page).toEqual({ lang: 'en', dir: 'ltr' });
    await prefer('es');
    expect(page).toEqual({ lang: 'es', dir: 'ltr' });
    expect(t('common.close')).toBe(pseudoText(en.common.close, 'en-XA'));
    await prefer('ar');
    expect(page).toEqual({ lang: 'ar', dir: 'rtl' });
    expect([direction.value, sideOf('left'), sideOf('right'), sideOf('top')]).toEqual([
      ...['rtl', 'right', 'left', 'top'],
    ]);
    await prefer('es');
    expect(asked, 'words are fetched once, the computer’s own first').toEqual(['fr', 'es', 'ar']);
    await prefer('en');
    expect(page).toEqual({ lang: 'en', dir: 'ltr' });
  });

  it('stays as it was where the words cannot be read, says so, and tries again', async () => {
    let reachable = false;
    const { commands, prefer } = open(() =>
      reachable ? Promise.resolve(longWords) : Promise.reject(new Error('gone')),
    );
    await prefer('hi');
    expect(language.value).toBe('en');
    const failure = commands.failures.page;
    expect(failure && sentenceOf(failure)).toBe(en.language.notLoaded);
    reachable = true;
    await prefer('en');
    await prefer('hi');
    expect(language.value).toBe('hi');
  });

  it('turns to what was chosen last, whichever words come first', async () => {
    const waiting = new Map<Language, (words: Messages) => void>();
    const { prefer } = open((wanted) => new Promise((resolve) => waiting.set(wanted, resolve)));
    await prefer('es');
    await prefer('fr');
    waiting.get('fr')?.(longWords);
    await nextTick();
    waiting.get('es')?.(leftWords);
    for (let turn = 0; turn < 5; turn += 1) await nextTick();
    expect(language.value).toBe('fr');
  });
});

describe('pseudo-languages', () => {
  const messages = [...messageMap(en)];

  it('keep values and plural forms, and are as much longer as they say', () => {
    for (const [, message] of messages) {
      const long = pseudoText(message, 'en-XA');
      expect(placeholdersOf(long)).toEqual(placeholdersOf(message));
      expect(long.split(' | ')).toHaveLength(message.split(/\s+(?<!')\|(?!')\s+/).length);
      const letters = (text: string): number => text.replaceAll(/\{[^}]*\}/g, '').length;
      expect(letters(long)).toBeGreaterThanOrEqual(letters(message) * 1.4);
      expect(long).not.toBe(message);
      expect(placeholdersOf(pseudoText(message, 'ar-XB'))).toEqual(placeholdersOf(message));
    }
  });
});
