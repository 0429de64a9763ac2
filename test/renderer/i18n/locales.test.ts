import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createI18n } from 'vue-i18n';
import { languages, pluralForms, type Language } from '../../../src-preload/contract/index.ts';
import { loadMessages } from '../../../src-renderer/i18n/languages.ts';
import en from '../../../src-renderer/i18n/messages/en.ts';
import { formsOf, messageMap, placeholdersOf } from '../../support/messages.ts';

const locales = join(import.meta.dirname, '../../../src-preload/contract/messages');
const english = messageMap(en);

const present = readdirSync(locales).filter((name) => name !== 'en');

describe('the messages of en', () => {
  const messages = english;

  it('say something', () => {
    expect([...messages].filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([]);
  });

  it('are read by the compiler of messages', () => {
    expect([...messages].filter(([, text]) => !compiles(text))).toEqual([]);
  });

  it('choose between one, other and, where it is said apart, none', () => {
    // More forms than the page's rules know would never be said.
    const odd = [...messages].filter(([, text]) => formsOf(text).length > pluralForms('en').length + 1);
    expect(odd.map(([key]) => key)).toEqual([]);
  });
});

describe('the languages', () => {
  it('are among those that can be chosen', () => {
    expect(present.filter((name) => !(languages as readonly string[]).includes(name))).toEqual([]);
  });

  it.each(['en', ...present])('%s is read in the direction of its script', async (language) => {
    const words = await wordsOf(language);
    expect(words.get('language.direction')).toBe(
      ['ar', 'fa', 'he', 'ur'].includes(new Intl.Locale(language).language) ? 'rtl' : 'ltr',
    );
  });
});

// One test for each language that has words yet.
describe.each(present)('the words of %s', (language) => {
  const wanted = english;

  it('have the keys of the English ones', async () => {
    const words = await wordsOf(language);
    expect([...words.keys()].filter((key) => !wanted.has(key))).toEqual([]);
    expect([...wanted.keys()].filter((key) => !words.has(key))).toEqual([]);
  });

  it('say something', async () => {
    const words = await wordsOf(language);
    expect([...words].filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([]);
  });

  it('are read by the compiler of messages', async () => {
    const words = await wordsOf(language);
    expect([...words].filter(([, text]) => !compiles(text))).toEqual([]);
  });

  it('have as many forms as the language, and one for none where English has one', async () => {
    const words = await wordsOf(language);
    const odd = [...words].filter(([key, text]) => {
      const forms = formsOf(wanted.get(key) ?? '').length;
      const apart = forms > pluralForms('en').length ? 1 : 0;
      const expected = forms === 1 ? 1 : pluralForms(language).length + apart;
      return formsOf(text).length !== expected;
    });
    expect(odd.map(([key]) => key)).toEqual([]);
  });

  it('have the values of the English ones', async () => {
    const words = await wordsOf(language);
    const odd = [...words].filter(([key, text]) => {
      const [own, needed] = [placeholdersOf(text), placeholdersOf(wanted.get(key) ?? '')];
      // A form may say its number as a word ("one", "two"), so the number alone may be left out.
      return (
        own.some((name) => !needed.includes(name)) ||
        needed.some((name) => name !== 'n' && !own.includes(name))
      );
    });
    expect(odd.map(([key]) => key)).toEqual([]);
  });
});

async function wordsOf(language: string): Promise<ReadonlyMap<string, string>> {
  return language === 'en' ? english : messageMap(await loadMessages(language as Language));
}

function compiles(text: string): boolean {
  // The compiler drops an open brace at the end without a word, and follows `@` to another message.
  if (/[{}@]/.test(text.replaceAll(/\{(?:\w+|'[^']*')\}/g, ''))) return false;
  const { global } = createI18n({ legacy: false, locale: 'en', messages: { en: { text } } });
  try {
    const values = Object.fromEntries([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'x']));
    return global.t('text', { ...values, n: 1 }) !== '';
  } catch {
    return false;
  }
}
