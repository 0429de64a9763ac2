import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createI18n } from 'vue-i18n';
import { makeFailure, reworded } from '../../../../src-main/core/base/failure.ts';
import { english, isMessageId, message } from '../../../../src-main/core/base/messages/message.ts';
import {
  failureCodes,
  failureSchema,
  formatMessage,
  messageSchema,
} from '../../../../src-preload/contract/index.ts';
import texts from '../../../../src-preload/contract/messages/en/core.json';
import { messageMap, placeholdersOf, said } from '../../../support/messages.ts';

const catalogue = [...messageMap(texts)];
const at = Date.UTC(2026, 10, 21, 14, 2, 31);

describe('a message', () => {
  it.each([
    ['It is {name}.', { name: 'here' }, 'It is here.'],
    ['{n} upload waits. | {n} uploads wait.', { n: 1 }, '1 upload waits.'],
    ['{n} upload waits. | {n} uploads wait.', { n: 1_707 }, '1,707 uploads wait.'],
    ['{n} upload waits. | {n} uploads wait.', { n: 0 }, '0 uploads wait.'],
    ['since {sinceAt}', { sinceAt: at }, 'since 14:02 UTC'],
    ['sent at {sentDate}', { sentDate: at }, 'sent at 14:02 UTC on 2026-11-21'],
    ['{freeBytes} left', { freeBytes: 1_900_000 }, '1.9 MB left'],
    ["{'{'}{'|'}{'}'} and {'@'}", {}, '{|} and @'],
    ['{missing}', {}, '{missing}'],
    ['{name}', { name: '{n} | $&' }, '{n} | $&'],
    ['It is {name}.', { name: message('api.signInFirst') }, 'It is The service asks for a sign-in first..'],
    ['It is {name}.', { name: { text: 'a {n} | b' } }, 'It is a {n} | b.'],
  ])('%s', (pattern, values, text) => {
    expect(formatMessage(pattern, values, english)).toBe(text);
  });

  it('is read as the page reads it', () => {
    const { global } = createI18n({
      legacy: false,
      locale: 'en',
      messages: { en: Object.fromEntries(catalogue.map(([id, text]) => [id.replaceAll('.', '/'), text])) },
    });
    fc.assert(
      fc.property(fc.constantFrom(...catalogue), fc.nat(999), fc.string(), (entry, n, text) => {
        const [id, pattern] = entry;
        const values = Object.fromEntries(placeholdersOf(pattern).map((name) => [name, `${text}-${name}`]));
        const page = global.t(id.replaceAll('.', '/'), { ...values, n: String(n) }, { plural: n });
        expect(formatMessage(pattern, { ...values, n }, english)).toBe(page);
      }),
    );
  });

  it('that is not of this version is said by its id, and words that are not the console’s as they are', () => {
    expect(english({ id: 'later.one', values: {} })).toBe('later.one');
    expect(english({ text: 'As it came, {n} | $&.' })).toBe('As it came, {n} | $&.');
  });

  it('carries an id or a text, never both', () => {
    const { success } = messageSchema.safeParse({ text: 'Sent.', id: 'api.signInFirst', values: {} });
    expect(success).toBe(false);
    expect(messageSchema.safeParse({ values: {} }).success).toBe(false);
    expect(messageSchema.safeParse('Sent.').success).toBe(false);
  });
});

describe('the catalogue', () => {
  it('is known by its ids, none of which is too long to be sent', () => {
    for (const [id, pattern] of catalogue) {
      expect(isMessageId(id)).toBe(true);
      expect(messageSchema.parse(message(id as Parameters<typeof message>[0]))).toEqual({ id, values: {} });
      expect(pattern.trim()).toBe(pattern);
    }
    expect(isMessageId('failure')).toBe(false);
    expect(isMessageId('toString')).toBe(false);
  });
});

describe('a failure', () => {
  it('says what its code says', () => {
    for (const code of failureCodes) {
      const { sentence, remedy } = makeFailure({ code, at });
      expect(sentence).toEqual({ id: `failure.${code}.sentence`, values: {} });
      expect(said(sentence)).toBe(messageMap(texts).get(`failure.${code}.sentence`));
      if (remedy !== null) expect(remedy).toEqual({ id: `failure.${code}.remedy`, values: {} });
      expect(said(remedy) ?? undefined).toBe(messageMap(texts).get(`failure.${code}.remedy`));
    }
  });

  it('has no English beside what it says', () => {
    const failure = makeFailure({ code: 'conflict', at });
    expect(failureSchema.parse(JSON.parse(JSON.stringify(failure)))).toEqual(failure);
    expect(JSON.stringify(failure)).not.toContain('present state');
  });

  it('has words from elsewhere as they are', () => {
    const failure = makeFailure({ code: 'internal', at, sentence: { text: 'As it came.' }, remedy: null });
    expect([said(failure.sentence), failure.remedy]).toEqual(['As it came.', null]);
  });

  it('in other words keeps its remedy where it is given none', () => {
    const failure = makeFailure({ code: 'conflict', at, requestId: 'r' });
    const foreign = reworded(failure, { sentence: { text: 'Otherwise.' } });
    expect(foreign).toEqual({ ...failure, sentence: { text: 'Otherwise.' } });
    const own = reworded(failure, { sentence: message('api.signInFirst'), remedy: null });
    expect([said(own.sentence), own.remedy]).toEqual(['The service asks for a sign-in first.', null]);
  });
});
