import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createI18n } from 'vue-i18n';
import { makeFailure, reworded } from '../../../../src-main/core/base/failure.ts';
import words from '../../../../src-preload/contract/messages/en/core.json';
import { isPhraseId, message } from '../../../../src-main/core/base/messages/message.ts';
import { formatMessage } from '../../../../src-main/core/base/messages/messageFormat.ts';
import { readDecision } from '../../../../src-main/core/features/missions/decisionRecord.ts';
import { readItem } from '../../../../src-main/core/features/uploads/itemText.ts';
import { failureCodes, failureSchema, phraseSchema } from '../../../../src-preload/contract/index.ts';
import { messageMap, placeholdersOf } from '../../../support/messages.ts';

const catalogue = [...messageMap(words)];
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
  ])('%s', (pattern, values, text) => {
    expect(formatMessage(pattern, values)).toBe(text);
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
        expect(formatMessage(pattern, { ...values, n })).toBe(page);
      }),
    );
  });
});

describe('the catalogue', () => {
  it('is known by its ids, none of which is too long to be sent', () => {
    for (const [id, pattern] of catalogue) {
      expect(isPhraseId(id)).toBe(true);
      const { text: _text, ...phrase } = message(id as Parameters<typeof message>[0]);
      expect(phraseSchema.parse(phrase)).toEqual({ id, values: {} });
      expect(pattern.trim()).toBe(pattern);
    }
    expect(isPhraseId('failure')).toBe(false);
    expect(isPhraseId('toString')).toBe(false);
  });
});

describe('a failure', () => {
  it('says which phrases its words are', () => {
    for (const code of failureCodes) {
      const { sentence, remedy, phrases } = makeFailure({ code, at });
      expect(phrases.sentence).toEqual({ id: `failure.${code}.sentence`, values: {} });
      expect(phrases.remedy?.id ?? null).toBe(remedy === null ? null : `failure.${code}.remedy`);
      expect(sentence).toBe(messageMap(words).get(`failure.${code}.sentence`));
    }
  });

  it('has none for words from elsewhere', () => {
    const failure = makeFailure({ code: 'internal', at, sentence: 'As it came.', remedy: null });
    expect([failure.sentence, failure.remedy]).toEqual(['As it came.', null]);
    expect(failure.phrases).toEqual({ sentence: null, remedy: null });
  });

  it('in other words never keeps the phrase of the old ones', () => {
    const failure = makeFailure({ code: 'conflict', at, requestId: 'r' });
    const foreign = reworded(failure, { sentence: 'Otherwise.' });
    expect(foreign).toEqual({
      ...failure,
      sentence: 'Otherwise.',
      phrases: { ...failure.phrases, sentence: null },
    });
    const own = reworded(failure, { sentence: message('api.signInFirst'), remedy: null });
    expect(own.phrases).toEqual({ sentence: { id: 'api.signInFirst', values: {} }, remedy: null });
    expect([own.sentence, own.remedy]).toEqual(['The service asks for a sign-in first.', null]);
  });
});

describe('what was kept before there were phrases', () => {
  const { phrases: _phrases, ...old } = makeFailure({ code: 'unreachable', at });

  it('is read as text alone', () => {
    expect(failureSchema.parse(old)).toEqual({ ...old, phrases: { sentence: null, remedy: null } });
  });

  it('is read in a decision', () => {
    const record = {
      ...{ version: 1, missionId: 'm-1', decision: 'approve', key: 'k', body: '{}', username: 'kim' },
      ...{ at, anchor: at, seen: at, outcome: 'unknown', answeredAt: null, requestId: null, answer: null },
      failure: old,
    };
    expect(readDecision(JSON.stringify(record))?.failure?.sentence).toBe(old.sentence);
  });

  it('is read in an upload', () => {
    const id = '0011223344556677';
    const item = {
      ...{ version: 1, id, fileName: 'a.jpg', bytes: 1, addedAt: at, incidentId: null, place: 1, step: 1 },
      ...{ paused: false, sha256: null, computed: [], key: null, endedKeys: [] },
      phase: { state: 'failed', failure: old },
    };
    const read = readItem(id, JSON.stringify(item));
    expect(read?.phase).toEqual({ state: 'failed', failure: failureSchema.parse(old) });
  });
});
