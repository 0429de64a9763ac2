import { describe, expect, it } from 'vitest';
import { messagesOf, withoutForms } from '../../../build/lint/numberForms.ts';
import { languages } from '../../../src-preload/contract/index.ts';
import { loadMessages } from '../../../src-renderer/i18n/languages.ts';
import en from '../../../src-renderer/i18n/messages/en.ts';
import { formsOf, messageMap } from '../../support/messages.ts';

const english = messageMap(en);

// That the source puts none together of pieces is a rule of ESLint (build/lint/sentencePieces.ts).
describe('a sentence that an operator reads', () => {
  it('has a form for each number that it says', () => {
    expect(withoutForms(messagesOf(en))).toEqual([]);
  });

  it.each(languages)('neither begins nor ends as a piece of one in %s', async (language) => {
    const words = language === 'en' ? english : messageMap(await loadMessages(language));
    // A full stop, a bracket or a quotation mark ends one; a colon stands before what a template sets apart.
    const odd = [...words].filter(([, text]) =>
      formsOf(text).some(
        (form) => /^[\s,;:.·–—、，；：。؛،]|[\s,;·–—、，；؛،]$/u.test(form) || text !== text.trim(),
      ),
    );
    expect(odd.map(([key, text]) => `${key}: ${text}`)).toEqual([]);
  });
});
