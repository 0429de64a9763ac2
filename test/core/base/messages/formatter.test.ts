import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createI18n } from 'vue-i18n';
import { Formatter } from '../../../../src-main/core/base/messages/formatter.ts';
import { message } from '../../../../src-main/core/base/messages/message.ts';
import { languages, pluralRule, type Language } from '../../../../src-preload/contract/index.ts';
import { loadMessages } from '../../../../src-renderer/i18n/languages.ts';
import { messageMap } from '../../../support/messages.ts';

const at = Date.UTC(2026, 10, 22, 14, 2, 31);

/** A language's messages of the core, as a page lends them. */
async function lent(language: Language): Promise<Record<string, string>> {
  if (language === 'en') return {};
  const { core } = (await loadMessages(language)) as unknown as { core: Parameters<typeof messageMap>[0] };
  return Object.fromEntries(messageMap(core));
}

describe('a formatter', () => {
  it('says in English what was not lent', () => {
    const formatter = new Formatter({ language: 'fr', messages: {} }, 'utc');
    expect(formatter.format('sheet.page', { page: 1, pages: 2 })).toBe('Page 1 of 2');
    expect(formatter.said('As it came.', null)).toBe('As it came.');
    expect(formatter.said('As it came.', { id: 'toString', values: {} })).toBe('As it came.');
    expect(new Formatter(null, 'utc').direction).toBe('ltr');
  });

  it('says what the console said before in the language that was lent', () => {
    const { text, ...phrase } = message('sheet.ageHours', { time: 'now', n: 3 });
    const messages = { 'sheet.ageHours': 'uno | muchos | {n} horas, {time}' };
    expect(new Formatter({ language: 'es', messages }, 'utc').said(text, phrase)).toBe('3 horas, now');
  });

  it.each([
    ['en', '22 Nov 2026, 14:02 UTC'],
    ['es', '22 nov 2026, 14:02 UTC'],
    ['fr', '22 nov. 2026, 14:02 UTC'],
    ['ar', '22 نوفمبر 2026، 14:02 UTC'],
    ['hi', '22 नव॰ 2026, 14:02 UTC'],
    ['zh-Hans', '2026年11月22日 UTC 14:02'],
  ] as const)('tells dates of %s in Latin digits and with their zone', (language, told) => {
    const formatter = new Formatter({ language, messages: {} }, 'utc');
    expect(formatter.instant(at)).toBe(told);
    expect(formatter.instant(Number.MAX_VALUE)).toBe('?');
    expect(formatter.count(1_234_567).replaceAll(/\D/g, '')).toBe('1234567');
  });

  it('labels the computer’s own time with its offset', () => {
    const told = new Formatter(null, 'local').instant(at);
    expect(told).toMatch(/, \d\d:\d\d GMT[+-]\d{1,2}(:\d\d)?$/);
  });

  it('knows the words of severities and statuses, however they are written', async () => {
    const formatter = new Formatter({ language: 'es', messages: await lent('es') }, 'utc');
    expect([' CRITICAL', 'open', 'catastrophic'].map((word) => formatter.known(word))).toEqual([
      'crítica',
      'abierto',
      null,
    ]);
    expect(new Formatter(null, 'utc').known('critical')).toBeNull();
  });

  it.each(languages.filter((language) => language !== 'en'))(
    'says every message of paper in %s as the page would, whatever the number',
    async (language) => {
      const messages = await lent(language);
      const formatter = new Formatter({ language, messages }, 'utc');
      const paper = Object.entries(messages).filter(([id]) => /^(sheet|handover)\./.test(id));
      expect(paper.length).toBeGreaterThan(120);
      const { global } = createI18n({
        legacy: false,
        locale: language,
        messages: {
          [language]: Object.fromEntries(paper.map(([id, text]) => [id.replaceAll('.', '/'), text])),
        },
        pluralRules: { [language]: pluralRule(language) },
      });
      fc.assert(
        fc.property(fc.constantFrom(...paper), fc.nat(1_200_000), ([id, pattern], n) => {
          const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
          const values = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
          const page = global.t(id.replaceAll('.', '/'), { ...values, n: formatter.count(n) }, { plural: n });
          expect(formatter.said('', { id, values: { ...values, n } })).toBe(page);
        }),
      );
    },
  );
});
