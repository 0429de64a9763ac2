import { afterEach, describe, expect, it } from 'vitest';
import { message } from '../../../src-main/core/base/messages/message.ts';
import { wordingSchema } from '../../../src-preload/contract/index.ts';
import { wordingOf } from '../../../src-renderer/base/wording.ts';
import { i18n } from '../../../src-renderer/i18n/index.ts';
import { loadMessages } from '../../../src-renderer/i18n/languages.ts';

afterEach(() => {
  i18n.global.locale.value = 'en';
});

const harbour = { latitude: -33.85678, longitude: 151.21522 };

describe('what a page lends to paper', () => {
  it('is its language with the console’s own messages, all of them or those of an area', async () => {
    i18n.global.setLocaleMessage('fr', await loadMessages('fr'));
    i18n.global.locale.value = 'fr';
    // They are read after the page has said them, too.
    expect(i18n.global.t('core.sheet.page', { page: 1, pages: 2 })).toBe('Page 1 sur 2');
    const sheet = wordingOf('sheet', 'utm', []);
    expect(wordingSchema.parse(sheet)).toEqual(sheet);
    expect(sheet.language).toBe('fr');
    expect(sheet.messages['sheet.page']).toBe('Page {page} sur {pages}');
    expect(Object.keys(sheet.messages).filter((id) => !id.startsWith('sheet.'))).toEqual([]);
    const all = wordingOf(null, 'utm', []);
    expect(wordingSchema.safeParse(all).success).toBe(true);
    expect(all.messages['failure.unreachable.sentence']).toBeDefined();
    // Far below what a message may have.
    expect(JSON.stringify(all).length).toBeLessThan(200_000);
  });

  it('is nothing but the places in English, which the console knows', () => {
    const { language, messages } = wordingOf(null, 'dms', [harbour]);
    expect({ language, messages }).toEqual({ language: 'en', messages: {} });
    expect(message('sheet.page', { page: 1, pages: 2 }).text).toBe('Page 1 of 2');
  });

  it('has each place once, in the chosen form, or in MGRS beside decimal degrees', () => {
    const chosen = wordingOf(null, 'utm', [harbour, { ...harbour }]);
    expect(chosen.places.format).toBe('utm');
    expect(chosen.places.texts).toEqual([
      [harbour.latitude, harbour.longitude, expect.stringMatching(/^56H 33489\d 625229\d$/)],
    ]);
    const { format, texts } = wordingOf(null, 'dd', [harbour]).places;
    expect([format, texts[0]?.[2]]).toEqual(['mgrs', '56H LH 34893 52290']);
  });

  it('is never more than a message may have', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({
      latitude: at / 100,
      longitude: 12.3456789 + at / 100,
    }));
    const wording = wordingOf(null, 'dms', many);
    expect(wordingSchema.safeParse(wording).success).toBe(true);
    expect(JSON.stringify(wording).length).toBeLessThan(400_000);
  });
});
